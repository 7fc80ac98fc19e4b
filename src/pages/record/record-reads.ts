import { setImmediate } from 'node:timers/promises';
import type { Accounts } from '../../access/accounts/accounts.js';
import type { Flow } from '../../access/oauth/flow.js';
import { Graph } from '../../model/ontology/graph.js';
import { isA, linkRules, type CallModel, type Ontology } from '../../model/ontology/model.js';
import { PathTemplate } from '../../model/ontology/path-template.js';
import { addTo } from '../../rdf/by-key.js';
import type { Quad } from '../../rdf/terms.js';
import { fileOf } from '../../records/documents/content-key.js';
import { describeDocuments } from '../../records/documents/describe-documents.js';
import type { ListMembers } from '../../records/lists/list.js';
import { LARGEST_PAGE } from '../../records/lists/page-limits.js';
import { recordIri } from '../../records/resource-paths.js';
import { kindsOf, type Kind } from '../shown/statement-kinds.js';
import type { ShownStatement } from '../shown/shown-statement.js';
import { isOver, saysOver } from '../shown/timeline.js';
import { sp } from '../../rdf/vocabulary.js';
import { StatementReader } from '../shown/statement-reader.js';
import type { LongGraphs } from '../../http/handlers/long-graphs.js';
import type { ListArguments, RecordData } from '../../http/record-data.js';
import type { RecordedReads } from '../../http/recorded-reads.js';
import { withClosedLinks } from './closed-links.js';
import type { AllSettings } from '../../http/serve-settings.js';

export interface RecordParts {
  readonly ontology: Ontology;
  readonly base: string;
  readonly people: RecordedReads;
  readonly longGraphs: LongGraphs;
  readonly accounts: Pick<Accounts, 'user' | 'removedUser' | 'mayOpen' | 'listEmergencies'>;
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

/** Members of a kind that a page looks at. */
const MOST_MEMBERS = 5000;
/** Members of one moment that are read. */
const MOST_TOGETHER = 10;
/** Statements read in a turn. */
const BATCH = 100;

export const irisOf = (all: readonly { readonly iri: string }[]): string[] => all.map(({ iri }) => iri);

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

/** Reads a record's statements by kind, with the queries of apps. */
export class RecordReads {
  constructor(
    private readonly parts: Pick<RecordParts, 'ontology' | 'base'>,
    readonly data: RecordData,
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

  /** Finds the latest members of a kind, as many as a page looks at. @throws Problem invalid-parameter */
  async findMany(kind: Kind, given: ListArguments = {}): Promise<ListMembers> {
    const limit = String(LARGEST_PAGE);
    const found = await this.find(kind, { ...given, limit });
    const members = [...found.members];
    while (members.length < Math.min(found.total, MOST_MEMBERS)) {
      const next = await this.find(kind, { ...given, limit, offset: String(members.length) });
      if (next.members.length === 0) break;
      members.push(...next.members);
    }
    return { members, total: found.total };
  }

  /** Reads statements, many of them in several turns of the event loop. */
  async known({ call, item }: Kind, iris: readonly string[]): Promise<readonly ShownStatement[]> {
    if (iris.length === 0) return [];
    if (call.cardinality === 'single') return (await this.item(call)).reader.statements(iris);
    const statements: ShownStatement[] = [];
    const isDocument = (item ?? call).answer === 'document';
    for (let at = 0; at < iris.length; at += BATCH) {
      if (at > 0) await setImmediate();
      const batch = iris.slice(at, at + BATCH);
      const quads = await this.data.known(call, batch);
      const { reader, stored } = await this.#read(call, quads, batch, batch.length);
      for (const statement of reader.statements(batch))
        statements.push(
          isDocument
            ? { ...statement, isPicture: isPicture(fileOf(stored, statement.iri)?.mediaType) }
            : statement,
        );
    }
    return withClosedLinks(this.parts.ontology, this.data, statements);
  }

  /**
   * Finds the latest members for each thing that is measured, by its code, each with those of its moment and the one before; members of which
   * no code tells what they measure are all among the latest.
   */
  async latestOfEach(kind: Kind, members: ListMembers['members']) {
    const keys = await this.#measuredBy(kind);
    const found = new Map<string, string[]>();
    const latest = new Set<string>();
    for (const { iri } of members) {
      const own = keys.get(iri) ?? [];
      if (own.length === 0 || own.some((key) => !found.has(key))) latest.add(iri);
      for (const key of own) addTo(found, key, iri);
    }
    const dates = new Map(members.map(({ iri, date }) => [iri, date]));
    const before = (iris: ReadonlySet<string>): string[] =>
      [...found.values()].flatMap(([first = '', ...others]) => {
        if (!iris.has(first)) return [];
        // Those of the same moment, and of the one before.
        const moments = new Set(
          others.map((iri) => dates.get(iri)).filter((date) => date !== dates.get(first)),
        );
        const [previous] = moments;
        return others
          .filter((iri) => [dates.get(first), previous].includes(dates.get(iri)))
          .slice(0, MOST_TOGETHER)
          .filter((iri) => !latest.has(iri));
      });
    /** Of some of the latest, finds all members that measure the same. */
    const alike = (iris: Iterable<string>): string[] => {
      const same = new Set(
        [...iris].flatMap((iri) => [iri, ...(keys.get(iri) ?? []).flatMap((key) => found.get(key) ?? [])]),
      );
      return irisOf(members).filter((iri) => same.has(iri));
    };
    return { latest, before, alike };
  }

  /** Finds what members measure: by IRI, keys of properties and codes. */
  async #measuredBy({ call, model, measures }: Kind): Promise<ReadonlyMap<string, readonly string[]>> {
    const [title] = model.shown.title;
    const path = title === undefined ? [] : [title, sp.code];
    const keys = new Map<string, string[]>();
    for (const { p, what, iris } of await this.data.having(call, measures, path))
      for (const iri of iris?.value.split(' ') ?? []) addTo(keys, iri, `${p?.value} ${what?.value}`);
    return keys;
  }

