import type { Ontology } from '../model/ontology/model.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { Attachments } from './attachments.js';
import { BatchQueue } from './batch-queue.js';
import { endpointGraphs } from './endpoint-graphs.js';
import type { BatchResource, MappedBatch, RecordOf } from './batch-resource.js';
import { FhirBatches } from './fhir-batch.js';
import { countGone, type FileProgress } from './file-progress.js';
import {
  documentsOf,
  isRenamed,
  isTestData,
  placeOf,
  UnreadableFile,
  type FhirDocument,
  type FhirFile,
  type FhirProblem,
} from './fhir-resources.js';
import { ForeseenPatients } from './foreseen-patients.js';
import type { ImportReport } from './import-tally.js';
import { goneStatements } from './gone-statements.js';
import { KeptSources } from './kept-sources.js';
import { LateArrivals } from './late-arrivals.js';
import { LoadCounts } from './load-counts.js';
import { MappingThreads } from './mapping-threads.js';
import { tablesText, type Mapping } from './mapping.js';
import { MergedRecords } from './merged-records.js';
import { MovedResources } from './moved-resources.js';
import { OtherPeople } from './other-people.js';
import { Pages } from './pages.js';
import { RecordIds, recordsHaveIds, type RecordIdOptions } from './record-ids.js';
import { RecordWriter } from './record-writer.js';
import { recordIri } from '../records/resource-paths.js';
import { SingleStatements } from './single-statements.js';
import { linkedStatements, statementGraphs, type MadeStatement } from './statement-graphs.js';
import { validStatements } from './valid-statements.js';
import { addTo } from '../rdf/by-key.js';

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
  readonly #counts: LoadCounts;
  readonly #singles: SingleStatements;
  readonly #moved: MovedResources;
  readonly #others: OtherPeople;
  readonly #writer: RecordWriter;
  readonly #sources: KeptSources;
  readonly #foreseen: ForeseenPatients;
  readonly #late: LateArrivals;
  readonly #merged: MergedRecords;
  readonly #of = (patient: string): string | undefined => this.#ids.of(patient);
  readonly #pages = new Pages();
  readonly #queue = new BatchQueue((batch) => this.#store(batch));
  /** So many batches may be mapped while reading goes on. */
  readonly #ahead: number;

  constructor(
    private readonly options: FhirLoadOptions,
    threads: MappingThreads,
  ) {
    this.#batches = new FhirBatches(
      options.mapping,
      threads,
      () => {
        const of = this.#ids.known();
        return (patient, resource) =>
          patient === resource ? of(patient) : this.#merged.recordOf(patient, of);
      },
      (resource, patient) =>
        this.#moved.versionsOf(
          resource,
          patient === undefined ? undefined : this.#recordOf(patient, resource.iri),
        ),
      (found) => this.#isStored(found),
      // With an identifier as the id of a record, resources of several servers can have the same id.
      options.system === undefined ? undefined : (patient) => this.#ids.of(patient) ?? patient,
    );
    // Of several patients the first has the record that was named: who that is, the first batch says.
    this.#ahead = options.recordId === undefined ? (options.threads ?? 0) : 0;
    this.#ids = new RecordIds(options, (id) => options.primary.has(recordIri(options.base, id)));
    this.#foreseen = new ForeseenPatients(options, this.#ids, this.#batches);
    this.#late = new LateArrivals(options.primary);
    this.#merged = new MergedRecords(options);
    this.#linked = linkedStatements(options.ontology);
    this.#writer = new RecordWriter(options);
    this.#sources = new KeptSources(options);
    this.#others = new OtherPeople((name) => options.primary.graph(name));
    this.#singles = new SingleStatements(options);
    this.#moved = new MovedResources(options, this.#sources);
    this.#counts = new LoadCounts(options.mapping);
  }

  async run(): Promise<FhirFileReport[]> {
    try {
      await this.#readAll();
    } finally {
      // A load that fails leaves nothing under way.
      await this.#queue.end();
    }
    await this.#heal();
    await this.#storeSingle();
    if (!this.options.dry) await this.#merged.move(this.#of, this.#writer, this.#counts.files);
    countGone(this.#counts.files, await this.#moved.takeOut(this.#counts.stored));
    this.#counts.endLinks((name) => this.options.primary.has(name));
    this.#pages.tell();
    return [...this.#counts.files.values()].map(({ tally, records, ...rest }) => ({
      ...rest,
      records: [...records],
      report: tally.report(),
    }));
  }

  async #readAll(): Promise<void> {
    for (const [index, file] of this.options.files.entries()) {
      const progress = this.#counts.begin(file.name);
      const { tally } = progress;
      try {
        for await (const document of documentsOf(file)) {
          progress.problems.push(...document.problems);
          this.#pages.look(document, tally);
          for (const resource of document.resources) {
            if (isTestData(resource))
              tally.saw(
                'remarks',
                `${resource.type}: it is test data, and loaded as if it were not`,
                placeOf(resource),
              );
            if (resource.isDeleted) continue;
            if (resource.type !== 'Patient') {
              if (this.options.mapping.lookups.has(resource.type)) this.#late.arrive(resource, tally);
              continue;
            }
            this.#late.arrive(resource, tally);
            this.#ids.learn(resource);
            this.#moved.learn(resource, tally);
            if (recordsHaveIds(this.options) && isRenamed(resource))
              tally.saw('renamed', resource.id, placeOf(resource));
          }
          const newest = this.options.primary.directory.read(() => this.#batches.begin(document));
          for (const resource of newest.resources)
            if (resource.type === 'Patient' && !resource.isDeleted)
              this.#merged.learn(resource, this.#of, tally, (reference, from) =>
                this.#batches.target(reference, from),
              );
          await this.#storeEndpoints(newest, progress);
          for (const batch of this.#batches.add(newest, tally)) await this.#queue.take(batch, this.#ahead);
          if (!this.#batches.isHolding) continue;
          await this.#foreseen.readAll();
          for (const batch of this.#batches.release()) await this.#queue.take(batch, this.#ahead);
        }
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error;
        progress.problems.push({ line: null, reason: error.message });
      }
      this.options.onFile?.(index + 1);
    }
    await this.#queue.take(this.#batches.flush(), 0);
  }

  /** Maps resources of earlier loads once more that waited for what this load has; tells of those that it does not have. */
  async #heal(): Promise<void> {
    if (this.options.dry) return;
    for (const { name, tally, waitedFor } of await this.#late.take()) {
      const recordId = this.#moved.recordOf(name);
      const [type = '', id = ''] = name.split('/');
      const kept = recordId === undefined ? undefined : await this.#sources.read(recordId, { type, id });
      const isWhole =
        kept !== undefined &&
        this.#batches.heal(
          kept,
          tally,
          ({ patient = '', waits }) =>
            this.#recordOf(patient, kept.iri) === recordId && [...waits].every(waitedFor),
        );
      if (!isWhole)
        tally.saw(
          'remarks',
          `${type}: what it refers to came later; load it again, together with that`,
          name,
        );
    }
    await this.#queue.take(this.#batches.flush(), 0);
  }

  /** Whether a resource makes only what is stored already, which is then counted. */
  #isStored(found: BatchResource): boolean {
    // One snapshot for all that is looked up: to begin one costs more than a look.
    return this.options.primary.directory.read(() => this.#countStored(found));
  }

  #countStored(found: BatchResource): boolean {
    const { resource, patient } = found;
    const recordId = patient === undefined ? undefined : this.#recordOf(patient, resource.iri);
    const stored = recordId === undefined ? undefined : this.#moved.unchanged.outcomeOf(found, recordId);
    if (recordId === undefined || !stored) return false;
    this.#counts.resource(found, stored.why === undefined, stored.why, stored.statements.length > 0);
    const statements = stored.statements.map(({ query, name }) => ({
      ...{ query, resource: resource.iri, recordId, links: [], isCleaned: false },
      graph: { name, quads: { length: this.options.primary.size(name) } },
    }));
    this.#counts.statements(recordId, statements, { resources: new Map([[resource.iri, found]]) }, false);
    return true;
  }

  #recordOf(patient: string, resource: string): string | undefined {
    return patient === resource ? this.#of(patient) : this.#merged.recordOf(patient, this.#of);
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
    const { base, mapping } = this.options;
    const { unmapped } = mapping;
    const hasPatientIds = recordsHaveIds(this.options);
    const place = { base, mapping, linked: this.#linked, recordOf, hasPatientIds };
    const mapped = await batch.made;
    const made = mapped.flatMap((each) => statementGraphs(each, place));
    this.#others.look(made, batch);
    const byRecord = new Map<string, MadeStatement[]>();
    const reasons = new Map<string, string>();
    for (const statement of isLast ? made : this.#singles.hold(batch, made))
      if (batch.resources.has(statement.resource)) addTo(byRecord, statement.recordId, statement);
    const kept: MadeStatement[] = [];
    const keep = (found: BatchResource, recordId: string, why: string): MadeStatement[] => {
      const kind = unmapped.kindOf(found);
      const own = kind ? [unmapped.statement(found, kind, { base, recordId, why, names: mapping })] : [];
      kept.push(...own);
      return own;
    };
    if (!isLast) {
      const mappedResources = new Set(made.map(({ resource }) => resource));
      for (const [iri, found] of batch.resources) {
        const isMapped = mappedResources.has(iri);
        const reason = isMapped ? undefined : this.#whyUnmade(found, recordOf);
        const recordId = found.patient === undefined ? undefined : recordOf(found.patient, iri);
        const own = reason === undefined || recordId === undefined ? [] : keep(found, recordId, reason);
        if (reason !== undefined) reasons.set(iri, reason);
        for (const statement of own) addTo(byRecord, statement.recordId, statement);
        this.#counts.resource(found, isMapped, reason, own.length > 0);
      }
    }
    const attachments = new Attachments();
    const changes = [...byRecord].map(([recordId, statements]) => {
      const { valid, left } = validStatements(statements, batch.resources, this.options);
      const instead = isLast ? [] : left.flatMap(({ found, why }) => keep(found, recordId, why));
      return {
        recordId,
        statements: [...valid, ...instead].map((statement) => ({
          ...statement,
          graph: attachments.detach(this.#merged.marked(statement, recordId, this.#of), recordId, batch.data),
        })),
      };
    });
    made.push(...kept);
    const stored = changes.flatMap(({ statements }) => statements);
    const storedNames = new Set(stored.map(({ graph }) => graph.name));
    const gone = isLast ? this.#singles.gone(made) : goneStatements(batch, made, storedNames, this.options);
    // No record is made for statements that are all left out.
    const written = changes
      .filter(({ statements }) => statements.length > 0)
      .map(({ recordId, statements }) => ({
        recordId,
        graphs: this.#sources.graphs(recordId, statements, batch, attachments),
      }));
    if (!isLast || !this.options.keepSource) gone.push(...this.#sources.gone(batch, made, stored));
    let moved: ReadonlySet<string> | undefined;
    if (!this.options.dry) {
      const names = gone.map(({ name }) => name);
      moved = await this.#writer.write(written, names, attachments, (tx) => {
        if (isLast) this.#singles.enter(tx, stored, gone);
        else {
          this.#moved.enter(
            tx,
            batch,
            made,
            (name) =>
              this.#counts.stored.has(name) || storedNames.has(name) || this.options.primary.has(name),
            storedNames,
            reasons,
          );
          this.#late.enter(tx, batch);
        }
      });
      countGone(this.#counts.files, gone);
    }
    for (const { recordId, statements } of changes)
      this.#counts.statements(recordId, statements, batch, moved?.has(recordId) ?? false);
  }

  /** Why no statement was made of a resource. */
  #whyUnmade({ resource, patient, modifiers }: BatchResource, recordOf: RecordOf): string {
    if (patient !== undefined && recordOf(patient, resource.iri) === undefined)
      return this.#ids.whyUnknown(patient);
    const queries = this.options.mapping.queries.filter(({ sources }) => sources.includes(resource.type));
    const path = [resource.type, ...(queries[0]?.patient ?? [])].join('.');
    if (patient === undefined) return `${path} is missing or leads to no patient`;
    const names = queries.map(({ name }) => `${name}.rq`).join(', ');
    return (
      this.options.mapping.unmade.of(resource, modifiers) ??
      `it does not have all that is asked for (${names})`
    );
  }
}
