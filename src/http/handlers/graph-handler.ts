import { withCardinalities } from '../../ontology/owl-literals.js';
import { isSingleton } from '../../ontology/singleton.js';
import { sp } from '../../rdf/vocabulary.js';
import { checkList, readList, type ListRequest } from '../../records/lists/list.js';
import { nextPageUrl } from '../../records/lists/page.js';
import { responseSummary } from '../../records/lists/response-summary.js';
import type { Representation, StoredAnswer } from '../answer.js';
import { forCalls, type CallRequest, type Handler } from '../request-context.js';
import { graphRepresentations, storedAnswer, type FoundGraph, type StoredParts } from './graph-answer.js';
import { shownTo } from './directory-view.js';
import { addressed, bindings, noSuchResource, queryOf, readSingle, type Reads } from './reads.js';

/**
 * Answers a GET with the graph that the query of the call constructs: one resource, or a list of statements.
 * @param ontologyPage shows the ontology to people who would rather have a page
 */
export function graphHandler(parts: StoredParts, ontologyPage?: Representation): Handler {
  return forCalls((request) => {
    if (request.route.call.target !== sp.Ontology) return graphAnswer(parts, request);
    const answer = graphAnswer(parts, request, ({ quads }) => ({ quads: withCardinalities(quads) }));
    if (!ontologyPage) return answer;
    return { ...answer, representations: [...answer.representations, ontologyPage] };
  });
}

/**
 * The graph that a GET call answers with.
 * @param describe changes what is read before it is written
 */
export function graphAnswer(
  parts: StoredParts,
  request: CallRequest,
  describe: (found: FoundGraph) => FoundGraph | Promise<FoundGraph> = (found) => found,
): StoredAnswer {
  const isList = request.route.call.cardinality === 'multiple';
  const only = shownTo(parts, request);
  const isHidden = only !== undefined && !isList && !only.includes(request.resource);
  const read = async (): Promise<FoundGraph> => {
    if (isHidden) throw noSuchResource();
    if (isList) return describe(await readPage(parts, request, only));
    return describe({ quads: await readSingle(parts, addressed(request)) });
  };
  const answer = storedAnswer(parts, request, {
    representations: graphRepresentations(parts.ontology, read),
    exists: () => {
      if (!isList) return !isHidden && (isSingleton(request.route.call) || parts.store.has(request.resource));
      checkList(listRequest(parts, request, only));
      return true;
    },
  });
  // What one may see is nothing that another is answered with.
  return only === undefined ? answer : { ...answer, key: `${answer.key} ${JSON.stringify(only)}` };
}

// Specification 4.1: a search answers with nothing but the elements that match.
const isSearch = ({ route }: CallRequest): boolean => route.call.scope === 'container';

function listRequest(reads: Reads, request: CallRequest, only?: readonly string[]): ListRequest {
  const { call } = request.route;
  return {
    call,
    query: queryOf(reads, call),
    values: bindings(addressed(request), reads.base),
    given: request.query.declared,
    counted: !isSearch(request),
    only,
  };
}

async function readPage(
  reads: Reads,
  request: CallRequest,
  only: readonly string[] | undefined,
): Promise<FoundGraph> {
  const { resource, query, route } = request;
  const answer = await readList(reads.store, reads.ontology, listRequest(reads, request, only));
  const slash = route.path.endsWith('/') ? '/' : '';
  const nextPageURL = answer.next && nextPageUrl(resource + slash, query.pairs, answer.next);
  const link = nextPageURL === undefined ? undefined : `<${nextPageURL}>; rel="next"`;
  if (isSearch(request)) return { quads: answer.quads, link };
  const summary = responseSummary({ total: answer.total, order: answer.order, nextPageURL });
  return { quads: [...answer.quads, ...summary], link };
}
