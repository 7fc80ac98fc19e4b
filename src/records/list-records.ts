import type { Ontology } from '../ontology/model.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { graphNames, recordIds, statementTest } from './record-names.js';

/** A record as `record list --json` prints it. */
export interface RecordSummary {
  readonly record_id: string;
  readonly statements: number;
  /** Quads of the record and everything beneath it. */
  readonly quads: number;
}

/** Counts every record of a data directory, one at a time, in the order of their ids as text. */
export function* listRecords(
  primary: PrimaryStore,
  ontology: Ontology,
  base: string,
): Iterable<RecordSummary> {
  const isStatement = statementTest(ontology, base);
  for (const recordId of recordIds(primary, base)) {
    const names = graphNames(primary, base, recordId);
    yield {
      record_id: recordId,
      statements: names.filter(isStatement).length,
      quads: names.reduce((sum, name) => sum + primary.size(name), 0),
    };
  }
}
