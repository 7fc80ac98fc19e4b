import type { Ontology } from '../ontology/model.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { Attachments } from './attachments.js';
import { BatchQueue } from './batch-queue.js';
import { endpointGraphs } from './endpoint-graphs.js';
import { FhirBatches, type BatchResource, type MappedBatch } from './fhir-batch.js';
import { beginFile, countGone, type FileProgress } from './file-progress.js';
import {
  documentsOf,
  isRenamed,
  placeOf,
  UnreadableFile,
  type FhirDocument,
  type FhirProblem,
} from './fhir-resources.js';
import { ForeseenPatients } from './foreseen-patients.js';
import type { ImportReport, ImportTally } from './import-tally.js';
import { goneStatements } from './gone-statements.js';
import { KeptSources } from './kept-sources.js';
import { MappingThreads } from './mapping-threads.js';
import { tablesText, type Mapping } from './mapping.js';
import { MovedResources } from './moved-resources.js';
import { OtherPeople } from './other-people.js';
import { RecordIds, recordsHaveIds, type RecordIdOptions } from './record-ids.js';
import { RecordWriter } from './record-writer.js';
import { recordIri } from '../records/resource-paths.js';
import { SingleStatements } from './single-statements.js';
import { linkedStatements, statementGraphs, type MadeStatement } from './statement-graphs.js';
import { validStatements } from './valid-statements.js';
import { addTo } from '../rdf/by-key.js';

/** One file of FHIR resources, opened when its turn comes. */
export interface FhirFile {
  readonly name: string;
  readonly open: () => AsyncIterable<Uint8Array>;
  /** Whether it can be opened but once, as standard input: its patients are not known before they are read. */
  readonly isOnce?: boolean | undefined;
}

export interface FhirLoadOptions extends RecordIdOptions {
  readonly files: readonly FhirFile[];
  readonly primary: PrimaryStore;
  readonly ontology: Ontology;
  readonly mapping: Mapping;
  readonly base: string;
  /** Called when a file has been read. */
  readonly onFile?: (done: number) => void;
  /** Nothing is stored; only the reports are made. */
  readonly dry?: boolean | undefined;
  /** Whether the resources that statements are made of are kept as documents of their records. */
  readonly keepSource?: boolean | undefined;
  /** So many threads map beside the one that reads and stores; default 0: that one maps as well. */
  readonly threads?: number | undefined;
}

/** What became of one file. */
export interface FhirFileReport {
  readonly file: string;
  readonly records: readonly string[];
  readonly statements: number;
  readonly endpoints: number;
  readonly quads: number;
  /** Statements, and kept resources, that were taken out. */
  readonly removed: number;
  readonly changed: boolean;
  readonly problems: readonly FhirProblem[];
  readonly report: ImportReport;
}

/**
 * Loads files of FHIR R4 resources into the records of their patients: the queries of the mapping make statements of
 * many resources at once, each is validated against the ontology, and what is valid is stored under the id of its
 * resource. What is in no statement is counted in the reports. Files are read in their order, one document at a time;
 * resources that others refer to have to come before them.
 * @throws NoPlaceForSources, and what the store throws: the disk is full, the data directory is closed
 */
export async function loadFhir(options: FhirLoadOptions): Promise<FhirFileReport[]> {
  const tables = tablesText(options.mapping, options.ontology);
  const threads = new MappingThreads(tables, options.threads ?? 0);
  try {
    return await new FhirLoad(options, threads).run();
  } finally {
    await threads.close();
  }
}

class FhirLoad {
  readonly #batches: FhirBatches;
  readonly #ids: RecordIds;
  readonly #linked: ReturnType<typeof linkedStatements>;
  readonly #progress = new Map<ImportTally, FileProgress>();
  /** Links to statements that have not been seen yet. */
  readonly #open = new Map<string, { tally: ImportTally; path: string; example: string }[]>();
  /** The files of what has been stored. */
  readonly #stored = new Map<string, ImportTally>();
  readonly #singles: SingleStatements;
  readonly #moved: MovedResources;
  readonly #others: OtherPeople;
  readonly #writer: RecordWriter;
  readonly #sources: KeptSources;
  readonly #foreseen: ForeseenPatients;
  readonly #queue = new BatchQueue((batch) => this.#store(batch));
  /** So many batches may be mapped while reading goes on. */
  readonly #ahead: number;

  constructor(
    private readonly options: FhirLoadOptions,
    threads: MappingThreads,
  ) {
    this.#batches = new FhirBatches(options.mapping, threads, () => this.#ids.known());
    // Of several patients the first has the record that was named: who that is, the first batch says.
    this.#ahead = options.recordId === undefined ? (options.threads ?? 0) : 0;
    this.#ids = new RecordIds(options, (id) => options.primary.has(recordIri(options.base, id)));
    this.#foreseen = new ForeseenPatients(options, this.#ids);
    this.#linked = linkedStatements(options.ontology);
    this.#writer = new RecordWriter(options);
    this.#sources = new KeptSources(options);
    this.#others = new OtherPeople((name) => options.primary.graph(name));
    this.#singles = new SingleStatements(options);
    this.#moved = new MovedResources(options, this.#sources);
  }

