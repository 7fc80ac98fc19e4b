import { isObject } from '../../rdf/json-object.js';
import { cg } from '../../rdf/vocabulary.js';
import type { Quad } from '../../rdf/terms.js';

/** A member of a JSON document that differs: where it stands (RFC 6901), and its values as JSON where it has any. */
export interface MemberDifference {
  readonly pointer: string;
  readonly from?: string;
  readonly to?: string;
}

/** Two versions of one JSON document, as the graphs hold them. */
interface Documents {
  readonly old: Quad;
  readonly now: Quad;
  readonly members: readonly MemberDifference[];
}

/** The JSON documents that were replaced by another version, with the members that differ, and all other triples. */
export function splitDocuments(
  removed: readonly Quad[],
  added: readonly Quad[],
): { documents: readonly Documents[]; removed: readonly Quad[]; added: readonly Quad[] } {
  const documents = removed.filter(isDocument).flatMap((old): Documents[] => {
    const now = added.find((quad) => isDocument(quad) && quad.subject.equals(old.subject));
    const members = now && membersOf(old.object.value, now.object.value);
    return now && members ? [{ old, now, members }] : [];
  });
  const told = new Set(documents.flatMap(({ old, now }) => [old, now]));
  const isLeft = (quad: Quad): boolean => !told.has(quad);
  return { documents, removed: removed.filter(isLeft), added: added.filter(isLeft) };
}

const isDocument = ({ predicate }: Quad): boolean => predicate.value === cg.json;

function membersOf(old: string, now: string): MemberDifference[] | undefined {
  try {
    return compare(JSON.parse(old), JSON.parse(now), '');
  } catch {
    return undefined;
  }
}

/** What differs, as deep as both sides are objects; arrays are compared whole, as their order means something. */
function compare(old: unknown, now: unknown, pointer: string): MemberDifference[] {
  if (isObject(old) && isObject(now)) {
    const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
    return names.flatMap((name) =>
      compare(old[name], now[name], `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    );
  }
  const [from, to] = [old, now].map((value) => (value === undefined ? undefined : JSON.stringify(value)));
  if (from === to) return [];
  return [{ pointer, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
}
