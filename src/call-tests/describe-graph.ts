import { addTo } from '../rdf/by-key.js';
import { writeTerm } from '../rdf/ntriples.js';
import { termText } from '../rdf/term-key.js';
import type { Quad, Term } from '../rdf/terms.js';
import type { Description } from './suite.js';

/** Stands for the base URL, which each container has its own of. */
export const BASE = '{base}';

/** Deeper than any statement: what nests further is cut, and a circle of blank nodes with it. */
const DEEPEST = 200;

/**
 * What a graph says of each IRI, as sorted lines in which a blank node is written as what is said of it. Two graphs
 * whose blank nodes form trees have one description when they are one graph. Blank nodes that nothing leads to stand
 * under `[]`.
 * @param base the base URL, in whose place `{base}` is written
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

/** Several descriptions as one: what any of them says of a subject. */
export function merged(descriptions: Iterable<Description>): Description {
  const all: Record<string, string[]> = {};
  for (const description of descriptions) {
    for (const [subject, lines] of Object.entries(description)) {
      all[subject] = [...new Set([...(all[subject] ?? []), ...lines])].sort();
    }
  }
  return all;
}

/** What one description says that another does not, as `subject: line`. */
export function missingFrom(expected: Description, found: Description): string[] {
  return Object.entries(expected).flatMap(([subject, lines]) => {
    const known = new Set(found[subject]);
    return lines.filter((line) => !known.has(line)).map((line) => `${subject}: ${line}`);
  });
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