  async run(): Promise<FhirFileReport[]> {
    try {
      await this.#readAll();
    } finally {
      // A load that fails leaves nothing under way.
      await this.#queue.end();
    }
    await this.#storeSingle();
    countGone(this.#progress, await this.#moved.takeOut(this.#stored));
    this.#closeLinks();
    return [...this.#progress.values()].map(({ tally, records, ...rest }) => ({
      ...rest,
      records: [...records],
      report: tally.report(),
    }));
  }

  async #readAll(): Promise<void> {
    for (const [index, file] of this.options.files.entries()) {
      const progress = beginFile(file.name);
      const { tally } = progress;
      this.#progress.set(tally, progress);
      try {
        for await (const document of documentsOf(file.open)) {
          progress.problems.push(...document.problems);
          for (const resource of document.resources.filter(({ type }) => type === 'Patient')) {
            this.#ids.learn(resource);
            this.#moved.learn(resource, tally);
            if (recordsHaveIds(this.options) && isRenamed(resource))
              tally.saw('renamed', resource.id, placeOf(resource));
          }
          await this.#storeEndpoints(document, progress);
          for (const batch of this.#batches.add(document, tally)) await this.#queue.take(batch, this.#ahead);
        }
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error;
        progress.problems.push({ line: null, reason: error.message });
      }
      this.options.onFile?.(index + 1);
    }
    await this.#queue.take(this.#batches.flush(), 0);
  }

  async #storeEndpoints({ resources }: FhirDocument, progress: FileProgress): Promise<void> {
    const { primary, dry } = this.options;
    const { graphs, problems } = endpointGraphs(resources);
    progress.problems.push(...problems);
    if (graphs.length === 0) return;
    for (const { quads } of graphs) {
      progress.tally.mapped('Endpoint');
      progress.endpoints++;
      progress.quads += quads.length;
    }
    if (dry) return;
    const before = primary.revision('');
    await primary.write({ replace: graphs });
    progress.changed ||= primary.revision('') !== before;
  }

  /** Of what a record shows only one, the query decides over all candidates together. */
  async #storeSingle(): Promise<void> {
    if (!this.#singles.isOpen) return;
    this.#batches.again(this.#singles.candidates);
    await this.#store(this.#batches.flush(this.#singles.queries), true);
  }

  async #store(batch: MappedBatch, isLast = false): Promise<void> {
    const { recordOf } = batch;
    await this.#foreseen.lookFor(batch);
    const place = { base: this.options.base, linked: this.#linked, recordOf };
    const { mapped, reasons } = await batch.made;
    const made = mapped.flatMap((each) => statementGraphs(each, place));
    this.#others.look(made, batch);
    const byRecord = new Map<string, MadeStatement[]>();
    for (const statement of isLast ? made : this.#singles.hold(batch, made))
      if (batch.resources.has(statement.resource)) addTo(byRecord, statement.recordId, statement);
    if (!isLast) {
      const mappedResources = new Set(made.map(({ resource }) => resource));
      for (const [iri, { resource, tally, patient }] of batch.resources) {
        const isUnknown = patient !== undefined && recordOf(patient) === undefined;
        const reason = isUnknown ? this.#ids.whyUnknown(patient) : reasons.get(iri);
        if (mappedResources.has(iri)) tally.mapped(resource.type);
        else tally.unmapped(resource.type, placeOf(resource), reason);
      }
    }
    const attachments = new Attachments();
    const changes = [...byRecord].map(([recordId, statements]) => ({
      recordId,
      statements: validStatements(statements, batch.resources, this.options).map((statement) => ({
        ...statement,
        graph: attachments.detach(statement.graph, recordId, batch.data),
      })),
    }));
    const gone = isLast ? this.#singles.gone(made) : goneStatements(batch, made, this.options);
    // No record is made for statements that are all left out.
    const written = changes
      .filter(({ statements }) => statements.length > 0)
      .map(({ recordId, statements }) => ({
        recordId,
        graphs: this.#sources.graphs(recordId, statements, batch, attachments),
      }));
    const stored = changes.flatMap(({ statements }) => statements);
    if (!isLast || !this.options.keepSource) gone.push(...this.#sources.gone(batch, made, stored));
    let moved: ReadonlySet<string> | undefined;
    if (!this.options.dry) {
      const names = gone.map(({ name }) => name);
      moved = await this.#writer.write(written, names, attachments, (tx) => {
        if (isLast) this.#singles.enter(tx, stored, gone);
        else this.#moved.enter(tx, batch, made);
      });
      countGone(this.#progress, gone);
    }
    for (const { recordId, statements } of changes)
      this.#count(recordId, statements, batch, moved?.has(recordId) ?? false);
  }

  #count(
    recordId: string,
    statements: readonly MadeStatement[],
    { resources }: MappedBatch,
    moved: boolean,
  ): void {
    for (const { resource, graph, query, links } of statements) {
      const found = resources.get(resource);
      const progress = this.#progressOf(found);
      if (!found || !progress) continue;
      progress.records.add(recordId);
      progress.changed ||= moved;
      progress.statements++;
      progress.quads += graph.quads.length;
      found.tally.statement(query.target.name);
      this.#stored.set(graph.name, found.tally);
      for (const link of links) {
        if (this.#stored.has(link)) continue;
        addTo(this.#open, link, {
          tally: found.tally,
          path: query.target.name,
          example: found.resource.place || 'the start',
        });
      }
    }
  }

  #progressOf(found: BatchResource | undefined): FileProgress | undefined {
    return found && this.#progress.get(found.tally);
  }

  #closeLinks(): void {
    for (const [link, places] of this.#open) {
      if (this.#stored.has(link) || this.options.primary.has(link)) continue;
      for (const { tally, path, example } of places) tally.saw('unresolved', path, example);
    }
  }
}
