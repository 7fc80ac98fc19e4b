import type { WriteTx } from '../disk/data-directory.js';
import { openDocumentStore } from '../disk/document-files.js';
import type { Ontology } from '../ontology/model.js';
import { namedNode, quad } from '../rdf/terms.js';
import { rdf, sp } from '../rdf/vocabulary.js';
import { attachFiles, ContentSwept } from '../records/documents/attach.js';
import type { FileSource } from '../records/documents/folder-source.js';
import { recordIri } from '../records/resource-paths.js';
import { collectTitles, unifyTitles, type Titles } from '../records/titles.js';
import { StaleRevision, type NamedGraph } from '../store/graph-store.js';
import type { PrimaryStore } from '../store/primary-store.js';

/** How often a write is tried again because somebody else wrote to the record meanwhile. */
const ATTEMPTS = 20;

/** Statements that go into a record. */
export interface RecordChange {
  readonly recordId: string;
  readonly graphs: readonly NamedGraph[];
}

/** Writes statements into records, batch after batch; what it has read of a record holds until somebody else writes. */
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
   * Puts statements into their records and takes others out, in one change.
   * @param also what is written in the same transaction
   * @returns the records that are others now
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

  /** The titles that the codes of a record have, as of its revision. */
  #known(recordId: string): { revision: number; titles: Titles } {
    const { primary, base } = this.options;
    const revision = primary.revision(pathOf(recordId));
    const known = this.#titles.get(recordId);
    if (known?.revision === revision) return known;
    const titles: Titles = new Map();
    for (const name of primary.names(`${recordIri(base, recordId)}/`))
      collectTitles(primary.graph(name) ?? [], base, titles);
    const found = { revision, titles };
    this.#titles.set(recordId, found);
    return found;
  }

  #hasMoved(recordId: string, before: number | undefined, graphs: readonly NamedGraph[]): boolean {
    const { primary, base } = this.options;
    const revision = primary.revision(pathOf(recordId));
    if (revision === before) return false;
    const titles = this.#titles.get(recordId)?.titles ?? new Map();
    for (const { quads } of graphs) collectTitles(quads, base, titles);
    this.#titles.set(recordId, { revision, titles });
    return true;
  }
}

const pathOf = (recordId: string): string => `/records/${recordId}`;

/** What every record says of itself. */
function recordGraph(name: string): NamedGraph {
  return { name, quads: [quad(namedNode(name), namedNode(rdf.type), namedNode(sp.MedicalRecord))] };
}
