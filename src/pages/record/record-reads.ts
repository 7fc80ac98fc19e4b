import type { Accounts } from '../../access/accounts/accounts.js';
import type { AccessLog } from '../../access/log/access-log.js';
import type { DocumentStore } from '../../store/documents/document-files.js';
import { Graph } from '../../model/ontology/graph.js';
import type { CallModel } from '../../model/ontology/model.js';
import type { PathValues } from '../../model/ontology/path-template.js';
import type { Quad } from '../../rdf/terms.js';
import { describeDocuments } from '../../records/documents/describe-documents.js';
import {
  readKnown,
  readList,
  readMembers,
  type ListMembers,
  type ListRequest,
} from '../../records/lists/list.js';
import { recordIri, resourceOf } from '../../records/resource-paths.js';
import type { Kind } from '../shown/statement-kinds.js';
import type { ShownStatement } from '../shown/shown-statement.js';
import { StatementReader } from '../shown/statement-reader.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import { construct, listRequestOf, type Reads } from '../../http/handlers/reads.js';
import type { LongGraphs } from '../../http/handlers/long-graphs.js';
import type { QueryQueue } from '../../http/respond/query-queue.js';
import type { AllSettings } from '../../http/settings.js';

export interface RecordParts extends Reads {
  readonly primary: PrimaryStore;
  readonly documents: DocumentStore;
  readonly queue: QueryQueue;
  readonly accessLog: Pick<AccessLog, 'list' | 'read'>;
  readonly longGraphs: LongGraphs;
  readonly accounts: Pick<Accounts, 'user'>;
  readonly settings: Pick<AllSettings, 'postQuota'>;
}

export interface ReadStatements {
  readonly quads: readonly Quad[];
  /** As stored; a document includes its file. */
  readonly stored: readonly Quad[];
  readonly reader: StatementReader;
  readonly order: readonly string[];
  readonly total: number;
}

export type ListArguments = Readonly<Record<string, string>>;

/** Reads a record's statements by kind, with the queries of apps. Each read takes its turn in the query queue. */
export class RecordReads {
  constructor(
    private readonly parts: RecordParts,
    private readonly record: string,
    private readonly now = Date.now(),
  ) {}

  /** Reads the statements of a kind. @throws Problem invalid-parameter */
  async list(kind: Kind, given: ListArguments = {}): Promise<ReadStatements> {
    const { store, ontology, queue } = this.parts;
    const { call } = kind;
    if (this.#hasNone(kind)) return this.#read(call, [], [], 0);
    if (call.cardinality === 'single') return this.item(call);
    const request = this.#request(call, given);
    const { quads, order, total } = await queue.run(call.iri, () => readList(store, ontology, request));
    return this.#read(call, quads, order, total);
  }

  /** Finds the members of a kind in order, without their graphs. @throws Problem invalid-parameter */
  async find(kind: Kind, given: ListArguments = {}): Promise<ListMembers> {
    const { store, ontology, queue } = this.parts;
    const { call, dates, ends, statuses } = kind;
    if (this.#hasNone(kind)) return { members: [], total: 0 };
    if (call.cardinality === 'single') {
      const { reader, order, total } = await this.item(call);
      return { members: reader.statements(order), total };
    }
    const request = { ...this.#request(call, given), dates: { date: dates, until: ends, status: statuses } };
    return queue.run(call.iri, () => readMembers(store, ontology, request));
  }

  async known({ call }: Kind, iris: readonly string[]): Promise<readonly ShownStatement[]> {
    const { store, ontology, queue } = this.parts;
    if (iris.length === 0) return [];
    if (call.cardinality === 'single') return (await this.item(call)).reader.statements(iris);
    const request = this.#request(call, {});
    const quads = await queue.run(call.iri, () => readKnown(store, ontology, request, iris));
    return (await this.#read(call, quads, iris, iris.length)).reader.statements(iris);
  }

  #request(call: CallModel, given: ListArguments): ListRequest {
    const asked = { call, path: { record_id: this.record }, resource: this.#resource(call) };
    return listRequestOf(
      this.parts,
      asked,
      new Map(Object.entries(given).map(([name, value]) => [name, [value]])),
    );
  }

  /** Reads one statement, if it exists. @param id if its path contains one */
  async item(call: CallModel, id = ''): Promise<ReadStatements> {
    const path = { record_id: this.record, [call.pathParameters[1] ?? 'id']: id };
    const resource = this.#resource(call, path);
    const quads = await this.parts.queue.run(call.iri, () => construct(this.parts, { call, path, resource }));
    return this.#read(call, quads, quads.length === 0 ? [] : [resource], quads.length === 0 ? 0 : 1);
  }

  #hasNone({ segments }: Kind): boolean {
    const { primary } = this.parts;
    const never = (segment: string): boolean => primary.revision(`/records/${this.record}/${segment}`) === 0;
    return segments.length > 0 && segments.every(never);
  }

  #resource(call: CallModel, values: PathValues = { record_id: this.record }): string {
    return resourceOf(call, values, this.parts.base);
  }

  async #read({ answer }: CallModel, found: readonly Quad[], order: readonly string[], total: number) {
    const { base, ontology } = this.parts;
    const quads = answer === 'document' ? describeDocuments(found) : found;
    const reader = new StatementReader(ontology, new Graph(quads), recordIri(base, this.record), this.now);
    return { quads, stored: found, reader, order, total };
  }
}