  /** Finds the statements of a record that link to one of its statements: their IRIs. */
  async linking({ model, iri }: Pick<ShownStatement, 'model' | 'iri'>): Promise<readonly string[]> {
    const properties = linksTo(this.parts.ontology, model.iri);
    return properties.length === 0 ? [] : this.data.linking(iri, properties);
  }

  /** Reads the statements of a record that link to one of its statements, by kind. */
  async linkedTo(statement: ShownStatement): Promise<readonly ShownStatement[]> {
    const { ontology, base } = this.parts;
    const iris = await this.linking(statement);
    const found: ShownStatement[] = [];
    for (const kind of kindsOf(ontology)) {
      const template = PathTemplate.of((kind.item ?? kind.call).path);
      const own = iris.filter((each) => template.match(each.slice(base.length)));
      found.push(...(await this.known(kind, own)));
    }
    return found;
  }

  /** Parts the members of a kind into what holds now and what is past, each the latest first. */
  async current(kind: Kind) {
    const { members, total } = await this.findMany(kind);
    return { ...this.parted(members), total, isKnown: members.length === total };
  }

  get today(): string {
    return new Date(this.now).toISOString().slice(0, 10);
  }

  parted(members: ListMembers['members']) {
    const { ontology } = this.parts;
    const { today } = this;
    const past = new Set(
      members.filter(({ until, status }) => isOver(until, today) || saysOver(ontology, status)),
    );
    const lasting = members.filter((member) => !past.has(member)).map(({ iri }) => iri);
    return { lasting, past: Array.from(past, ({ iri }) => iri) };
  }

  /** Reads one statement, if it exists. @param id if its path contains one */
  async item(call: CallModel, id = ''): Promise<ReadStatements> {
    const { quads, resource } = await this.data.item(call, id);
    return this.#read(call, quads, quads.length === 0 ? [] : [resource], quads.length === 0 ? 0 : 1);
  }

  #hasNone({ segments }: Kind): boolean {
    return segments.length > 0 && segments.every((segment) => this.data.wasNever(segment));
  }

  async #read({ target }: CallModel, found: readonly Quad[], order: readonly string[], total: number) {
    const { base, ontology } = this.parts;
    const quads = isA(ontology, target, sp.Document) ? describeDocuments(found) : found;
    const reader = new StatementReader(
      ontology,
      new Graph(quads),
      recordIri(base, this.data.record),
      this.now,
    );
    return { quads, stored: found, reader, order, total };
  }
}
