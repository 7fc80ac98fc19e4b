import type { CallModel, Ontology } from '../../ontology/model.js';
import { answeredFormats, formats, type RdfFormat } from '../../rdf/formats.js';
import type { Quad } from '../../rdf/terms.js';
import { sp } from '../../rdf/vocabulary.js';
import { cacheControl, type Content, type Representation, type StoredAnswer } from '../answer.js';
import type { CallRequest, RequestContext } from '../request-context.js';
import type { DirectoryParts } from './directory-view.js';
import type { LongGraphs } from './long-graphs.js';
import { addressed, type Addressed, type Reads } from './reads.js';
import type { RevisionState, States } from './revision-state.js';
import { writeGraph, writingOf } from './write-graph.js';

/** What answers from the store are made with. */
export interface StoredParts extends Reads, States, DirectoryParts {
  readonly revisionState: RevisionState;
  readonly longGraphs: LongGraphs;
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
