import type { Ontology } from '../../model/ontology/model.js';
import {
  fromListIndex,
  LIST_INSTANT,
  listIndexOf,
  type ChosenInstants,
  type ListIndex,
} from '../../model/query/index/list-index.js';
import { listOrder } from '../../model/query/list-order.js';
import { iriText, writeSparqlTerm } from '../../model/query/sparql-term.js';
import { namedNode } from '../../rdf/terms.js';
import { sp } from '../../rdf/vocabulary.js';
import { ontologyIri } from '../resource-paths.js';
import { boundFilters } from './arguments.js';
import type { ListRequest, MemberDates } from './list.js';
import { LARGEST_PAGE, readPage } from './page-limits.js';

const COUNTED_WITH_PAGE = 2000;
const COUNTED_WITH_INDEXED = 100;

export interface PageQueries {
  readonly limit: number | undefined;
  readonly offset: number;
  readonly filters: readonly string[];
  /** All members in any order (`indexed`), or the page and some more (`sorted`). */
  members(): string;
  /** For indexed lists: the engine is slow at sorting all members for one page. */
  readonly indexed?: {
    instants(): string;
    membersAt(chosen: ChosenInstants): string;
  };
  readonly sorted?: {
    readonly most: number | undefined;
    count(): string;
  };
}

/** Builds the queries of a list's page. @throws Problem invalid-parameter */
export function pageQueries(ontology: Ontology, base: string, request: ListRequest): PageQueries {
  const { call, query, values, given, only, dates, counted = true } = request;
  const variable = query.variable;
  if (variable === undefined) throw new Error(`the query of ${call.name} is no list`);
  // Searches cover all records, so they are always paged.
  const { limit, offset } = readPage(given, call.scope === 'container' ? LARGEST_PAGE : undefined);
  // FILTER, since VALUES with a LIMIT in a sub-select misleads the engine's planner.
  const restriction = only && [`FILTER(?${variable} IN (${only.map(iriText).join(', ')}))`];
  const filters = [...boundFilters(call, given, variable, ontologyIri(base)), ...(restriction ?? [])];
  const page = { limit, offset, filters };
  const index = usableIndex(ontology, request);
  const record = values['record']?.value;
  const indexed = index && record !== undefined ? { index, record } : undefined;
  const columns = [...(dates ? COLUMNS : []), ...(indexed ? [LIST_INSTANT] : [])];
  const beside = besides(variable, indexed ? datesBeside(indexed.index, dates) : dates);
  if (indexed && filters.length === 0) {
    const patternOf = (chosen?: ChosenInstants): string =>
      fromListIndex(indexed.record, indexed.index, variable, chosen).pattern;
    const membersAt = (chosen?: ChosenInstants): string =>
      query.select(values, { pattern: patternOf(chosen), sort: beside.join(' '), columns });
    const instants = (): string => query.gather(values, patternOf(), LIST_INSTANT);
    return { ...page, members: () => membersAt(), indexed: { instants, membersAt } };
  }
  const order = indexed
    ? { ...fromListIndex(indexed.record, indexed.index, variable), sort: '' }
    : { ...listOrder(ontology, call, variable), pattern: undefined };
  const more = !counted || dates ? 1 : indexed ? COUNTED_WITH_INDEXED : COUNTED_WITH_PAGE;
  const most = limit === undefined ? undefined : limit + more;
  const ends = { ...(most === undefined ? {} : { limit: most }), ...(offset === 0 ? {} : { offset }) };
  const sort = [order.sort, ...beside].join(' ');
  const members = (): string => query.select(values, { filters, ...order, sort, columns, ...ends });
  const count = (): string => query.count(values, { filters, pattern: order.pattern });
  return { ...page, members, sorted: { most, count } };
}

export const COLUMNS = ['list_date', 'list_until', 'list_status'] as const;

function datesBeside(index: ListIndex, dates: MemberDates | undefined): MemberDates | undefined {
  const isInIndex = dates?.date.every((property) => index.dates.includes(property)) ?? false;
  return dates && isInIndex ? { ...dates, date: [] } : dates;
}

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

/** Returns the index that holds exactly what a list's query selects. */
export function usableIndex(ontology: Ontology, { call, query }: ListRequest): ListIndex | undefined {
  const { members, classes } = query.plan;
  const index = members === 'record' ? listIndexOf(ontology, call) : undefined;
  const isSame =
    index?.classes.length === classes.length && index.classes.every((iri) => classes.includes(iri));
  return isSame ? index : undefined;
}
