import type { AnalystLevel } from '../access/accounts/analyst-tokens.js';
import type { Quad } from '../rdf/terms.js';

export const levels = ['deidentified', 'identified'] as const satisfies readonly AnalystLevel[];
export type LevelName = AnalystLevel;

export interface LevelView {
  nameOf(graph: string): string;
  quadsOf(graph: string, quads: readonly Quad[]): readonly Quad[];
}

/** Shows everything as stored. */
export const identified: LevelView = { nameOf: (graph) => graph, quadsOf: (_, quads) => quads };
