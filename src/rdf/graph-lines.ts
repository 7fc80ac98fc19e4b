import { literalText } from './ntriples.js';
import type { Quad } from './terms.js';

const AFTER_IRI = 2;
/** ` .` and a line feed. */
const LINE_END = 3;

/** Returns the objects of some properties of a graph's own resource, as written in lines of the primary store. */
export function ownObjects(
  name: string,
  ntriples: string,
  wanted: ReadonlySet<string>,
): Map<string, readonly string[]> {
  const subject = `<${name}> <`;
  const found = new Map<string, readonly string[]>();
  for (let at = ntriples.indexOf(subject); at >= 0;) {
    const start = at + subject.length;
    // A match inside a literal.
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
      found.set(property, [...(found.get(property) ?? []), object]);
    }
    // Lines are sorted: the next one usually has the same subject.
    at = ntriples.startsWith(subject, end) ? end : ntriples.indexOf(subject, end);
  }
  return found;
}

/** Returns the distinct texts of the literals among objects, sorted. */
export function textsOf(objects: readonly string[] = []): string[] {
  const texts = objects.flatMap((object) => literalText(object) ?? []);
  return texts.length < 2 ? texts : [...new Set(texts)].sort();
}

export function linesWith(properties: Iterable<string>, ntriples: string): string {
  const marks = [...new Set(properties)].map((property) => ` <${property}> `);
  const lines = ntriples.split('\n').filter((line) => marks.some((mark) => line.includes(mark)));
  return lines.join('\n');
}

/** Returns the distinct literals that a path leads to from a resource. */
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
