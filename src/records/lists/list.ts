import type { CallModel, Ontology } from '../../model/ontology/model.js';
import { DESCENDANTS } from '../../model/query/bind-filter.js';
import { dateOfInstant, LIST_INSTANT } from '../../model/query/index/list-index.js';
import type { QueryTemplate, Values } from '../../model/query/template.js';
import { namedNode, type Quad } from '../../rdf/terms.js';
import type { GraphStore } from '../../store/graph-store.js';
import { SHARED, type Scope } from '../../store/parts.js';
import { scopeOf } from '../record-partition.js';
import { ontologyIri } from '../resource-paths.js';
import { boundFilters, type Given } from './arguments.js';
import { reachIn, readQuads, readTexts } from './graphs.js';
import { foundRows, listedMembers, storedMembers, type PageMembers } from './members.js';
import { LARGEST_PAGE, readPage } from './page-limits.js';
import { COLUMNS, pageQueries, usableIndex, type PageQueries } from './page-queries.js';

export type ReadStore = Pick<GraphStore, 'base' | 'select' | 'construct' | 'find' | 'stored'>;

export interface ListRequest {
  readonly call: CallModel;
  readonly query: QueryTemplate;
  readonly values: Values;
  readonly given: Given;
  /** If false, the total may be a lower bound when there are more pages. */
  readonly counted?: boolean;
  readonly only?: readonly string[] | undefined;
  readonly dates?: MemberDates | undefined;
  readonly isBrief?: boolean | undefined;
}

export interface MemberDates {
  readonly date: readonly string[];
  readonly until: readonly string[];
  readonly status: readonly string[];
}

/** A member of a list with its dates (ISO 8601) and the IRI of its status code. */
export interface Member {
  readonly iri: string;
  readonly date?: string | undefined;
  /** The first instant of its date, where that is from the index. */
  readonly begins?: string | undefined;
  readonly until?: string | undefined;
  readonly status?: string | undefined;
}

export interface ListMembers {
  readonly members: readonly Member[];
  readonly total: number;
}

/** A page in its order, and the graph of its statements. */
export interface ListAnswer extends PageMembers {
  readonly quads: Quad[];
  readonly isLong?: boolean;
}

/** Larger lists take more than ten milliseconds to read and write. */
const MAX_SHORT = 100;

/**
 * Answers a list call by its query's plan: finds the page's members, in the index or with the engine, then reads their
 * graphs.
 * @throws Problem invalid-parameter
 */
export async function readList(
  store: ReadStore,
  ontology: Ontology,
  request: ListRequest,
): Promise<ListAnswer> {
  const page = pageQueries(ontology, store.base, request);
  if (request.only?.length === 0) return { quads: [], order: [], total: 0, next: undefined };
  const short = await readShortList(store, ontology, request, page);
  if (short) return short;
  const scope = scopeOfList(ontology, request);
  let found = await listedMembers(store, ontology, request, page);
  if (!found) {
    const { order, ...rest } = await foundRows(store, page, request, scope);
    found = { ...rest, order: order.flatMap((row) => row[request.query.variable ?? '']?.value ?? []) };
  }
  const { query, values, isBrief = false } = request;
  const isStored = store.stored !== undefined && query.plan.along !== undefined;
  if (isBrief && isStored && found.order.length > MAX_SHORT) return { ...found, quads: [], isLong: true };
  // Naming the members is faster than selecting them again, except beyond the size of a page.
  const isWhole = page.limit === undefined && page.offset === 0 && found.order.length > LARGEST_PAGE;
  if (isWhole && !isStored)
    return { ...found, quads: await store.construct(query.bind(values, { filters: page.filters }), scope) };
  const { quads, there } = await readExisting(store, ontology, request, found);
  return { ...onlyExisting(found, there), quads };
}

