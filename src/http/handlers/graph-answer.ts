import type { User } from '../../accounts/users.js';
import type { CallModel, Ontology } from '../../ontology/model.js';
import { withCardinalities } from '../../ontology/owl-literals.js';
import { PathTemplate } from '../../ontology/path-template.js';
import { isSingleton } from '../../ontology/singleton.js';
import { answeredFormats, formats, type RdfFormat } from '../../rdf/formats.js';
import type { Quad } from '../../rdf/terms.js';
import { sp } from '../../rdf/vocabulary.js';
import { checkList, readList, type ListAnswer, type ListRequest } from '../../records/lists/list.js';
import { readLongList } from '../../records/lists/long-list.js';
import { nextPageUrl } from '../../records/lists/page.js';
import { responseSummary, type ListFacts } from '../../records/lists/response-summary.js';
import { cacheControl, type Content, type Representation, type StoredAnswer } from '../answer.js';
import { forCalls, type CallRequest, type Handler, type RequestContext } from '../request-context.js';
import type { LongGraphs } from './long-graphs.js';
import { addressed, listRequestOf, noSuchResource, readSingle, type Addressed, type Reads } from './reads.js';
import type { RevisionState, States } from './revision-state.js';
import { writeGraph, writingOf, type LongGraph } from './write-graph.js';

/** What answers from the store are made with. */
export interface StoredParts extends Reads, States {
  readonly revisionState: RevisionState;
  readonly longGraphs: LongGraphs;
  readonly containerAccess: 'open' | 'signed';
  /** A user of the container, with the records given to them. */
  user(id: string): User | undefined;
}

/** A graph that a call answers with, and where the next page of a list is. */
export interface FoundGraph {
  readonly quads: Quad[];
  /** The value of a Link field. */
  readonly link?: string | undefined;
}

/** Has a graph that takes long to be read and written made in a format, by a thread. */
export type LongFound = (format: RdfFormat) => Promise<Content>;

/** The forms in which a graph can be sent, RDF/XML first. @param read throws when there is no such thing */
export function graphRepresentations(
  ontology: Ontology,
  read: () => Promise<FoundGraph | LongFound>,
): readonly Representation[] {
  return answeredFormats.map((format) => ({
    mediaType: formats[format].mediaType,
    format,
    make: async () => {
      const found = await read();
      if (typeof found === 'function') return () => found(format);
      return { body: await writeGraph(found.quads, format, writingOf(ontology)), link: found.link };
    },
  }));
}

/** The answer to a call that depends on a state of the store, in these representations. */
export function storedAnswer(
  parts: StoredParts,
  request: CallRequest,
  answer: Pick<StoredAnswer, 'representations' | 'exists'> & Partial<StoredAnswer>,
): StoredAnswer {
  const asked = addressed(request);
  return {
    kind: 'stored',
    cacheControl: cacheControlOf(asked.call, parts.containerAccess),
    key: answerKey(asked, request.query),
    state: () => parts.revisionState(asked),
    queue: `${asked.call.iri} ${request.verified?.principal.app ?? ''}`,
    cached: true,
    ...answer,
  };
}

/** What says nothing of a person, and so may be cached by anyone for a while, unless even that is for signers alone. */
const publicTargets: ReadonlySet<string> = new Set([sp.Ontology, sp.AppManifest, sp.ContainerManifest]);

/** Whether a call is about no person. */
export function isPublic({ target }: CallModel): boolean {
  return publicTargets.has(target);
}

export function cacheControlOf(call: CallModel, access: 'open' | 'signed'): string {
  return isPublic(call) && access === 'open' ? cacheControl.shared : cacheControl.own;
}

/**
 * Names what a request asks for: the resource and the parameters. A list names its next page with the parameters as
 * they came, so their order counts there.
 */
export function answerKey({ call, resource }: Addressed, query: RequestContext['query']): string {
  if (query.pairs.length === 0) return resource;
  const own =
    call.cardinality === 'multiple'
      ? query.pairs.filter(([name]) => !name.startsWith('oauth_'))
      : [...query.declared].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${resource}${own.length === 0 ? '' : ` ${JSON.stringify(own)}`}`;
}

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

/**
 * The IRIs of the only people that a call which discloses people may show to a request; undefined where it may show
 * all: on a container that is open, and to a clinician. A person sees themselves and the records given to them, an
 * app without a user nobody.
 */
function shownTo(
  { ontology, base, containerAccess, user }: StoredParts,
  { route, verified }: CallRequest,
): readonly string[] | undefined {
  const { discloses, target } = route.call;
  if (discloses === undefined || containerAccess === 'open') return undefined;
  const id = verified?.principal.token?.user;
  const found = id === undefined ? undefined : user(id);
  if (!found) return [];
  if (found.role === 'clinician') return undefined;
  const template = PathTemplate.of(ontology.classes.get(target)?.basePath ?? '');
  const given = template.parameters.includes('user_id')
    ? [{ user_id: found.id }]
    : found.role === 'person'
      ? found.records.map((record_id) => ({ record_id }))
      : [];
  return given.map((values) => base + template.fill(values));
}

// Specification 4.1: a search answers with nothing but the elements that match.
const isSearch = ({ route }: CallRequest): boolean => route.call.scope === 'container';

function listRequest(reads: Reads, request: CallRequest, only?: readonly string[]): ListRequest {
  const asked = listRequestOf(reads, addressed(request), request.query.declared);
  return { ...asked, counted: !isSearch(request), only };
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
    return { body, link: nextLink(facts.nextPageURL) };
  };
}

/** A list with its summary, or a search, which has none. */
function described(request: CallRequest, list: ListAnswer): FoundGraph {
  const facts = factsOf(request, list);
  const summary = isSearch(request) ? [] : responseSummary(facts);
  return { quads: [...list.quads, ...summary], link: nextLink(facts.nextPageURL) };
}

function factsOf({ resource, query, route }: CallRequest, list: Omit<ListAnswer, 'quads'>): ListFacts {
  const { total, order, next } = list;
  const slash = route.path.endsWith('/') ? '/' : '';
  return { total, order, nextPageURL: next && nextPageUrl(resource + slash, query.pairs, next) };
}

/** The value of a Link field that leads to the next page, if there is one. */
export function nextLink(url: string | undefined): string | undefined {
  return url === undefined ? undefined : `<${url}>; rel="next"`;
}
