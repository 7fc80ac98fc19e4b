import type { Ontology } from '../ontology/model.js';
import type { Expectation, NamedGraph } from '../store/graph-store.js';
import type { PrimaryStore } from '../store/primary-store.js';
import type { KnownRecord } from './loading/load-patient.js';
import { recordIri } from './resource-paths.js';
import { statementTest } from './record-names.js';
import { collectTitles, type Titles } from './titles.js';

interface Stored {
  readonly primary: PrimaryStore;
  readonly ontology: Ontology;
  readonly base: string;
  /** Whether the record is about to be swapped whole, so that nothing of it counts. */
  readonly replace?: boolean | undefined;
}

/** What records say already; notes the revision that each was read at, so that the write can insist on it. */
export class StoredRecords implements KnownRecord {
  readonly expect: Expectation[] = [];

  constructor(private readonly stored: Stored) {}

  has(iri: string): boolean {
    return this.stored.replace !== true && this.stored.primary.has(iri);
  }

  titles(record: string): Titles {
    const { primary, base, replace } = this.stored;
    const path = record.slice(base.length);
    this.expect.push({ path, revision: primary.revision(path) });
    const titles: Titles = new Map();
    if (replace) return titles;
    for (const name of primary.names(`${record}/`)) collectTitles(primary.graph(name) ?? [], base, titles);
    return titles;
  }
}

/** The statements of some records that the new graphs do not hold; scratchpads of apps are none. */
export function superseded(
  { primary, ontology, base }: Stored,
  graphs: readonly NamedGraph[],
  recordIds: readonly string[],
): string[] {
  const kept = new Set(graphs.map(({ name }) => name));
  const isStatement = statementTest(ontology, base);
  return recordIds
    .flatMap((recordId) => primary.names(`${recordIri(base, recordId)}/`))
    .filter((name) => !kept.has(name) && isStatement(name));
}
