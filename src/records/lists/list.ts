import type { CallModel, Ontology } from '../../ontology/model.js';
import { newestFirst } from '../../query/date-index.js';
import type { QueryTemplate, Values } from '../../query/template.js';
import { writeSparqlTerm } from '../../query/sparql-term.js';
import { namedNode, type Quad } from '../../rdf/terms.js';
import type { GraphStore } from '../../store/graph-store.js';
import { boundFilters, type Given } from './arguments.js';
import { LARGEST_PAGE, readPage, type Page } from './page.js';

/** A list call with everything that the request says. */
export interface ListRequest {
  readonly call: CallModel;
  readonly query: QueryTemplate;
  readonly values: Values;
  readonly given: Given;
}

/** The answer to a list call: the page in its order, and the graph of its statements with their neighbours. */
export interface ListAnswer {
  readonly quads: Quad[];
  readonly order: string[];
  readonly total: number;
  /** What `nextPageUrl` needs, when there is more. */
  readonly next: { limit: number; offset: number } | undefined;
}

/**
 * Answers a list call. Filters, order and page are part of the SPARQL text; the store does the work.
 * Order: the call's default sort, newest first, statements without a value last, ties by IRI.
 * @throws Problem invalid-parameter
 */
export async function readList(
  store: GraphStore,
  ontology: Ontology,
  request: ListRequest,
): Promise<ListAnswer> {
  const { call, query, values, given } = request;
  const variable = query.variable;
  if (variable === undefined) throw new Error(`the query of ${call.name} is no list`);
  // Searches reach over all records, so their answers are always cut into pages.
  const page = readPage(given, call.scope === 'container' ? LARGEST_PAGE : undefined);
  const filters = boundFilters(call, given, variable);
  const sort = order(ontology, call, variable);
  const rows = await store.select(
    query.select(values, { filters: [...filters, ...sort.patterns], orderBy: sort.orderBy, ...limits(page) }),
  );
  const statements = rows.map((row) => row[variable]?.value ?? '');
  const total = isWhole(page, statements)
    ? statements.length
    : await count(store, query.count(values, { filters }));
  const quads = statements.length === 0 ? [] : await pageGraph(store, request, filters, sort, page);
  const { limit, offset } = page;
  const next = limit !== undefined && offset + limit < total ? { limit, offset } : undefined;
  return { quads, order: statements, total, next };
}

interface Sort {
  readonly patterns: string[];
  readonly orderBy: string;
}

function order(ontology: Ontology, { sortProperties }: CallModel, variable: string): Sort {
  if (sortProperties.length === 0) return { patterns: [], orderBy: `?${variable}` };
  if (sortProperties.every((iri) => ontology.properties.get(iri)?.valueType === 'date')) {
    const { pattern, orderBy } = newestFirst(sortProperties, variable);
    return { patterns: [pattern], orderBy };
  }
  const path = sortProperties.map((iri) => writeSparqlTerm(namedNode(iri))).join('|');
  const pattern = `OPTIONAL { GRAPH ?${variable} { ?${variable} ${path} ?sort_value } }`;
  return { patterns: [pattern], orderBy: `DESC(?sort_value) ?${variable}` };
}

const limits = ({ limit, offset }: Page): { limit?: number; offset?: number } => ({
  ...(limit === undefined ? {} : { limit }),
  ...(offset === 0 ? {} : { offset }),
});

const isWhole = ({ limit, offset }: Page, statements: string[]): boolean =>
  offset === 0 && (limit === undefined || statements.length < limit);

async function count(store: GraphStore, sparql: string): Promise<number> {
  const [row] = await store.select(sparql);
  return Number(row?.['count']?.value ?? 0);
}

function pageGraph(
  store: GraphStore,
  { query, values }: ListRequest,
  filters: string[],
  sort: Sort,
  page: Page,
): Promise<Quad[]> {
  // The graph has no order, so only a cut list has to be ordered again.
  const isCut = page.limit !== undefined || page.offset > 0;
  const options = isCut
    ? { filters: [...filters, ...sort.patterns], orderBy: sort.orderBy, ...limits(page) }
    : { filters };
  return store.construct(query.bind(values, options));
}
