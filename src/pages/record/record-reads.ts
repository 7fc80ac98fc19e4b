import { setImmediate } from 'node:timers/promises';
import type { Accounts } from '../../access/accounts/accounts.js';
import type { AccessLog } from '../../access/log/access-log.js';
import type { DocumentStore } from '../../store/documents/document-files.js';
import { Graph } from '../../model/ontology/graph.js';
import { isA, linkRules, type CallModel, type Ontology } from '../../model/ontology/model.js';
import { PathTemplate, type PathValues } from '../../model/ontology/path-template.js';
import { iriText } from '../../model/query/sparql-term.js';
import type { Quad } from '../../rdf/terms.js';
import { sp } from '../../rdf/vocabulary.js';
import { fileOf } from '../../records/documents/content-key.js';
import { recordPart } from '../../records/record-partition.js';
import { addedBy } from '../../store/past.js';
import { describeDocuments } from '../../records/documents/describe-documents.js';
import {
  readKnown,
  readList,
  readMembers,
  type ListMembers,
  type ListRequest,
} from '../../records/lists/list.js';
import { recordIri, resourceOf } from '../../records/resource-paths.js';
import { kindsOf, type Kind } from '../shown/statement-kinds.js';
import type { ShownStatement } from '../shown/shown-statement.js';
import { isOver, saysOver } from '../shown/timeline.js';
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

/** Members of a kind that are looked at for what holds now. */
const WHOLE = 500;
/** Statements read in a turn. */
const BATCH = 100;

const MAX_LINKED = 500;

/** Image types that browsers show without running scripts. */
const PICTURES: readonly (string | undefined)[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
export const isPicture = (mediaType: string | undefined): boolean => PICTURES.includes(mediaType);

/** Returns the properties by which statements link to those of a class. */
const linksTo = (ontology: Ontology, target: string): string[] => [
  ...new Set(
    [...ontology.classes.values()]
      .filter(({ kind }) => kind === 'statement')
      .flatMap((model) => linkRules(ontology, model))
      .filter(({ classes }) => classes.some((range) => isA(ontology, target, range)))
      .map(({ property }) => property),
  ),
];

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

  /** Reads statements, many of them in several turns of the event loop. */
  async known({ call }: Kind, iris: readonly string[]): Promise<readonly ShownStatement[]> {
    const { store, ontology, queue } = this.parts;
    if (iris.length === 0) return [];
    if (call.cardinality === 'single') return (await this.item(call)).reader.statements(iris);
    const request = this.#request(call, {});
    const statements: ShownStatement[] = [];
    for (let at = 0; at < iris.length; at += BATCH) {
      if (at > 0) await setImmediate();
      const batch = iris.slice(at, at + BATCH);
      const quads = await queue.run(call.iri, () => readKnown(store, ontology, request, batch));
      const { reader, stored } = await this.#read(call, quads, batch, batch.length);
      for (const statement of reader.statements(batch))
        statements.push({
          ...statement,
          isPicture: call.answer === 'document' && isPicture(fileOf(stored, statement.iri)?.mediaType),
        });
    }
    return statements;
  }

  /** Reads the statements of a record that link to one of its statements, by kind. */
  async linkedTo({ model, iri }: ShownStatement): Promise<readonly ShownStatement[]> {
    const { store, ontology, queue, base } = this.parts;
    const properties = linksTo(ontology, model.iri);
    if (properties.length === 0) return [];
    const query = `SELECT DISTINCT ?s WHERE { GRAPH ?s { ?s ${iriText(sp.belongsTo)} ${iriText(recordIri(base, this.record))} ; ?p ${iriText(iri)} } VALUES ?p { ${properties.map(iriText).join(' ')} } } LIMIT ${MAX_LINKED}`;
    const rows = await queue.run('links', () => store.select(query, [recordPart(this.record)]));
    const iris = rows.flatMap(({ s }) => s?.value ?? []);
    const found: ShownStatement[] = [];
    for (const kind of kindsOf(ontology)) {
      const template = PathTemplate.of((kind.item ?? kind.call).path);
      const own = iris.filter((each) => template.match(each.slice(base.length)));
      found.push(...(await this.known(kind, own)));
    }
    return found;
  }

  /** Adds who added each statement, if an app or a person did. */
  withAuthors(statements: readonly ShownStatement[]): ShownStatement[] {
    const { primary, base } = this.parts;
    return primary.directory.read((tx) =>
      statements.map((each) => ({ ...each, by: addedBy(tx, each.iri.slice(base.length)) })),
    );
  }

  /** Parts the members of a kind into what holds now and what is past, each the latest first. */
  async current(kind: Kind) {
    const { members, total } = await this.find(kind, { limit: String(WHOLE) });
    return { ...this.parted(members), total, isKnown: members.length === total };
  }

  parted(members: ListMembers['members']) {
    const { ontology } = this.parts;
    const today = new Date(this.now).toISOString().slice(0, 10);
    const past = new Set(
      members.filter(({ until, status }) => isOver(until, today) || saysOver(ontology, status)),
    );
    const lasting = members.filter((member) => !past.has(member)).map(({ iri }) => iri);
    return { lasting, past: Array.from(past, ({ iri }) => iri) };
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
