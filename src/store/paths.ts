import { isWritableIri } from '../rdf/ntriples.js';
import { ownUrn } from '../rdf/vocabulary.js';
import { InvalidGraph } from './graph-store.js';

const wellFormed = /^(?:\/[^/?#]+)+$/;

/** A name that is the same under every base: no slash, no fragment. */
const ownName = new RegExp(`^${ownUrn}[^/?#]+$`, 'u');

/**
 * Returns the path of a graph below the base: `/records/1`. A URN of ours (`urn:chartgraph:endpoint:e1`) is its own
 * path.
 * @throws InvalidGraph when the name is not an IRI of ours
 */
export function pathOf(name: string, base: string): string {
  const path = keyOf(name, base) ?? '';
  if ((wellFormed.test(path) || ownName.test(path)) && isWritableIri(name)) return path;
  throw new InvalidGraph(
    `${JSON.stringify(name)} cannot name a graph: names are ${base}/… with no query or fragment`,
  );
}

export function keyOf(name: string, base: string): string | undefined {
  if (name.startsWith(`${base}/`)) return name.slice(base.length);
  return name.startsWith(ownUrn) ? name : undefined;
}

export function nameOf(path: string, base: string): string {
  return path.startsWith('/') ? base + path : path;
}

/** Returns `/a/b`, `/a`, and '' for everything. */
export function pathAndAncestors(path: string): string[] {
  if (path.startsWith(ownUrn)) return [path, ''];
  const all = [path];
  for (let end = path.lastIndexOf('/'); end >= 0; end = path.lastIndexOf('/', end - 1)) {
    all.push(path.slice(0, end));
    if (end === 0) break;
  }
  return all;
}
