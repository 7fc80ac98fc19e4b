import type { CallModel, Ontology } from '../../ontology/model.js';
import { isSingleton } from '../../ontology/singleton.js';
import { Problem } from '../../problem.js';
import type { QueryTemplate } from '../../query/template.js';
import type { Quad } from '../../rdf/terms.js';
import { scopeOf } from '../../records/record-partition.js';
import type { ListRequest } from '../../records/lists/list.js';
import { reachIn, storedStatement } from '../../records/lists/stored-list.js';
import { requestTerms } from '../../records/resource-paths.js';
import type { GraphStore } from '../../store/graph-store.js';
import type { Scope } from '../../store/parts.js';
import type { Program } from '../app-parts.js';
import type { CallRequest } from '../request-context.js';

/** What the answer of a call is read with. */
export interface Reads extends Pick<Program, 'ontology' | 'queries'> {
  readonly store: GraphStore;
  /** The base URL without a trailing slash. */
  readonly base: string;
}

/** A call with the resource that it addresses. */
export type Addressed = Pick<CallRequest, 'path' | 'resource'> & { readonly call: CallModel };

/** What a request addresses. */
export function addressed({ route, path, resource }: CallRequest): Addressed {
  return { call: route.call, path, resource };
}

/** The query of a call; the check at start has made sure that there is one. */
export function queryOf({ queries }: Pick<Reads, 'queries'>, call: CallModel): QueryTemplate {
  const query = queries.get(call.name);
  if (!query) throw new Error(`${call.name} has no query`);
  return query;
}

/** What the list of a call is asked with. @param given the values of its parameters and filters */
export function listRequestOf(
  reads: Pick<Reads, 'queries' | 'base'>,
  asked: Addressed,
  given: ListRequest['given'],
): ListRequest {
  const { call } = asked;
  return { call, query: queryOf(reads, call), values: requestTerms(asked, reads.base), given };
}

/** What the query of a call constructs; no query is run where that is a graph, or a statement, as it is stored. */
export function construct(reads: Reads, asked: Addressed): Promise<Quad[]> {
  const { store } = reads;
  const query = queryOf(reads, asked.call);
  const values = requestTerms(asked, reads.base);
  if (store.stored && query.asksForGraph)
    return store.stored((graphs) => graphs.quads(graphs.ntriples(asked.resource) ?? ''));
  const [shape, record] = [query.statement, values['record']?.value];
  if (store.stored && shape && record !== undefined)
    return store.stored((graphs) =>
      storedStatement(graphs, asked.resource, shape, reachIn(store.base, record, scopeAt(reads, asked))),
    );
  return store.construct(query.bind(values), scopeAt(reads, asked));
}

/** Where the query of a call finds what it addresses. */
function scopeAt({ ontology, base }: Reads, { call, path, resource }: Addressed): Scope | undefined {
  return scopeOf(ontology, call, path['record_id'], resource.slice(base.length));
}

/**
 * The graph of the one resource of a call, empty where a record has none at a place that every record has.
 * @throws Problem not-found
 */
export async function readSingle(reads: Reads, asked: Addressed): Promise<Quad[]> {
  const found = await construct(reads, asked);
  if (found.length === 0 && !isSingleton(asked.call)) throw noSuchResource();
  return found;
}

export const noSuchResource = (): Problem => new Problem('not-found', 'There is no such resource.');

/** The GET call whose query reads what a call writes: of the same path, else of one instance of the same class. */
export function readingCall({ calls }: Ontology, { path, target }: CallModel): CallModel {
  const reads = calls.filter(({ method, cardinality }) => method === 'GET' && cardinality === 'single');
  const found = reads.find((call) => call.path === path) ?? reads.find((call) => call.target === target);
  if (!found) throw new Error(`no call reads what is written at ${path}`);
  return found;
}
