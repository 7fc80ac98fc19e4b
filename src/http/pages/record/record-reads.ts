import type { AccessLog } from '../../../access-log/access-log.js';
import type { DocumentStore } from '../../../disk/document-files.js';
import { Graph } from '../../../ontology/graph.js';
import type { CallModel } from '../../../ontology/model.js';
import type { PathValues } from '../../../ontology/path-template.js';
import type { Quad } from '../../../rdf/terms.js';
import { describeDocuments } from '../../../records/documents/describe-documents.js';
import { readList, readMembers, type ListMembers, type ListRequest } from '../../../records/lists/list.js';
import { readKnown } from '../../../records/lists/read-known.js';
import { recordIri, resourceOf } from '../../../records/resource-paths.js';
import type { Kind } from '../../../records/shown/statement-kinds.js';
import type { ShownStatement } from '../../../records/shown/shown-statement.js';
import { StatementReader } from '../../../records/shown/statement-reader.js';
import type { PrimaryStore } from '../../../store/primary-store.js';
import { construct, listRequestOf, type Reads } from '../../handlers/reads.js';
import type { QueryQueue } from '../../respond/query-queue.js';

/** What the pages of records are made with. */
export interface RecordParts extends Reads {
  readonly primary: PrimaryStore;
  /** The epoch of the data directory. */
  readonly epoch: () => string;
  readonly documents: DocumentStore;
  readonly queue: QueryQueue;
  readonly accessLog: Pick<AccessLog, 'recordsOf'>;
  /** Bytes that one person may write to one record in a day. */
  readonly postQuota: number;
}

/** What a call answered with, and how its statements are read. */
export interface ReadStatements {
  readonly quads: readonly Quad[];
  /** The same as it is stored: of a document, with where its file is. */
  readonly stored: readonly Quad[];
  readonly reader: StatementReader;
  /** The IRIs of the statements that were asked for, in their order. */
  readonly order: readonly string[];
  /** How many there are, over all pages. */
  readonly total: number;
}

/** The parameters of a list call. */
export type ListArguments = Readonly<Record<string, string>>;

/**
 * Reads kinds of statements from a record by their calls: the same queries, filters and pages as apps are answered with.
 * Each waits for its turn among the queries of all requests.
 */
export class RecordReads {
  readonly #parts: RecordParts;
  readonly #record: string;
  readonly #now: number;

  /** @param record its id; @param now milliseconds since 1970 */
  constructor(parts: RecordParts, record: string, now = Date.now()) {
    this.#parts = parts;
    this.#record = record;
    this.#now = now;
  }

  /** Statements of a kind. @throws Problem invalid-parameter */
  async list(kind: Kind, given: ListArguments = {}): Promise<ReadStatements> {
    const { store, ontology, queue } = this.#parts;
    const { call } = kind;
    if (this.#hasNone(kind)) return this.#read(call, [], [], 0);
    if (call.cardinality === 'single') return this.item(call);
    const request = this.#request(call, given);
    const { quads, order, total } = await queue.run(call.iri, () => readList(store, ontology, request));
    return this.#read(call, quads, order, total);
  }

  /** Which statements of a kind there are, in the order of its list, without reading them. @throws Problem invalid-parameter */
  async find(kind: Kind, given: ListArguments = {}): Promise<ListMembers> {
    const { store, ontology, queue } = this.#parts;
    const { call, dates, ends, statuses } = kind;
    if (this.#hasNone(kind)) return { members: [], total: 0 };
    if (call.cardinality === 'single') {
      const { reader, order, total } = await this.item(call);
      return { members: reader.statements(order), total };
    }
    const request = { ...this.#request(call, given), dates: { date: dates, until: ends, status: statuses } };
    return queue.run(call.iri, () => readMembers(store, ontology, request));
  }

  /** Statements of a kind that `find` has found, in the order in which they are given. */
  async known({ call }: Kind, iris: readonly string[]): Promise<readonly ShownStatement[]> {
    const { store, ontology, queue } = this.#parts;
    if (iris.length === 0) return [];
    if (call.cardinality === 'single') return (await this.item(call)).reader.statements(iris);
    const request = this.#request(call, {});
    const quads = await queue.run(call.iri, () => readKnown(store, ontology, request, iris));
    return (await this.#read(call, quads, iris, iris.length)).reader.statements(iris);
  }

  #request(call: CallModel, given: ListArguments): ListRequest {
    const asked = { call, path: { record_id: this.#record }, resource: this.#resource(call) };
    return listRequestOf(
      this.#parts,
      asked,
      new Map(Object.entries(given).map(([name, value]) => [name, [value]])),
    );
  }

  /** One statement; none where there is no such one. @param id where its path has one */
  async item(call: CallModel, id = ''): Promise<ReadStatements> {
    const path = { record_id: this.#record, [call.pathParameters[1] ?? 'id']: id };
    const resource = this.#resource(call, path);
    const quads = await this.#parts.queue.run(call.iri, () =>
      construct(this.#parts, { call, path, resource }),
    );
    return this.#read(call, quads, quads.length === 0 ? [] : [resource], quads.length === 0 ? 0 : 1);
  }

  /** Whether nothing was ever stored where statements of a kind lie: then nothing has to be asked. */
  #hasNone({ segments }: Kind): boolean {
    const { primary } = this.#parts;
    const never = (segment: string): boolean => primary.revision(`/records/${this.#record}/${segment}`) === 0;
    return segments.length > 0 && segments.every(never);
  }

  /** The IRI that a call addresses. */
  #resource(call: CallModel, values: PathValues = { record_id: this.#record }): string {
    return resourceOf(call, values, this.#parts.base);
  }

  async #read(
    { answer }: CallModel,
    found: readonly Quad[],
    order: readonly string[],
    total: number,
  ): Promise<ReadStatements> {
    const { base, ontology, documents } = this.#parts;
    const quads = answer === 'document' ? await describeDocuments(found, documents, 'metadata') : found;
    const reader = new StatementReader(ontology, new Graph(quads), recordIri(base, this.#record), this.#now);
    return { quads, stored: found, reader, order, total };
  }
}
