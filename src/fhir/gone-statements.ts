import { recordIri } from '../records/resource-paths.js';
import type { PrimaryStore } from '../store/primary-store.js';
import type { MappedBatch } from './fhir-batch.js';
import type { ResourceName } from './fhir-resources.js';
import type { ImportTally } from './import-tally.js';
import type { Mapping } from './mapping.js';
import { formerName, statementName } from './statement-names.js';
import type { MadeStatement } from './statement-graphs.js';

/** A statement, or a kept resource, that is taken out of a record. */
export interface Gone {
  readonly name: string;
  readonly recordId: string;
  readonly resource: ResourceName;
  /** That of the file which says so. */
  readonly tally: ImportTally;
}

/**
 * Statements of earlier versions of the resources of a batch that make none any more, in their records, and those that
 * have another name now.
 * @param stored names of the statements that are stored
 */
export function goneStatements(
  { resources, recordOf }: MappedBatch,
  made: readonly MadeStatement[],
  stored: ReadonlySet<string>,
  options: { readonly primary: PrimaryStore; readonly base: string; readonly mapping: Mapping },
): Gone[] {
  const { primary, base, mapping } = options;
  const names = new Set(made.map(({ graph }) => graph.name));
  // By their names: queries of one class can have made the same statement.
  const gone = new Map<string, Gone>();
  for (const { resource, patient, tally } of resources.values()) {
    const recordId = patient === undefined ? undefined : recordOf(patient, resource.iri);
    if (recordId === undefined) continue;
    for (const { sources, path } of mapping.makers) {
      if (!path.item || !sources.includes(resource.type)) continue;
      const name = statementName({ record: recordIri(base, recordId), path, resource }, mapping);
      if (!names.has(name) && primary.has(name)) gone.set(name, { name, recordId, resource, tally });
      // The older statement stands where the newer one was left out.
      if (names.has(name) && !stored.has(name)) continue;
      const former = formerName(recordId, path, resource, options);
      if (former !== undefined && !names.has(former))
        gone.set(former, { name: former, recordId, resource, tally });
    }
  }
  return [...gone.values()];
}
