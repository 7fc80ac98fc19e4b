import type { WriteTx } from '../store/disk/data-directory.js';
import { openDocumentStore } from '../store/documents/document-files.js';
import type { Ontology } from '../model/ontology/model.js';
import { ownString } from '../rdf/own-string.js';
import { literal, namedNode, quad, type Literal, type Quad } from '../rdf/terms.js';
import { rdf, sp } from '../rdf/vocabulary.js';
import { attachFiles, ContentSwept } from '../records/documents/attach.js';
import type { FileSource } from '../records/documents/folder-source.js';
import { recordIri } from '../records/resource-paths.js';
import { collectTitles, unifyTitles, type Titles } from '../records/titles.js';
import { StaleRevision, type NamedGraph } from '../store/graph-store.js';
import type { PrimaryStore } from '../store/primary-store.js';

/** Retries of a write after others wrote to the record. */
const ATTEMPTS = 20;

/** The most records whose code titles stay in memory. */
const MOST_RECORDS = 2000;

/** Statements for a record. */
export interface RecordChange {
  readonly recordId: string;
  readonly graphs: readonly NamedGraph[];
}

/** Writes statements into records, batch after batch; its memory of a record is valid until others write to it. */
export class RecordWriter {
  readonly #titles = new Map<string, { revision: number; titles: Titles }>();

  constructor(
    private readonly options: {
      readonly primary: PrimaryStore;
      readonly ontology: Ontology;
      readonly base: string;
    },
  ) {}

  /**
   * Puts statements into their records and removes others, in one change.
   * @param also writes more in the same transaction
   * @returns the changed records
   * @throws what the store throws
   */
  async write(
    changes: readonly RecordChange[],
    remove: readonly string[],
    source: FileSource,
    also: (tx: WriteTx) => void,
  ): Promise<Set<string>> {
    const { primary, ontology, base } = this.options;
    const store = openDocumentStore(primary.directory);
    for (let attempt = 1; ; attempt++) {
      const known = changes.map(({ recordId }) => this.#known(recordId));
      const graphs = changes.map(({ recordId, graphs: own }, index) => {
        const titles = known[index]?.titles ?? new Map();
        return [recordGraph(recordIri(base, recordId)), ...unifyTitles(own, ontology, base, titles).graphs];
      });
      const stored = (name: string) => primary.graph(name);
      const attached = await attachFiles(graphs.flat(), { ontology, base, store, source, stored });
      const expect = changes.map(({ recordId }, index) => ({
        path: pathOf(recordId),
        revision: known[index]?.revision ?? 0,
      }));
      try {
        await primary.write({ replace: attached.graphs, remove, expect }, (tx) => {
          attached.check(tx);
          also(tx);
        });
      } catch (error) {
        const again = error instanceof StaleRevision || error instanceof ContentSwept;
        if (!again || attempt === ATTEMPTS) throw error;
        continue;
      }
      const moved = changes.filter((change, index) =>
        this.#hasMoved(change.recordId, expect[index]?.revision, graphs[index] ?? []),
      );
      return new Set(moved.map(({ recordId }) => recordId));
    }
  }

  /**
   * Moves statements into a record as they are, with their files.
   * @param also graphs of any record to store as they are
   * @param entered writes more in the same transaction
   */
  async move(
    recordId: string,
    moved: readonly NamedGraph[],
    also: readonly NamedGraph[],
    remove: readonly string[],
    entered: (tx: WriteTx) => void,
  ): Promise<void> {
    const { primary, ontology, base } = this.options;
    const { graphs } = unifyTitles(moved, ontology, base, this.#known(recordId).titles);
    await primary.write({ replace: [...graphs, ...also], remove }, entered);
  }

  /** The code titles of a record, as of its revision. */
  #known(recordId: string): { revision: number; titles: Titles } {
    const { primary, base } = this.options;
    const revision = primary.revision(pathOf(recordId));
    const known = this.#titles.get(recordId);
    if (known?.revision === revision) return known;
    const titles: Titles = new Map();
    for (const name of primary.names(`${recordIri(base, recordId)}/`))
      this.#collect(primary.graph(name) ?? [], titles);
    const found = { revision, titles };
    if (this.#titles.size >= MOST_RECORDS) this.#titles.clear();
    this.#titles.set(recordId, found);
    return found;
  }

  #hasMoved(recordId: string, before: number | undefined, graphs: readonly NamedGraph[]): boolean {
    const revision = this.options.primary.revision(pathOf(recordId));
    if (revision === before) return false;
    const titles = this.#titles.get(recordId)?.titles ?? new Map();
    for (const { quads } of graphs) this.#collect(quads, titles);
    this.#titles.set(recordId, { revision, titles });
    return true;
  }

  /** Copies titles, which stay in memory during the load, so that their source can be freed. */
  #collect(quads: readonly Quad[], titles: Titles): void {
    for (const [iri, title] of collectTitles(quads, this.options.base)) {
      const known = titles.get(iri);
      if (known === undefined || title.value < known.value)
        titles.set(ownString(iri), literal(ownString(title.value), (title as Literal).language));
    }
  }
}

const pathOf = (recordId: string): string => `/records/${recordId}`;

/** The triples that every record has about itself. */
function recordGraph(name: string): NamedGraph {
  return { name, quads: [quad(namedNode(name), namedNode(rdf.type), namedNode(sp.MedicalRecord))] };
}
