import type { Accounts } from '../access/accounts/accounts.js';
import type { RecordedEntry } from '../access/log/access-entry.js';
import type { AccessLog } from '../access/log/access-log.js';
import type { AccessFilter } from '../access/log/read-entries.js';
import type { CallModel, ClassModel } from '../model/ontology/model.js';
import { PathTemplate, type PathValues } from '../model/ontology/path-template.js';
import { fromListIndex, listIndexOf } from '../model/query/index/list-index.js';
import { iriText } from '../model/query/sparql-term.js';
import type { Quad } from '../rdf/terms.js';
import { sp } from '../rdf/vocabulary.js';
import { closeClasses, openClasses, type Closing } from '../records/closable.js';
import { recordTexts } from '../records/export-data.js';
import { readKnown, readList, readMembers, type ListMembers } from '../records/lists/list.js';
import type { ListAnswer, ListRequest, MemberDates } from '../records/lists/list.js';
import { postStatement, type Post } from '../records/posted/post-statement.js';
import { recordPart } from '../records/record-partition.js';
import { recordIri, resourceOf } from '../records/resource-paths.js';
import type { ContentKey, DocumentStore } from '../store/documents/document-files.js';
import type { Author } from '../store/history.js';
import { addedBy } from '../store/past.js';
import type { PrimaryStore } from '../store/primary-store.js';
import type { Pause } from '../store/steps.js';
import { requireOpen, type ClosedView } from './closed-view.js';
import { construct, listRequestOf, type Reads } from './handlers/reads.js';
import type { QueryQueue } from './respond/query-queue.js';

export interface RecordDataParts extends Reads {
  readonly primary: PrimaryStore;
  readonly queue: QueryQueue;
  readonly accessLog: Pick<AccessLog, 'list' | 'read'>;
  /** What is closed to the reader. */
  readonly hides?: ClosedView['hides'];
  readonly documents: Pick<DocumentStore, 'read'>;
}

export type ListArguments = Readonly<Record<string, string>>;

const MAX_LINKED = 500;

/** The data of one record. Pages get it from `RecordedReads` alone. Each query takes its turn in the query queue. */
export class RecordData {
  readonly #parts: RecordDataParts;

  constructor(
    parts: RecordDataParts,
    readonly record: string,
  ) {
    this.#parts = parts;
  }

  /** @throws Problem invalid-parameter */
  list(call: CallModel, given: ListArguments): Promise<ListAnswer> {
    const { store, ontology, queue } = this.#parts;
    const request = this.#request(call, given);
    return queue.run(call.iri, () => readList(store, ontology, request));
  }

