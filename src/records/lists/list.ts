import type { CallModel, Ontology } from '../../ontology/model.js';
import {
  dateOfInstant,
  fromListIndex,
  LIST_INSTANT,
  listIndexOf,
  type ListIndex,
} from '../../query/index/list-index.js';
import { listOrder } from '../../query/list-order.js';
import { iriText, writeSparqlTerm } from '../../query/sparql-term.js';
import type { ListOptions, QueryTemplate, Values } from '../../query/template.js';
import { namedNode, type Quad } from '../../rdf/terms.js';
import { sp } from '../../rdf/vocabulary.js';
import type { GraphStore } from '../../store/graph-store.js';
import { ontologyIri, recordIri } from '../resource-paths.js';
import { boundFilters, type Given } from './arguments.js';
import { chosenRows } from './chosen-rows.js';
import { LARGEST_PAGE, readPage } from './page.js';
import { readThere, scopeOfList } from './read-known.js';
import { searched } from './searched.js';
import { reachIn, storedMembers, storedStatements } from './stored-list.js';

/**
 * So many members beyond a page are found with it where the total is asked for: to name them costs less than to go
 * through all of the record once more to count them.
 */
const COUNTED_WITH_PAGE = 2000;
/** The same where they stand in an index: there they are counted in less time than so many more are named. */
const COUNTED_WITH_INDEXED = 100;

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

/** The page of a list that a request asks for. */
export interface ChosenPage {
  readonly limit: number | undefined;
  readonly offset: number;
  /** Bound patterns, and what finds the members that they filter, where that is not the query's own pattern. */
  readonly filters: readonly string[];
  readonly pattern: string | undefined;
  /** How many members are found at most; undefined for all. */
  readonly most: number | undefined;
  /** The query for the members of the page, in their order; where `isWhole`, for all members in any order. */
  readonly sparql: string;
  readonly isWhole: boolean;
}

/**
 * What the store is asked to find the members of a page.
 * @param base the base URL of the container
 * @throws Problem invalid-parameter
 */
export function chosenPage(ontology: Ontology, base: string, request: ListRequest): ChosenPage {
  const { call, query, values, given, only, counted = true } = request;
  const variable = query.variable;
  if (variable === undefined) throw new Error(`the query of ${call.name} is no list`);
  // Searches reach over all records, so their answers are always cut into pages.
  const { limit, offset } = readPage(given, call.scope === 'container' ? LARGEST_PAGE : undefined);
  const filters = [...boundFilters(call, given, variable, ontologyIri(base)), ...restriction(variable, only)];
  const order = orderedMembers(ontology, request, variable);
  const { pattern } = order;
  // The engine sorts all members for any page and is slow at it, and the index tells of each by what it is sorted.
  const isWhole = pattern !== undefined && filters.length === 0;
  // One more than the page tells whether there is a next one.
  const more =
    !counted || request.dates ? 1 : pattern === undefined ? COUNTED_WITH_PAGE : COUNTED_WITH_INDEXED;
  const most = limit === undefined ? undefined : limit + more;
  const ends = { ...(most === undefined ? {} : { limit: most }), ...(offset === 0 ? {} : { offset }) };
  const beside = besides(variable, datesRead(ontology, request));
  const sort = [order.sort, ...beside].filter((part) => part !== undefined).join(' ');
  const columns = [
    ...(request.dates ? COLUMNS : []),
    ...(isWhole || (request.dates && pattern !== undefined) ? [LIST_INSTANT] : []),
  ];
  return {
    limit,
    offset,
    filters,
    pattern,
    most,
    isWhole,
    // Made where it is asked for: most lists are answered without it.
    get sparql() {
      return isWhole
        ? query.select(values, { pattern, sort, columns })
        : query.select(values, { filters, ...order, sort, columns, ...ends });
    },
  };
}

/** The variables that hold the dates of members and the code of their status. */
const COLUMNS = ['list_date', 'list_until', 'list_status'] as const;

/** The dates that are read of each member: the index tells those that it orders by. */
function datesRead(ontology: Ontology, request: ListRequest): MemberDates | undefined {
  const { dates } = request;
  const index = usableIndex(ontology, request);
  const isTold = index && dates && dates.date.every((property) => index.dates.includes(property));
  return isTold ? { ...dates, date: [] } : dates;
}

/** Binds dates and status beside the members; what a member says of itself stands in its own graph. */
function besides(
  variable: string,
  { date, until, status }: MemberDates = { date: [], until: [], status: [] },
): string[] {
  const pathTo = (properties: readonly string[]): string =>
    properties.map((iri) => writeSparqlTerm(namedNode(iri))).join('|');
  const code = status.length === 0 ? '' : `(${pathTo(status)})/${writeSparqlTerm(namedNode(sp.code))}`;
  return [pathTo(date), pathTo(until), code].flatMap((path, at) =>
    path === '' ? [] : [`OPTIONAL { GRAPH ?${variable} { ?${variable} ${path} ?${COLUMNS[at] ?? ''} } }`],
  );
}

/** How the members of a list are found in their order: in the index of lists where that has them. */
function orderedMembers(
  ontology: Ontology,
  request: ListRequest,
  variable: string,
): Pick<ListOptions, 'pattern' | 'sort' | 'orderBy'> {
  const record = request.values['record'];
  const index = usableIndex(ontology, request);
  return record && index
    ? fromListIndex(record.value, index, variable)
    : listOrder(ontology, request.call, variable);
}

/** The index in which just those stand that the query of a list asks for. */
function usableIndex(ontology: Ontology, { call, query }: ListRequest): ListIndex | undefined {
  const [index, listed] = [listIndexOf(ontology, call), query.listed];
  const isSame =
    index?.classes.length === listed?.length && index?.classes.every((iri) => listed?.includes(iri));
  return isSame ? index : undefined;
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
  const members = rows.slice(0, limit).flatMap((row) => row[query.variable ?? ''] ?? []);
  const more = rows.length > members.length;
  const order = members.map(({ value }) => value);
  const next = limit !== undefined && more ? { limit, offset } : undefined;
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
  { limit, offset, isWhole }: ChosenPage,
): Promise<ListAnswer | undefined> {
  const { neighbours } = request.query;
  const index = usableIndex(ontology, request);
  const record = request.values['record_id']?.value;
  if (!store.stored || !isWhole || !index || !neighbours || !record) return undefined;
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
 * The members that a list call finds, each once, without what is said of them but their dates. Where the store sorts
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
  const members = rows.slice(0, page.limit).map((row) => {
    const instant = row[LIST_INSTANT]?.value;
    const date = row[DATE]?.value ?? (instant === undefined ? undefined : dateOfInstant(instant));
    const iri = row[request.query.variable ?? '']?.value ?? '';
    return { iri, date, until: row[UNTIL]?.value, status: row[STATUS]?.value };
  });
  return { members, total };
}

/** A filter, and no VALUES: those with a LIMIT in a sub-select have given the engine's planner wrong ideas. */
function restriction(variable: string, only: readonly string[] | undefined): string[] {
  if (only === undefined) return [];
  return [`FILTER(?${variable} IN (${only.map(iriText).join(', ')}))`];
}

/** Whether the parameters of a list can be used, without asking the store. @throws Problem invalid-parameter */
export function checkList({ call, query, given }: ListRequest): void {
  readPage(given);
  boundFilters(call, given, query.variable ?? '', ontologyIri(''));
}
