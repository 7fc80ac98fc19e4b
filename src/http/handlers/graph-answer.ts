import { jsonLdContext, usedContext, type JsonLdContext } from '../../derive/jsonld-context.js';
import type { CallModel, Ontology } from '../../ontology/model.js';
import { answeredFormats, formats } from '../../rdf/formats.js';
import type { Quad } from '../../rdf/terms.js';
import { sp } from '../../rdf/vocabulary.js';
import { writeRdf } from '../../rdf/write.js';
import { oneTitlePerCode } from '../../records/titles.js';
import { cacheControl, type Representation, type StoredAnswer } from '../answer.js';
import type { CallRequest, RequestContext } from '../request-context.js';
import type { DirectoryParts } from './directory-view.js';
import { addressed, type Addressed, type Reads } from './reads.js';
import type { RevisionState, States } from './revision-state.js';

/** What answers from the store are made with. */
export interface StoredParts extends Reads, States, DirectoryParts {
  readonly revisionState: RevisionState;
}

/** A graph that a call answers with, and where the next page of a list is. */
export interface FoundGraph {
  readonly quads: Quad[];
  /** The value of a Link field. */
  readonly link?: string | undefined;
}

/** The forms in which a graph can be sent, RDF/XML first. @param read throws when there is no such thing */
export function graphRepresentations(
  ontology: Ontology,
  read: () => Promise<FoundGraph>,
): readonly Representation[] {
  return answeredFormats.map((format) => ({
    mediaType: formats[format].mediaType,
    format,
    make: async () => {
      const { quads, link } = await read();
      const own = oneTitlePerCode(quads, ontology);
      const options = format === 'jsonld' ? { context: usedContext(contextOf(ontology), own) } : {};
      return { body: await writeRdf(own, format, options), link };
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
    queue: asked.call.iri,
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

const contexts = new WeakMap<Ontology, JsonLdContext>();

/** The JSON-LD context of an ontology, made once. */
function contextOf(ontology: Ontology): JsonLdContext {
  const context = contexts.get(ontology) ?? jsonLdContext(ontology);
  contexts.set(ontology, context);
  return context;
}
