import type { Ontology } from '../ontology/model.js';
import type { Truth } from '../store/truth.js';
import { graphNames, recordIds, statementTest } from './record-names.js';

/** A record as `record list --json` prints it. */
export interface RecordSummary {
  readonly record_id: string;
  readonly statements: number;
  /** Quads of the record and everything beneath it. */
  readonly quads: number;
}

/** Counts every record of a data directory, one at a time, in the order of their ids as text. */
export function* listRecords(truth: Truth, ontology: Ontology, base: string): Iterable<RecordSummary> {
  const isStatement = statementTest(ontology, base);
  for (const recordId of recordIds(truth, base)) {
    const names = graphNames(truth, base, recordId);
    yield {
      record_id: recordId,
      statements: names.filter(isStatement).length,
      quads: names.reduce((sum, name) => sum + (truth.graph(name)?.length ?? 0), 0),
    };
  }
}