async function readShortList(store: ReadStore, ontology: Ontology, request: ListRequest, page: PageQueries) {
  const index = usableIndex(ontology, request);
  const record = request.values['record_id']?.value;
  const expansion = expansionOf(store, request, scopeOfList(ontology, request));
  if (!store.stored || page.filters.length > 0 || !index || !expansion || !record) return undefined;
  return store.stored(async (graphs) => {
    const found = storedMembers(graphs, ontology, { base: store.base, record, index }, page);
    return found && { ...found, quads: (await readQuads(graphs, found.order, expansion)).quads };
  });
}

/** A list with its statements as chunks of UTF-8, absolute N-Triples; lines may repeat. */
export interface LongList extends PageMembers {
  readonly texts: readonly Uint8Array<ArrayBuffer>[];
}

/**
 * Reads a list that `readList` marked as long, without members removed since.
 * @param most bytes
 * @throws Problem invalid-parameter beyond that
 */
export async function readLongList(
  store: ReadStore,
  ontology: Ontology,
  request: ListRequest,
  found: PageMembers,
  most?: number,
): Promise<LongList> {
  const expansion = expansionOf(store, request, scopeOfList(ontology, request));
  if (!store.stored || !expansion) throw new Error('only graphs as they are stored make long lists');
  const { texts, there } = await store.stored((graphs) => readTexts(graphs, found.order, expansion, most));
  return { ...onlyExisting(found, there), texts };
}

function onlyExisting({ order, total, next }: PageMembers, there: readonly string[]): PageMembers {
  return { order: there, total: total - (order.length - there.length), next };
}

/** Answers a list call for members chosen earlier. */
export async function readKnown(
  store: ReadStore,
  ontology: Ontology,
  request: ListRequest,
  order: readonly string[],
): Promise<Quad[]> {
  return (await readExisting(store, ontology, request, { order })).quads;
}

async function readExisting(
  store: ReadStore,
  ontology: Ontology,
  request: ListRequest,
  { order, scope = scopeOfList(ontology, request) }: Pick<PageMembers, 'order' | 'scope'>,
): Promise<{ readonly quads: Quad[]; readonly there: readonly string[] }> {
  if (order.length === 0) return { quads: [], there: [] };
  const expansion = expansionOf(store, request, scope);
  if (store.stored && expansion) return store.stored((graphs) => readQuads(graphs, order, expansion));
  const known = request.query.known(
    request.values,
    order.map((iri) => namedNode(iri)),
  );
  return { quads: await store.construct(known, scope), there: order };
}

function expansionOf({ base }: ReadStore, { query, values }: ListRequest, scope: Scope | undefined) {
  const { along } = query.plan;
  return along && { along, reach: reachIn(base, values['record']?.value ?? '', scope) };
}

function scopeOfList(ontology: Ontology, { call, values, given }: ListRequest): Scope | undefined {
  const scope = scopeOf(ontology, call, values['record_id']?.value);
  return scope && given.has(DESCENDANTS) ? [...scope, SHARED] : scope;
}

/**
 * Returns the distinct members of a list with their dates only. If the engine sorts, a member with several dates counts
 * several times towards a limit.
 * @throws Problem invalid-parameter
 */
export async function readMembers(
  store: ReadStore,
  ontology: Ontology,
  request: ListRequest,
): Promise<ListMembers> {
  const page = pageQueries(ontology, store.base, request);
  const { order, total } = await foundRows(store, page, request, scopeOfList(ontology, request));
  const [DATE, UNTIL, STATUS] = COLUMNS;
  const members = order.map((row) => {
    const [date, instant] = [row[DATE]?.value, row[LIST_INSTANT]?.value];
    const begins = date === undefined && instant !== undefined ? dateOfInstant(instant) : undefined;
    const iri = row[request.query.variable ?? '']?.value ?? '';
    return { iri, date: date ?? begins, begins, until: row[UNTIL]?.value, status: row[STATUS]?.value };
  });
  return { members, total };
}

/** Checks the parameters of a list without the store. @throws Problem invalid-parameter */
export function checkList({ call, query, given }: ListRequest): void {
  readPage(given);
  boundFilters(call, given, query.variable ?? '', ontologyIri(''));
}
