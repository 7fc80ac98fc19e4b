import { recordIri } from '../records/resource-paths.js';
import type { PrimaryStore } from '../store/primary-store.js';
import type { MappedBatch } from './batch-resource.js';
import type { ResourceName } from './resource-names.js';
import type { ImportTally } from './import-tally.js';
import type { Mapping } from './mapping.js';
import { formerName, statementName } from './statement-names.js';
import type { MadeStatement } from './statement-graphs.js';

/** A statement, or a kept resource, to remove from a record. */
export interface Gone {
  readonly name: string;
  readonly recordId: string;
  readonly resource: ResourceName;
  /** The tally of the file that removes it. */
  readonly tally: ImportTally;
}

/**
 * Finds statements of earlier versions of a batch's resources that no longer make one, and statements that now have
 * another name.
 * @param stored names of the stored statements
 */
export function goneStatements(
  { resources, recordOf }: MappedBatch,
  made: readonly MadeStatement[],
  stored: ReadonlySet<string>,
  options: { readonly primary: PrimaryStore; readonly base: string; readonly mapping: Mapping },
): Gone[] {
  const { primary, base, mapping } = options;
  const names = new Set(made.map(({ graph }) => graph.name));
  // By name: several queries of one class can have made the same statement.
  const gone = new Map<string, Gone>();
  for (const { resource, patient, tally } of resources.values()) {
    const recordId = patient === undefined ? undefined : recordOf(patient, resource.iri);
    if (recordId === undefined) continue;
    for (const { sources, path } of mapping.makers) {
      if (!path.item || !sources.includes(resource.type)) continue;
      const name = statementName({ record: recordIri(base, recordId), path, resource }, mapping);
      if (!names.has(name) && primary.has(name)) gone.set(name, { name, recordId, resource, tally });
      // If the newer statement was left out, the older one stays.
      if (names.has(name) && !stored.has(name)) continue;
      const former = formerName(recordId, path, resource, options);
      if (former !== undefined && !names.has(former))
        gone.set(former, { name: former, recordId, resource, tally });
    }
  }
  return [...gone.values()];
}
