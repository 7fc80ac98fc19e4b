import { withCardinalities } from '../../ontology/owl-literals.js';
import { isSingleton } from '../../ontology/singleton.js';
import { sp } from '../../rdf/vocabulary.js';
import { checkList, readList, type ListAnswer, type ListRequest } from '../../records/lists/list.js';
import { readLongList } from '../../records/lists/long-list.js';
import { nextPageUrl } from '../../records/lists/page.js';
import { responseSummary, type ListFacts } from '../../records/lists/response-summary.js';
import type { Representation, StoredAnswer } from '../answer.js';
import { forCalls, type CallRequest, type Handler } from '../request-context.js';
import {
  graphRepresentations,
  storedAnswer,
  type FoundGraph,
  type LongFound,
  type StoredParts,
} from './graph-answer.js';
import { shownTo } from './directory-view.js';
import { addressed, bindings, noSuchResource, queryOf, readSingle, type Reads } from './reads.js';
import type { LongGraph } from './write-graph.js';

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
  describe?: (found: FoundGraph) => FoundGraph | Promise<FoundGraph>,
): StoredAnswer {
  const isList = request.route.call.cardinality === 'multiple';
  const only = shownTo(parts, request);
  const isHidden = only !== undefined && !isList && !only.includes(request.resource);
  const read = async (): Promise<FoundGraph | LongFound> => {
    if (isHidden) throw noSuchResource();
    if (isList && !describe) return readPage(parts, request, only);
    const found = isList
      ? described(request, await readList(parts.store, parts.ontology, listRequest(parts, request, only)))
      : { quads: await readSingle(parts, addressed(request)) };
    return describe ? describe(found) : found;
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

/** Long lists of a record are left to a thread. */
async function readPage(
  parts: StoredParts,
  request: CallRequest,
  only: readonly string[] | undefined,
): Promise<FoundGraph | LongFound> {
  const { store, ontology, longGraphs } = parts;
  const asked = listRequest(parts, request, only);
  const state = (): string => parts.revisionState(addressed(request));
  const before = state();
  const list = await readList(store, ontology, { ...asked, isBrief: !isSearch(request) });
  if (!list.isLong) return described(request, list);
  const read = async (): Promise<LongGraph> => {
    const { texts, ...found } = await readLongList(store, ontology, asked, state, { before, list });
    return { texts, facts: factsOf(request, found) };
  };
  return async (format) => {
    const { body, facts } = await longGraphs.write(request.verified?.principal.app ?? '', format, read);
    return { body, link: linkOf(facts) };
  };
}

/** A list with its summary, or a search, which has none. */
function described(request: CallRequest, list: ListAnswer): FoundGraph {
  const facts = factsOf(request, list);
  const summary = isSearch(request) ? [] : responseSummary(facts);
  return { quads: [...list.quads, ...summary], link: linkOf(facts) };
}

function factsOf({ resource, query, route }: CallRequest, list: Omit<ListAnswer, 'quads'>): ListFacts {
  const { total, order, next } = list;
  const slash = route.path.endsWith('/') ? '/' : '';
  return { total, order, nextPageURL: next && nextPageUrl(resource + slash, query.pairs, next) };
}

function linkOf({ nextPageURL }: ListFacts): string | undefined {
  return nextPageURL === undefined ? undefined : `<${nextPageURL}>; rel="next"`;
}