  /** Finds the members of a list in order, without their graphs. @throws Problem invalid-parameter */
  members(call: CallModel, given: ListArguments, dates: MemberDates): Promise<ListMembers> {
    const { store, ontology, queue } = this.#parts;
    const request = { ...this.#request(call, given), dates };
    return queue.run(call.iri, () => readMembers(store, ontology, request));
  }

  known(call: CallModel, iris: readonly string[]): Promise<Quad[]> {
    const { store, ontology, queue } = this.#parts;
    return queue.run(call.iri, () => readKnown(store, ontology, this.#request(call, {}), iris));
  }

  /** Reads one statement. @param id if its path contains one */
  async item(call: CallModel, id: string): Promise<{ readonly quads: Quad[]; readonly resource: string }> {
    const path = { record_id: this.record, [call.pathParameters[1] ?? 'id']: id };
    const resource = this.#resource(call, path);
    const asked = { call, path, resource };
    return { quads: await this.#parts.queue.run(call.iri, () => construct(this.#parts, asked)), resource };
  }

  /** Finds the statements of the record that link to one of it by any of some properties. */
  async linking(iri: string, properties: readonly string[]): Promise<string[]> {
    const { store, queue } = this.#parts;
    const record = iriText(recordIri(store.base, this.record));
    const linked = `?s ${iriText(sp.belongsTo)} ${record} ; ?p ${iriText(iri)}`;
    const query = `SELECT DISTINCT ?s WHERE { GRAPH ?s { ${linked} } VALUES ?p { ${properties.map(iriText).join(' ')} } } LIMIT ${MAX_LINKED}`;
    const rows = await queue.run('links', () => store.select(query, [recordPart(this.record)]));
    return rows.flatMap(({ s }) => s?.value ?? []);
  }

  /**
   * Finds the statements of a list that have any of some properties (`p`), grouped by it and by what a path from them
   * leads to (`what`): their IRIs, separated by spaces (`iris`).
   */
  async having(call: CallModel, properties: readonly string[], path: readonly string[]) {
    const { store, ontology, queue } = this.#parts;
    const record = recordIri(store.base, this.record);
    const index = listIndexOf(ontology, call);
    const members = index
      ? fromListIndex(record, index, 's').pattern
      : `GRAPH ?s { ?s ${iriText(sp.belongsTo)} ${iriText(record)} }`;
    // Not VALUES: the engine would look up each property in all of the store.
    const stated = properties.map(iriText).map((iri) => `{ ?s ${iri} ?o BIND(${iri} AS ?p) }`);
    const led = path.length === 0 ? '' : `?s ${path.map(iriText).join('/')} ?what .`;
    const query = `SELECT ?p ?what (GROUP_CONCAT(STR(?s)) AS ?iris) WHERE { ${members} GRAPH ?s { ${led} ${stated.join(' UNION ')} } } GROUP BY ?p ?what`;
    return queue.run(call.iri, () => store.select(query, [recordPart(this.record)], 'yielding'));
  }

  /** Reads the file of a document of the record. @throws Problem damaged-document */
  file(key: ContentKey): Promise<Uint8Array> {
    return this.#parts.documents.read(key);
  }

  /** Returns who added a statement, if the history tells. */
  addedBy(iri: string): Author | undefined {
    const { primary, base } = this.#parts;
    return primary.directory.read((tx) => addedBy(tx, iri.slice(base.length)));
  }

  /** Whether nothing was ever stored at a path below the record. */
  wasNever(segment: string): boolean {
    return this.#parts.primary.revision(`/records/${this.record}/${segment}`) === 0;
  }

  /** Returns the state of all that calls about the record read. */
  state(): string {
    const { primary } = this.#parts;
    return primary.directory.read(
      () =>
        `${primary.directory.epoch} ${primary.revision('/ontology')} ${primary.revision(`/records/${this.record}`)}`,
    );
  }

  /** Returns the graph of a singleton as it is stored. */
  stored(call: CallModel): readonly Quad[] | undefined {
    return this.#parts.primary.graph(this.#resource(call));
  }

  /** Reads all of the record. @throws Problem too-large */
  texts(pause: Pause): ReturnType<typeof recordTexts> {
    return recordTexts(this.#parts, this.record, pause);
  }

  /** Lists the newest accesses, so that reading them is quick. */
  listAccesses(): Promise<void> {
    return this.#parts.accessLog.list();
  }

  /** Reads who used the record. */
  accesses(asked: Omit<AccessFilter, 'record'>, pause: Pause): AsyncIterable<RecordedEntry> {
    return this.#parts.accessLog.read({ ...asked, record: this.record }, pause);
  }

  /** Adds a statement. @returns its IRI @throws Problem as postStatement, forbidden where that is closed */
  async post(post: Omit<Post, 'primary' | 'recordId' | 'base' | 'ontology'>): Promise<string> {
    if (this.#parts.hides) requireOpen({ hides: this.#parts.hides }, this.#placeOf(post.model));
    return postStatement({ ...this.#parts, ...post, recordId: this.record });
  }

  /** Whether a part of the record is closed to the reader: what is not found may be there. */
  get isPartClosed(): boolean {
    return this.#parts.hides !== undefined;
  }

  /** Whether the statements of a class are closed to the reader: none can be added either. */
  isClosed(model: Pick<ClassModel, 'basePath'>): boolean {
    return this.#parts.hides?.(this.#placeOf(model)) ?? false;
  }

  /** Closes classes of the record. @throws AccountError as closeClasses */
  close(accounts: Accounts, closing: Omit<Closing, 'record'>): Promise<void> {
    return closeClasses({ ...this.#parts, accounts }, { ...closing, record: this.record });
  }

  /** Opens classes of the record again. */
  open(accounts: Accounts, closing: Omit<Closing, 'record'>): Promise<boolean> {
    return openClasses({ ...this.#parts, accounts }, { ...closing, record: this.record });
  }

  #placeOf({ basePath = '' }: Pick<ClassModel, 'basePath'>): string {
    return PathTemplate.of(basePath).prefix({ record_id: this.record });
  }

  #request(call: CallModel, given: ListArguments): ListRequest {
    const asked = { call, path: { record_id: this.record }, resource: this.#resource(call) };
    const values = new Map(Object.entries(given).map(([name, value]) => [name, [value]]));
    return listRequestOf(this.#parts, asked, values);
  }

  #resource(call: CallModel, values: PathValues = { record_id: this.record }): string {
    return resourceOf(call, values, this.#parts.base);
  }
}
