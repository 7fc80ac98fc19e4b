import type { CallModel, Ontology } from '../../ontology/model.js';
import { fromListIndex, listIndexOf } from '../../query/index/list-index.js';
import { listOrder } from '../../query/list-order.js';
import { writeSparqlTerm } from '../../query/sparql-term.js';
import type { ListOptions, QueryTemplate, Values } from '../../query/template.js';
import { namedNode, type Quad } from '../../rdf/terms.js';
import type { GraphStore } from '../../store/graph-store.js';
import type { Scope } from '../../store/parts.js';
import { scopeOf } from '../record-partition.js';
import { ontologyIri } from '../resource-paths.js';
import { boundFilters, type Given } from './arguments.js';
import { LARGEST_PAGE, readPage } from './page.js';

/**
 * So many members beyond a page are found with it where the total is asked for: to name them costs less than to go
 * through all of the record once more to count them.
 */
const COUNTED_WITH_PAGE = 2000;
/** The same where they stand in an index: there they are counted in less time than so many more are named. */
const COUNTED_WITH_INDEXED = 100;

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
}

/** The answer to a list call: the page in its order, and the graph of its statements with their neighbours. */
export interface ListAnswer {
  readonly quads: Quad[];
  readonly order: string[];
  readonly total: number;
  /** What `nextPageUrl` needs, when there is more. */
  readonly next: { limit: number; offset: number } | undefined;
}

/** The page of a list that a request asks for. */
interface ChosenPage {
  readonly limit: number | undefined;
  readonly offset: number;
  /** Bound patterns, and what finds the members that they filter, where that is not the query's own pattern. */
  readonly filters: readonly string[];
  readonly pattern: string | undefined;
  /** How many members are found at most; undefined for all. */
  readonly most: number | undefined;
  /** The query for the members of the page, in their order. */
  readonly sparql: string;
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
  // One more than the page tells whether there is a next one.
  const more = !counted ? 1 : pattern === undefined ? COUNTED_WITH_PAGE : COUNTED_WITH_INDEXED;
  const most = limit === undefined ? undefined : limit + more;
  const ends = { ...(most === undefined ? {} : { limit: most }), ...(offset === 0 ? {} : { offset }) };
  const sparql = query.select(values, { filters, ...order, ...ends });
  return { limit, offset, filters, pattern, most, sparql };
}

/** How the members of a list are found in their order: in the index of lists where that has them. */
function orderedMembers(
  ontology: Ontology,
  { call, query, values }: ListRequest,
  variable: string,
): Pick<ListOptions, 'pattern' | 'sort' | 'orderBy'> {
  const record = values['record'];
  const index = query.listed === call.target ? listIndexOf(ontology, call) : undefined;
  return record && index ? fromListIndex(record.value, index, variable) : listOrder(ontology, call, variable);
}

/**
 * Answers a list call. Filters, order (see `query/list-order.ts`) and page are part of the SPARQL text; the store
 * does the work.
 * @throws Problem invalid-parameter
 */
export async function readList(
  store: GraphStore,
  ontology: Ontology,
  request: ListRequest,
): Promise<ListAnswer> {
  const { call, query, values, counted = true, only } = request;
  const page = chosenPage(ontology, store.base, request);
  const { limit, offset, filters, pattern } = page;
  if (only?.length === 0) return { quads: [], order: [], total: 0, next: undefined };
  const scope = scopeOf(ontology, call, values['record_id']?.value);
  const rows = await store.select(page.sparql, scope);
  const members = rows.slice(0, limit).flatMap((row) => row[query.variable ?? ''] ?? []);
  const more = rows.length > members.length;
  // Where the rows have an end, and begin anywhere, they tell the total.
  const hasEnd = page.most === undefined || rows.length < page.most;
  const isKnown = counted && hasEnd && (rows.length > 0 || offset === 0);
  const total =
    isKnown || !counted
      ? offset + rows.length
      : await count(store, query.count(values, { filters, pattern }), scope);
  // What was chosen is not chosen a second time, unless it takes longer to name than to find: more than any page holds.
  const isCut = limit !== undefined || offset > 0;
  const isNamed = isCut || members.length <= LARGEST_PAGE;
  const sparql = isNamed ? query.known(values, members) : query.bind(values, { filters });
  const quads = members.length === 0 ? [] : await store.construct(sparql, scope);
  const next = limit !== undefined && more ? { limit, offset } : undefined;
  return { quads, order: members.map(({ value }) => value), total, next };
}

/** A filter, and no VALUES: those with a LIMIT in a sub-select have given the engine's planner wrong ideas. */
function restriction(variable: string, only: readonly string[] | undefined): string[] {
  if (only === undefined) return [];
  return [`FILTER(?${variable} IN (${only.map((iri) => writeSparqlTerm(namedNode(iri))).join(', ')}))`];
}

/** Whether the parameters of a list can be used, without asking the store. @throws Problem invalid-parameter */
export function checkList({ call, query, given }: ListRequest): void {
  readPage(given);
  boundFilters(call, given, query.variable ?? '', ontologyIri(''));
}

async function count(store: GraphStore, sparql: string, scope: Scope | undefined): Promise<number> {
  const [row] = await store.select(sparql, scope);
  return Number(row?.['count']?.value ?? 0);
}
