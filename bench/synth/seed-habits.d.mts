import type { Quad } from '../../src/rdf/terms.js';
import type { Habits } from './patient-maker.mjs';

export function habitKey(classIri: string, property: string): string;
export function habitsOf(graphs: Iterable<readonly Quad[]>): Habits;
