import type { Accounts } from '../../access/accounts/accounts.js';
import type { Flow } from '../../access/oauth/flow.js';
import { Graph } from '../../model/ontology/graph.js';
import type { CallModel, Ontology } from '../../model/ontology/model.js';
import type { Quad } from '../../rdf/terms.js';
import { describeDocuments } from '../../records/documents/describe-documents.js';
import type { ListMembers } from '../../records/lists/list.js';
import { recordIri } from '../../records/resource-paths.js';
import type { Kind } from '../shown/statement-kinds.js';
import type { ShownStatement } from '../shown/shown-statement.js';
import { StatementReader } from '../shown/statement-reader.js';
import type { LongGraphs } from '../../http/handlers/long-graphs.js';
import type { ListArguments, RecordData } from '../../http/record-data.js';
import type { RecordedReads } from '../../http/recorded-reads.js';
import type { AllSettings } from '../../http/settings.js';

export interface RecordParts {
  readonly ontology: Ontology;
  readonly base: string;
  readonly people: RecordedReads;
  readonly longGraphs: LongGraphs;
  readonly accounts: Pick<Accounts, 'user'>;
  readonly manifestOf: Flow['manifestOf'];
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

/** Reads a record's statements by kind, with the queries of apps. */
export class RecordReads {
  constructor(
    private readonly parts: Pick<RecordParts, 'ontology' | 'base'>,
    private readonly data: RecordData,
    private readonly now = Date.now(),
  ) {}

  /** Reads the statements of a kind. @throws Problem invalid-parameter */
  async list(kind: Kind, given: ListArguments = {}): Promise<ReadStatements> {
    const { call } = kind;
    if (this.#hasNone(kind)) return this.#read(call, [], [], 0);
    if (call.cardinality === 'single') return this.item(call);
    const { quads, order, total } = await this.data.list(call, given);
    return this.#read(call, quads, order, total);
  }

  /** Finds the members of a kind in order, without their graphs. @throws Problem invalid-parameter */
  async find(kind: Kind, given: ListArguments = {}): Promise<ListMembers> {
    const { call, dates, ends, statuses } = kind;
    if (this.#hasNone(kind)) return { members: [], total: 0 };
    if (call.cardinality === 'single') {
      const { reader, order, total } = await this.item(call);
      return { members: reader.statements(order), total };
    }
    return this.data.members(call, given, { date: dates, until: ends, status: statuses });
  }

  async known({ call }: Kind, iris: readonly string[]): Promise<readonly ShownStatement[]> {
    if (iris.length === 0) return [];
    if (call.cardinality === 'single') return (await this.item(call)).reader.statements(iris);
    const quads = await this.data.known(call, iris);
    return (await this.#read(call, quads, iris, iris.length)).reader.statements(iris);
  }

  /** Reads one statement, if it exists. @param id if its path contains one */
  async item(call: CallModel, id = ''): Promise<ReadStatements> {
    const { quads, resource } = await this.data.item(call, id);
    return this.#read(call, quads, quads.length === 0 ? [] : [resource], quads.length === 0 ? 0 : 1);
  }

  #hasNone({ segments }: Kind): boolean {
    return segments.length > 0 && segments.every((segment) => this.data.wasNever(segment));
  }

  async #read({ answer }: CallModel, found: readonly Quad[], order: readonly string[], total: number) {
    const { base, ontology } = this.parts;
    const quads = answer === 'document' ? describeDocuments(found) : found;
    const reader = new StatementReader(
      ontology,
      new Graph(quads),
      recordIri(base, this.data.record),
      this.now,
    );
    return { quads, stored: found, reader, order, total };
  }
}
