import type { Quad } from '../rdf/terms.js';

/** How much of the data analysts see: `deidentified` unless an administrator gave more. */
export const levels = ['deidentified', 'identified'] as const;
export type LevelName = (typeof levels)[number];

/** What a level shows of the graphs of the primary store. */
export interface LevelView {
  /** The name that a graph has in it. */
  nameOf(graph: string): string;
  /** What is shown of a graph, in a graph of that name; nothing where nothing is. */
  quadsOf(graph: string, quads: readonly Quad[]): readonly Quad[];
}

/** Everything as it is stored. */
export const identified: LevelView = { nameOf: (graph) => graph, quadsOf: (_, quads) => quads };
