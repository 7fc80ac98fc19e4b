import { recordIri, statementIri } from '../records/resource-paths.js';
import type { PrimaryStore } from '../store/primary-store.js';
import type { MappedBatch } from './fhir-batch.js';
import type { ResourceName } from './fhir-resources.js';
import type { ImportTally } from './import-tally.js';
import type { Mapping } from './mapping.js';
import type { MadeStatement } from './statement-graphs.js';

/** A statement, or a kept resource, that is taken out of a record. */
export interface Gone {
  readonly name: string;
  readonly recordId: string;
  readonly resource: ResourceName;
  /** That of the file which says so. */
  readonly tally: ImportTally;
}

/** Statements of earlier versions of the resources of a batch that make none any more, in their records. */
export function goneStatements(
  { resources, recordOf }: MappedBatch,
  made: readonly MadeStatement[],
  {
    primary,
    base,
    mapping,
  }: { readonly primary: PrimaryStore; readonly base: string; readonly mapping: Mapping },
): Gone[] {
  const names = new Set(made.map(({ graph }) => graph.name));
  // By their names: resources of two types can have made the same statement.
  const gone = new Map<string, Gone>();
  for (const { resource, patient, tally } of resources.values()) {
    const recordId = patient === undefined ? undefined : recordOf(patient);
    if (recordId === undefined) continue;
    for (const { sources, path } of mapping.queries) {
      if (!path.item || !sources.includes(resource.type)) continue;
      const name = statementIri(recordIri(base, recordId), path, resource.id);
      if (!names.has(name) && primary.has(name)) gone.set(name, { name, recordId, resource, tally });
    }
  }
  return [...gone.values()];
}
