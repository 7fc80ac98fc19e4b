import type { CallModel, Ontology } from '../../model/ontology/model.js';
import { withCardinalities } from '../../model/ontology/restrictions.js';
import { PathTemplate } from '../../model/ontology/path-template.js';
import { isSingleton } from '../../model/ontology/call-facts.js';
import { answeredFormats, formats, type RdfFormat } from '../../rdf/formats.js';
import type { Quad } from '../../rdf/terms.js';
import { sp } from '../../rdf/vocabulary.js';
import {
  checkList,
  readList,
  readLongList,
  type ListAnswer,
  type ListRequest,
} from '../../records/lists/list.js';
import { nextPageUrl, responseSummary, type ListFacts } from '../../records/lists/page-limits.js';
import { cacheControl, type Content, type Representation, type StoredAnswer } from '../answer.js';
import { forCalls, type CallRequest, type Handler, type RequestContext } from '../request-context.js';
import {
  addressed,
  listRequestOf,
  noSuchResource,
  readSingle,
  type Addressed,
  type CallParts,
  type Reads,
} from './reads.js';
import { writeGraph, writingOf } from './write-graph.js';

export interface FoundGraph {
  readonly quads: Quad[];
  readonly link?: string | undefined;
}

export type LongFound = (format: RdfFormat) => Promise<Content>;

export const graphRepresentations: readonly Representation[] = answeredFormats.map((format) => ({
  mediaType: formats[format].mediaType,
  format,
}));

/** Makes a reader of a graph in the chosen format. @param find throws when the resource does not exist */
export function readGraph(
  ontology: Ontology,
  find: () => Promise<FoundGraph | LongFound>,
): StoredAnswer['read'] {
  return async (chosen) => {
    const format = chosen.format as RdfFormat;
    const found = await find();
    if (typeof found === 'function') return () => found(format);
    return { body: await writeGraph(found.quads, format, writingOf(ontology)), link: found.link };
  };
}

export function storedAnswer(
  parts: CallParts,
  request: CallRequest,
  answer: Pick<StoredAnswer, 'representations' | 'read' | 'exists'>,
): StoredAnswer {
  const asked = addressed(request);
  return {
    kind: 'stored',
    cacheControl: cacheControlOf(asked.call, parts.settings.containerAccess),
    key: answerKey(asked, request.query),
    state: () => parts.revisionState(asked),
    queue: `${asked.call.iri} ${request.verified?.principal.app ?? ''}`,
    cached: true,
    ...answer,
  };
}

/** These describe no person, so anybody may cache them for a while unless only signers may read them. */
const publicTargets: ReadonlySet<string> = new Set([sp.Ontology, sp.AppManifest, sp.ContainerManifest]);

export function isPublic({ target }: CallModel): boolean {
  return publicTargets.has(target);
}

export function cacheControlOf(call: CallModel, access: 'open' | 'signed'): string {
  return isPublic(call) && access === 'open' ? cacheControl.shared : cacheControl.own;
}

/** Returns the cache key. For lists, the order of parameters counts, since next-page links repeat it. */
export function answerKey({ call, resource }: Addressed, query: RequestContext['query']): string {
  if (query.pairs.length === 0) return resource;
  const own =
    call.cardinality === 'multiple'
      ? query.pairs.filter(([name]) => !name.startsWith('oauth_'))
      : [...query.declared].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${resource}${own.length === 0 ? '' : ` ${JSON.stringify(own)}`}`;
}

export function graphHandler(parts: CallParts): Handler {
  const { ontologyPage } = parts;
  return forCalls((request) => {
    if (request.route.call.target !== sp.Ontology) return graphAnswer(parts, request);
    const answer = graphAnswer(parts, request, ({ quads }) => ({ quads: withCardinalities(quads) }));
    if (!ontologyPage) return answer;
    return {
      ...answer,
      representations: [...answer.representations, ontologyPage],
      read: (chosen) =>
        chosen === ontologyPage ? Promise.resolve(() => ontologyPage.make()) : answer.read(chosen),
    };
  });
}

/** Answers a GET call with its graph. @param describe changes the graph before it is written */
export function graphAnswer(
  parts: CallParts,
  request: CallRequest,
  describe?: (found: FoundGraph) => FoundGraph | LongFound,
): StoredAnswer {
  const isList = request.route.call.cardinality === 'multiple';
  const only = shownTo(parts, request);
  const isHidden = only !== undefined && !isList && !only.includes(request.resource);
  const find = async (): Promise<FoundGraph | LongFound> => {
    if (isHidden) throw noSuchResource();
    if (isList && !describe) return readPage(parts, request, only);
    const found = isList
      ? described(request, await readList(parts.store, parts.ontology, listRequest(parts, request, only)))
      : { quads: await readSingle(parts, addressed(request)) };
    return describe ? describe(found) : found;
  };
  const answer = storedAnswer(parts, request, {
    representations: graphRepresentations,
    read: readGraph(parts.ontology, find),
    exists: () => {
      if (!isList) return !isHidden && (isSingleton(request.route.call) || parts.store.has(request.resource));
      checkList(listRequest(parts, request, only));
      return true;
    },
  });
  // Readers with different rights must not share answers.
  return only === undefined ? answer : { ...answer, key: `${answer.key} ${JSON.stringify(only)}` };
}

/**
 * Returns the only people whom a disclosing call may show, or undefined for no restriction, as on an open container.
 * Of patients, those whose records are open to the user of the token; of users, a clinician sees all, another person
 * themselves. An app without a user sees nobody.
 */
function shownTo({ ontology, base, settings, accounts }: CallParts, { route, verified }: CallRequest) {
  const { discloses, target } = route.call;
  if (discloses === undefined || settings.containerAccess === 'open') return undefined;
  const id = verified?.principal.token?.user;
  const found = id === undefined ? undefined : accounts.user(id);
  if (!found) return [];
  const template = PathTemplate.of(ontology.classes.get(target)?.basePath ?? '');
  if (template.parameters.includes('user_id'))
    return found.role === 'clinician' ? undefined : [base + template.fill({ user_id: found.id })];
  return accounts.openRecords(found.id)?.map((record_id) => base + template.fill({ record_id }));
}

// Specification 4.1: a search answers only with matches.
const isSearch = ({ route }: CallRequest): boolean => route.call.scope === 'container';

function listRequest(reads: Reads, request: CallRequest, only?: readonly string[]): ListRequest {
  const asked = listRequestOf(reads, addressed(request), request.query.declared);
  return { ...asked, counted: !isSearch(request), only };
}

async function readPage(
  parts: CallParts,
  request: CallRequest,
  only: readonly string[] | undefined,
): Promise<FoundGraph | LongFound> {
  const { store, ontology, longGraphs } = parts;
  const asked = listRequest(parts, request, only);
  const list = await readList(store, ontology, { ...asked, isBrief: !isSearch(request) });
  if (!list.isLong) return described(request, list);
  const read = async () => {
    const { texts, ...found } = await readLongList(store, ontology, asked, list);
    return { texts, facts: factsOf(request, found) };
  };
  return async (format) => {
    const { body, facts } = await longGraphs.write(request.verified?.principal.app ?? '', format, read);
    return { body, link: nextLink(facts?.nextPageURL) };
  };
}

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

export function nextLink(url: string | undefined): string | undefined {
  return url === undefined ? undefined : `<${url}>; rel="next"`;
}
