import { literalText } from './ntriples.js';
import type { Quad } from './terms.js';

/** `> ` between a property and its object. */
const AFTER_IRI = 2;
/** How a line ends: ` .` and a line feed. */
const LINE_END = 3;

/**
 * What a graph states of its own resource with some properties: the objects of each as they are written, from lines as
 * the primary store keeps them.
 */
export function ownObjects(
  name: string,
  ntriples: string,
  wanted: ReadonlySet<string>,
): Map<string, readonly string[]> {
  const subject = `<${name}> <`;
  const found = new Map<string, string[]>();
  for (let at = ntriples.indexOf(subject); at >= 0;) {
    const start = at + subject.length;
    // Only a literal could hold the rest of this.
    if (at > 0 && ntriples[at - 1] !== '\n') {
      at = ntriples.indexOf(subject, start);
      continue;
    }
    const close = ntriples.indexOf('>', start);
    if (close < 0) break;
    const property = ntriples.slice(start, close);
    const end = ntriples.indexOf('\n', close) + 1 || ntriples.length + 1;
    if (wanted.has(property)) {
      const object = ntriples.slice(close + AFTER_IRI, end - LINE_END);
      const others = found.get(property);
      if (others) others.push(object);
      else found.set(property, [object]);
    }
    // Lines are sorted, so the next one mostly has the same subject.
    at = ntriples.startsWith(subject, end) ? end : ntriples.indexOf(subject, end);
  }
  return found;
}

/** The texts of those objects that are literals, each once, sorted. @param objects as they are written */
export function textsOf(objects: readonly string[] = []): string[] {
  const texts = objects.flatMap((object) => literalText(object) ?? []);
  return texts.length < 2 ? texts : [...new Set(texts)].sort();
}

/** The lines with any of some properties. */
export function linesWith(properties: Iterable<string>, ntriples: string): string {
  const marks = [...new Set(properties)].map((property) => ` <${property}> `);
  const lines = ntriples.split('\n').filter((line) => marks.some((mark) => line.includes(mark)));
  return lines.join('\n');
}

/** The literals that a path leads to from a resource, each once. */
export function textsAt(quads: readonly Quad[], resource: string, path: readonly string[]): string[] {
  let from = new Set([resource]);
  let objects: Quad['object'][] = [];
  for (const property of path) {
    const step = quads.filter(
      ({ subject, predicate }) => predicate.value === property && from.has(subject.value),
    );
    objects = step.map(({ object }) => object);
    from = new Set(objects.filter(({ termType }) => termType !== 'Literal').map(({ value }) => value));
  }
  return [
    ...new Set(objects.filter(({ termType }) => termType === 'Literal').map(({ value }) => value)),
  ].sort();
}
