import { hexDigest } from '../../rdf/hex-digest.js';

const MAX_ID = 64;
const DIGEST = '-.';

/**
 * Returns the id of the resource that a name below `records/` goes out as: the name in FHIR's alphabet. `/` is `..`, another
 * character outside of it `.` with its number in hex, so the id leads back to the name; one that would be too long is a
 * digest after `-.`, which no other id begins with.
 */
export function idOfPath(path: string): string {
  const id = path.replace(/[^A-Za-z0-9-]/gu, (character) =>
    character === '/' ? '..' : `.${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return id.length <= MAX_ID ? id : DIGEST + hexDigest(path).slice(0, 40);
}

/** Whether an id does not lead back to a name. */
export const isDigest = (id: string): boolean => id.startsWith(DIGEST);

/** Returns the name below `records/` of an id; undefined if it is a digest or none that `idOfPath` makes. */
export function pathOfId(id: string): string | undefined {
  const path = id.replace(/\.(?:\.|[0-9a-f]{2})/gu, (part) =>
    part === '..' ? '/' : String.fromCharCode(Number.parseInt(part.slice(1), 16)),
  );
  return idOfPath(path) === id ? path : undefined;
}
