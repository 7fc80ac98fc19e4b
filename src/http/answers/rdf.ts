import { Problem } from '../../problem.js';
import type { Quad } from '../../rdf/terms.js';
import { checkList, readList, type ListRequest } from '../../records/lists/list.js';
import { nextPageUrl } from '../../records/lists/page.js';
import { responseSummary } from '../../records/lists/response-summary.js';
import { bindings } from '../bindings.js';
import type { AllowedCall, Answer } from '../calls.js';
import type { ContainerContext } from '../container-context.js';
import { queryOf, requireRecord } from '../resources.js';
import type { SendAnswer } from '../kept/send-answer.js';
import { sendGraph, type FoundGraph, type GraphRecipe } from '../send-graph.js';

/** Answers a GET with the graph that the query of the call constructs: one resource, or a list of statements. */
export function answerRdf(container: ContainerContext, send: SendAnswer): Answer {
  return async (context, request) => {
    await requireRecord(container, request);
    await sendGraph(container, send, context, request, graphRecipe(container, request));
  };
}

/** How the graph that a GET call answers with is read, and whether it is there. */
export function graphRecipe(container: ContainerContext, request: AllowedCall): GraphRecipe {
  if (request.call.cardinality === 'multiple') {
    return {
      exists: () => {
        checkList(listRequest(container, request));
        return true;
      },
      read: () => list(container, request),
    };
  }
  return {
    exists: () => container.store.has(request.resource),
    read: async () => ({ quads: await readSingle(container, request) }),
  };
}

/** The graph of the one resource of a call. @throws Problem not-found */
export async function readSingle(container: ContainerContext, request: AllowedCall): Promise<Quad[]> {
  const query = queryOf(container, request.call);
  const found = await container.store.construct(query.bind(bindings(request, container.base)));
  if (found.length === 0) throw new Problem('not-found', 'There is no such resource.');
  return found;
}

// Specification 4.1: a search answers with nothing but the elements that match.
const isSearch = ({ call }: AllowedCall): boolean => call.scope === 'container';

function listRequest(container: ContainerContext, request: AllowedCall): ListRequest {
  return {
    call: request.call,
    query: queryOf(container, request.call),
    values: bindings(request, container.base),
    given: request.query.declared,
    counted: !isSearch(request),
  };
}

async function list(container: ContainerContext, request: AllowedCall): Promise<FoundGraph> {
  const { call, resource, pairs } = request;
  const answer = await readList(container.store, container.ontology, listRequest(container, request));
  const nextPageURL = answer.next && nextPageUrl(resource + trailing(call.path), pairs, answer.next);
  const link = nextPageURL === undefined ? undefined : `<${nextPageURL}>; rel="next"`;
  if (isSearch(request)) return { quads: answer.quads, link };
  const summary = responseSummary({ total: answer.total, order: answer.order, nextPageURL });
  return { quads: [...answer.quads, ...summary], link };
}

const trailing = (path: string): string => (path.endsWith('/') ? '/' : '');
