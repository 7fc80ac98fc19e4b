import type { Ontology } from '../../ontology/model.js';
import {
  fromListIndex,
  LIST_INSTANT,
  listIndexOf,
  type ChosenInstants,
  type ListIndex,
} from '../../query/index/list-index.js';
import { listOrder } from '../../query/list-order.js';
import { iriText, writeSparqlTerm } from '../../query/sparql-term.js';
import { namedNode } from '../../rdf/terms.js';
import { sp } from '../../rdf/vocabulary.js';
import { ontologyIri } from '../resource-paths.js';
import { boundFilters } from './arguments.js';
import type { ListRequest, MemberDates } from './list.js';
import { LARGEST_PAGE, readPage } from './page.js';

/**
 * So many members beyond a page are found with it where the total is asked for: to name them costs less than to go
 * through all of the record once more to count them.
 */
const COUNTED_WITH_PAGE = 2000;
/** The same where they stand in an index: there they are counted in less time than so many more are named. */
const COUNTED_WITH_INDEXED = 100;

/** The page of a list that a request asks for. */
export interface ChosenPage {
  readonly limit: number | undefined;
  readonly offset: number;
  /** Bound patterns. */
  readonly filters: readonly string[];
  /** The query for members: all in any order where they are `indexed`, those of the page and some more where they are `sorted`. */
  sparql(): string;
  /** How a page is found whose list stands in the index, since the engine is slow at sorting all members for any page. */
  readonly indexed: IndexedPage | undefined;
  /** How one is found that the engine sorts: any other, and one with filters. */
  readonly sorted: SortedPage | undefined;
}

interface IndexedPage {
  /** The query for the instants of all members, as one text. */
  instants(): string;
  /** The query for the members of some instants, in any order. */
  membersAt(chosen: ChosenInstants): string;
}

interface SortedPage {
  /** How many members are found at most; undefined for all. */
  readonly most: number | undefined;
  /** The query for the number of all. */
  count(): string;
}

/**
 * What the store is asked to find the members of a page.
 * @param base the base URL of the container
 * @throws Problem invalid-parameter
 */
export function chosenPage(ontology: Ontology, base: string, request: ListRequest): ChosenPage {
  const { call, query, values, given, only, dates, counted = true } = request;
  const variable = query.variable;
  if (variable === undefined) throw new Error(`the query of ${call.name} is no list`);
  // Searches reach over all records, so their answers are always cut into pages.
  const { limit, offset } = readPage(given, call.scope === 'container' ? LARGEST_PAGE : undefined);
  const filters = [...boundFilters(call, given, variable, ontologyIri(base)), ...restriction(variable, only)];
  const index = usableIndex(ontology, request);
  const record = values['record']?.value;
  const indexed = index && record !== undefined ? { index, record } : undefined;
  const columns = [...(dates ? COLUMNS : []), ...(indexed ? [LIST_INSTANT] : [])];
  if (indexed && filters.length === 0) {
    const sort = besides(variable, datesBeside(indexed.index, dates)).join(' ');
    const patternOf = (chosen?: ChosenInstants): string =>
      fromListIndex(indexed.record, indexed.index, variable, chosen).pattern;
    const membersAt = (chosen?: ChosenInstants): string =>
      query.select(values, { pattern: patternOf(chosen), sort, columns });
    // Made where they are asked for: most lists are answered without them.
    const sparql = (): string => membersAt();
    const instants = (): string => query.gather(values, patternOf(), LIST_INSTANT);
    return { limit, offset, filters, sparql, indexed: { instants, membersAt }, sorted: undefined };
  }
  const order = indexed
    ? { ...fromListIndex(indexed.record, indexed.index, variable), sort: '' }
    : { ...listOrder(ontology, call, variable), pattern: undefined };
  // One more than the page tells whether there is a next one.
  const more = !counted || dates ? 1 : indexed ? COUNTED_WITH_INDEXED : COUNTED_WITH_PAGE;
  const most = limit === undefined ? undefined : limit + more;
  const ends = { ...(most === undefined ? {} : { limit: most }), ...(offset === 0 ? {} : { offset }) };
  const beside = besides(variable, indexed ? datesBeside(indexed.index, dates) : dates);
  const sort = [order.sort, ...beside].join(' ');
  const sparql = (): string => query.select(values, { filters, ...order, sort, columns, ...ends });
  const count = (): string => query.count(values, { filters, pattern: order.pattern });
  return { limit, offset, filters, sparql, indexed: undefined, sorted: { most, count } };
}

/** The variables that hold the dates of members and the code of their status. */
export const COLUMNS = ['list_date', 'list_until', 'list_status'] as const;

/** The dates that are read of each member: the index tells those that it orders by. */
function datesBeside(index: ListIndex, dates: MemberDates | undefined): MemberDates | undefined {
  const isTold = dates?.date.every((property) => index.dates.includes(property)) ?? false;
  return dates && isTold ? { ...dates, date: [] } : dates;
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

/** The index in which just those stand that the query of a list asks for. */
export function usableIndex(ontology: Ontology, { call, query }: ListRequest): ListIndex | undefined {
  const [index, listed] = [listIndexOf(ontology, call), query.listed];
  const isSame =
    index?.classes.length === listed?.length && index?.classes.every((iri) => listed?.includes(iri));
  return isSame ? index : undefined;
}

/** A filter, and no VALUES: those with a LIMIT in a sub-select have given the engine's planner wrong ideas. */
function restriction(variable: string, only: readonly string[] | undefined): string[] {
  if (only === undefined) return [];
  return [`FILTER(?${variable} IN (${only.map(iriText).join(', ')}))`];
}
