import { hexDigest } from '../rdf/hex-digest.js';
import { knownOf } from '../records/statement-origins.js';
import { recordIri, statementIri, type StatementPath } from '../records/resource-paths.js';
import type { PrimaryStore } from '../store/primary-store.js';
import type { ResourceName } from './resource-names.js';
import type { Mapping } from './mapping.js';

/** The ids of statements have no more characters, those of resources may have as many. */
const LONGEST = 64;

/** Where a statement of a resource stands. */
interface Place {
  readonly record: string;
  readonly path: StatementPath;
  readonly resource: ResourceName;
}

/**
 * The name of the statement of a resource in a record. An id is unique within its type only, so where resources of
 * several types become one class, all but those of the first type have theirs in the name: `medications/MedicationStatement_1`.
 */
export function statementName({ record, path, resource: { type, id } }: Place, mapping: Names): string {
  const plainType = mapping.plainTypes.get(path.segment) ?? type;
  if (type === plainType) return statementIri(record, path, id);
  const typed = `${type}_${id}`;
  return statementIri(
    record,
    path,
    typed.length <= LONGEST ? typed : `${type}_${hexDigest(id).slice(0, 32)}`,
  );
}

type Names = Pick<Mapping, 'plainTypes'>;

/**
 * The name without the type that the statement of a resource has from version 0.26 or before, where it still stands under
 * that and the container remembers no resource of another type that it can be of.
 */
export function formerName(
  recordId: string,
  path: StatementPath,
  resource: ResourceName,
  {
    base,
    mapping,
    primary,
  }: { base: string; mapping: Pick<Mapping, 'plainTypes' | 'makers'>; primary: PrimaryStore },
): string | undefined {
  const record = recordIri(base, recordId);
  const name = statementName({ record, path, resource }, mapping);
  const former = statementIri(record, path, resource.id);
  if (former === name || primary.has(name) || !primary.has(former)) return undefined;
  const types = mapping.makers.flatMap((maker) => (maker.path.segment === path.segment ? maker.sources : []));
  return primary.directory.read((tx) => {
    const stands = (type: string): boolean =>
      knownOf(tx, `${type}/${resource.id}`).some(
        (known) => known.recordId === recordId && known.made.includes(path.segment),
      );
    return types.every((type) => stands(type) === (type === resource.type)) ? former : undefined;
  });
}
