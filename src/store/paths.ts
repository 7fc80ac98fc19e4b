import { isWritableIri } from '../rdf/iri.js';
import { InvalidGraph } from './graph-store.js';

/** What a graph's path may not hold: a query, a fragment, an empty segment, a slash at its end. */
const wellFormed = /^(?:\/[^/?#]+)+$/;

/**
 * The path of a graph below the base: `/records/1`.
 * @throws InvalidGraph when the name is not an IRI of ours
 */
export function pathOf(name: string, base: string): string {
  const path = name.startsWith(base + '/') ? name.slice(base.length) : '';
  if (wellFormed.test(path) && isWritableIri(name)) return path;
  throw new InvalidGraph(
    `${JSON.stringify(name)} cannot name a graph: names are ${base}/… with no query or fragment`,
  );
}

/** The path itself and all above it, up to '' for everything: `/a/b`, `/a`, ``. */
export function pathAndAncestors(path: string): string[] {
  const all = [path];
  for (let end = path.lastIndexOf('/'); end >= 0; end = path.lastIndexOf('/', end - 1)) {
    all.push(path.slice(0, end));
    if (end === 0) break;
  }
  return all;
}
