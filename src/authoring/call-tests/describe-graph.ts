import { addTo } from '../../rdf/by-key.js';
import { writeTerm } from '../../rdf/ntriples.js';
import { termText } from '../../rdf/term-key.js';
import type { Quad, Term } from '../../rdf/terms.js';
import type { Description } from './suite.js';

/** Stands for the base URL, which differs between containers. */
export const BASE = '{base}';

/** Deeper than any statement; deeper nesting, such as a cycle of blank nodes, is cut. */
const DEEPEST = 200;

/**
 * Describes each IRI of a graph in sorted lines, with blank nodes expanded. Graphs whose blank nodes form trees are
 * equal if their descriptions are. Blank nodes without links to them are under `[]`. @param base the base URL, written
 * as `{base}`
 */
export function describeGraph(quads: Iterable<Quad>, base: string): Description {
  const about = new Map<string, Quad[]>();
  const linked = new Set<string>();
  for (const quad of quads) {
    addTo(about, termText(quad.subject), quad);
    if (quad.object.termType === 'BlankNode') linked.add(termText(quad.object));
  }
  const own = new RegExp(`${escaped(base)}(?=[/#?>"]|$)`, 'g');
  const linesOf = (key: string, depth: number): string[] => {
    const lines = (about.get(key) ?? []).map(
      ({ predicate, object }) => `${writeTerm(predicate)} ${valueOf(object, depth)}`,
    );
    return [...new Set(lines)].sort();
  };
  const valueOf = (object: Term, depth: number): string => {
    if (object.termType !== 'BlankNode') return writeTerm(object);
    return depth > DEEPEST ? '[…]' : `[ ${linesOf(termText(object), depth + 1).join(' ; ')} ]`;
  };
  const described: Record<string, string[]> = {};
  for (const key of [...about.keys()].sort()) {
    if (linked.has(key)) continue;
    const name = (key.startsWith('_:') ? '[]' : key).replace(own, BASE);
    const lines = linesOf(key, 0).map((line) => line.replace(own, BASE));
    described[name] = name === '[]' ? [...(described[name] ?? []), `[ ${lines.join(' ; ')} ]`] : lines;
  }
  return described;
}

export function merged(descriptions: Iterable<Description>): Description {
  const all: Record<string, string[]> = {};
  for (const description of descriptions) {
    for (const [subject, lines] of Object.entries(description)) {
      all[subject] = [...new Set([...(all[subject] ?? []), ...lines])].sort();
    }
  }
  return all;
}

/** Lists what one description has and another lacks, as `subject: line`. */
export function missingFrom(expected: Description, found: Description): string[] {
  return Object.entries(expected).flatMap(([subject, lines]) => {
    const known = new Set(found[subject]);
    return lines.filter((line) => !known.has(line)).map((line) => `${subject}: ${line}`);
  });
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
