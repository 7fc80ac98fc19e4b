import type { CallModel, Ontology } from '../../ontology/model.js';
import { dateOfInstant, LIST_INSTANT } from '../../query/index/list-index.js';
import type { QueryTemplate, Values } from '../../query/template.js';
import type { Quad } from '../../rdf/terms.js';
import type { GraphStore } from '../../store/graph-store.js';
import { ontologyIri, recordIri } from '../resource-paths.js';
import { boundFilters, type Given } from './arguments.js';
import { chosenPage, COLUMNS, usableIndex, type ChosenPage } from './chosen-page.js';
import { chosenRows } from './chosen-rows.js';
import { LARGEST_PAGE, readPage } from './page.js';
import { readThere, scopeOfList } from './read-known.js';
import { searched } from './searched.js';
import { reachIn, storedMembers, storedStatements } from './stored-list.js';

/** What lists are read from. */
export type ReadStore = Pick<GraphStore, 'base' | 'select' | 'construct' | 'find' | 'stored'>;

/** A list call with everything that the request says. */
export interface ListRequest {
  readonly call: CallModel;
  readonly query: QueryTemplate;
  readonly values: Values;
  readonly given: Given;
  /** False where nobody asks for the total: with more pages to come it is then only the least that it can be. */
  readonly counted?: boolean;
  /** The IRIs of the only members that may be shown; undefined where all may. */
  readonly only?: readonly string[] | undefined;
  /** What is read of members while they are chosen. */
  readonly dates?: MemberDates | undefined;
  /** Whether what a long list says is left to `readLongList`. */
  readonly isBrief?: boolean | undefined;
}

/** The properties that hold when members were or began, when they ended, and the coded value of where they stand. */
export interface MemberDates {
  readonly date: readonly string[];
  readonly until: readonly string[];
  readonly status: readonly string[];
}

/** A member of a list with its dates (ISO 8601) and the IRI of the code of its status, where it has some. */
export interface Member {
  readonly iri: string;
  readonly date?: string | undefined;
  readonly until?: string | undefined;
  readonly status?: string | undefined;
}

/** The members of a page of a list, in its order. */
export interface ListMembers {
  readonly members: readonly Member[];
  readonly total: number;
}

/** The answer to a list call: the page in its order, and the graph of its statements with their neighbours. */
export interface ListAnswer {
  readonly quads: Quad[];
  readonly order: string[];
  readonly total: number;
  /** What `nextPageUrl` needs, when there is more. */
  readonly next: { limit: number; offset: number } | undefined;
  /** Whether its statements are more than are read and written in a few milliseconds, and were not read. */
  readonly isLong?: boolean;
}

/**
 * Answers a list call: from the graphs as they are stored where its query asks for them, and where nothing is to be
 * filtered. Otherwise filters, order (see `query/list-order.ts`) and page are part of the SPARQL text; the store does the
 * work.
 * @throws Problem invalid-parameter
 */
export async function readList(
  store: ReadStore,
  ontology: Ontology,
  request: ListRequest,
): Promise<ListAnswer> {
  const { query, values, only } = request;
  const page = chosenPage(ontology, store.base, request);
  if (only?.length === 0) return { quads: [], order: [], total: 0, next: undefined };
  const found = await searched(store, ontology, request, page);
  if (found) return found;
  const whole = await storedPage(store, ontology, request, page);
  if (whole) return whole;
  const { limit, offset, filters } = page;
  const scope = scopeOfList(ontology, request);
  const isStored = store.stored !== undefined && query.neighbours !== undefined;
  const mayBeLong = isStored && request.isBrief === true;
  const { rows, total, isLong } = await chosenRows(store, page, request, { scope, mayBeLong });
  const members = rows.flatMap((row) => row[query.variable ?? ''] ?? []);
  const order = members.map(({ value }) => value);
  const next = limit !== undefined && offset + order.length < total ? { limit, offset } : undefined;
  if (isLong) return { quads: [], order, total, next, isLong };
  // What was chosen is not chosen a second time, unless it takes longer to name than to find: more than any page holds.
  const isCut = limit !== undefined || offset > 0;
  if (isStored || isCut || members.length <= LARGEST_PAGE) {
    const { quads, there } = await readThere(store, ontology, request, order);
    return { quads, order: there, total: total - (order.length - there.length), next };
  }
  return { quads: await store.construct(query.bind(values, { filters }), scope), order, total, next };
}

/**
 * A page of a list that asks for nothing but statements of some classes, and all that they and what they link to say: by
 * the graphs as they are stored, so that no query is run.
 * @returns undefined for any other list, and for one that is too long to be found so
 */
async function storedPage(
  store: ReadStore,
  ontology: Ontology,
  request: ListRequest,
  { limit, offset, filters }: ChosenPage,
): Promise<ListAnswer | undefined> {
  const { neighbours } = request.query;
  const index = usableIndex(ontology, request);
  const record = request.values['record_id']?.value;
  if (!store.stored || filters.length > 0 || !index || !neighbours || !record) return undefined;
  return store.stored((graphs) => {
    const all = storedMembers(graphs, ontology, store.base, record, index, limit);
    if (!all) return undefined;
    const end = limit === undefined ? all.length : offset + limit;
    const order = all.slice(offset, end);
    const reach = reachIn(store.base, recordIri(store.base, record), scopeOfList(ontology, request));
    const quads = storedStatements(graphs, order, neighbours, reach);
    const next = limit !== undefined && end < all.length ? { limit, offset } : undefined;
    return { quads, order, total: all.length, next };
  });
}

/**
 * The members that a list call finds, each once, without what is said of them but their dates. Where the engine sorts
 * them, one with several dates takes so many places of a limit.
 * @throws Problem invalid-parameter
 */
export async function readMembers(
  store: ReadStore,
  ontology: Ontology,
  request: ListRequest,
): Promise<ListMembers> {
  const page = chosenPage(ontology, store.base, request);
  const scope = scopeOfList(ontology, request);
  const { rows, total } = await chosenRows(store, page, request, { scope });
  const [DATE, UNTIL, STATUS] = COLUMNS;
  const members = rows.map((row) => {
    const instant = row[LIST_INSTANT]?.value;
    const date = row[DATE]?.value ?? (instant === undefined ? undefined : dateOfInstant(instant));
    const iri = row[request.query.variable ?? '']?.value ?? '';
    return { iri, date, until: row[UNTIL]?.value, status: row[STATUS]?.value };
  });
  return { members, total };
}

/** Whether the parameters of a list can be used, without asking the store. @throws Problem invalid-parameter */
export function checkList({ call, query, given }: ListRequest): void {
  readPage(given);
  boundFilters(call, given, query.variable ?? '', ontologyIri(''));
}
