import type { Context } from 'koa';
import { Problem } from '../../problem.js';
import type { Quad } from '../../rdf/terms.js';
import { readList } from '../../records/lists/list.js';
import { nextPageUrl } from '../../records/lists/page.js';
import { responseSummary } from '../../records/lists/summary.js';
import { bindings } from '../bindings.js';
import type { AllowedCall, Answer } from '../calls.js';
import type { ContainerContext } from '../container-context.js';
import { queryOf, requireRecord } from '../resources.js';
import { sendGraph } from '../send-graph.js';

/** Answers a GET with the graph that the query of the call constructs: one resource, or a list of statements. */
export function answerRdf(container: ContainerContext): Answer {
  return async (context, request) => {
    await requireRecord(container, request);
    await sendGraph(container, context, request, () => readGraph(container, context, request));
  };
}

/**
 * The graph that a GET call answers with; a list says on the context where its next page is.
 * @throws Problem not-found for a single resource that is not there
 */
export function readGraph(
  container: ContainerContext,
  context: Context,
  request: AllowedCall,
): Promise<Quad[]> {
  return request.call.cardinality === 'multiple'
    ? list(container, context, request)
    : readSingle(container, request);
}

/** The graph of the one resource of a call. @throws Problem not-found */
export async function readSingle(container: ContainerContext, request: AllowedCall): Promise<Quad[]> {
  const query = queryOf(container, request.call);
  const found = await container.store.construct(query.bind(bindings(request, container.base)));
  if (found.length === 0) throw new Problem('not-found', 'There is no such resource.');
  return found;
}

async function list(container: ContainerContext, context: Context, request: AllowedCall): Promise<Quad[]> {
  const { call, query: parameters, resource, pairs } = request;
  const query = queryOf(container, call);
  const values = bindings(request, container.base);
  // Specification 4.1: a search answers with nothing but the elements that match.
  const isSearch = call.scope === 'container';
  const answer = await readList(container.store, container.ontology, {
    call,
    query,
    values,
    given: parameters.declared,
    counted: !isSearch,
  });
  const nextPageURL = answer.next && nextPageUrl(resource + trailing(call.path), pairs, answer.next);
  if (nextPageURL !== undefined) context.set('Link', `<${nextPageURL}>; rel="next"`);
  if (isSearch) return answer.quads;
  return [...answer.quads, ...responseSummary({ total: answer.total, order: answer.order, nextPageURL })];
}

const trailing = (path: string): string => (path.endsWith('/') ? '/' : '');
