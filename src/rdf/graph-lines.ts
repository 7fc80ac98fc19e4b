import type { Quad } from './terms.js';

/** What a graph states of its own resource with some properties: their lines, from lines as the primary store keeps them. */
export function ownLines(name: string, ntriples: string, wanted: ReadonlySet<string>): Map<string, string> {
  const subject = `<${name}> <`;
  const found = new Map<string, string>();
  for (let at = ntriples.indexOf(subject); at >= 0;) {
    const start = at + subject.length;
    // Only a literal could hold the rest of this.
    if (at > 0 && ntriples[at - 1] !== '\n') {
      at = ntriples.indexOf(subject, start);
      continue;
    }
    const property = ntriples.slice(start, ntriples.indexOf('>', start));
    const end = ntriples.indexOf('\n', start) + 1 || ntriples.length;
    if (wanted.has(property)) found.set(property, (found.get(property) ?? '') + ntriples.slice(at, end));
    // Lines are sorted, so the next one mostly has the same subject.
    at = ntriples.startsWith(subject, end) ? end : ntriples.indexOf(subject, end);
  }
  return found;
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
