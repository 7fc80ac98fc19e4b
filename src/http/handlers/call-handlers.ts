import { answerKeyOf, factsOf, type AnswerKey, type ServiceKey } from '../../model/ontology/answer-forms.js';
import type { CallModel, Ontology } from '../../model/ontology/model.js';
import { PathTemplate } from '../../model/ontology/path-template.js';
import { hasPast } from '../../model/ontology/call-facts.js';
import {
  type Handler,
  type Route,
  forCalls,
  type CallRequest,
  type RequestContext,
  traceOf,
  viewerOf,
} from '../request-context.js';
import { requireOpen, type ClosedView } from '../closed-view.js';
import { blobHandler, removeBlobHandler, storeBlobHandler } from './blob.js';
import { changesHandler } from './changes.js';
import { documentHandler } from './document.js';
import { graphHandler, storedAnswer } from './graph-answer.js';
import { mementoHandler } from './memento.js';
import { postHandler } from './post.js';
import { cg } from '../../rdf/vocabulary.js';
import type { Content } from '../answer.js';
import type { Feature } from '../feature.js';
import { addressed, construct, noSuchResource, revisionStates, type CallParts, type Reads } from './reads.js';

type CoreKey = Exclude<AnswerKey, ServiceKey> | 'changes GET';
type Handlers = Readonly<Partial<Record<AnswerKey, Handler>>>;

/** Handlers by form of answer and method; a missing row does not compile. */
function coreHandlers(parts: CallParts): Readonly<Record<CoreKey, Handler>> {
  return {
    'rdf GET': graphHandler(parts),
    'rdf POST': postHandler(parts),
    'json GET': jsonHandler(parts),
    'document GET': documentHandler(parts),
    'blob GET': blobHandler(parts),
    'blob PUT': storeBlobHandler(parts),
    'blob DELETE': removeBlobHandler(parts),
    'changes GET': changesHandler(parts),
  };
}

/** Makes a route for each call; paths come from the ontology alone. @throws Error for a call without a handler */
export function callRoutes(
  ontology: Ontology,
  parts: CallParts,
  features: readonly Pick<Feature, 'handlers'>[],
): readonly Route[] {
  const allHandlers = (own: CallParts): Handlers =>
    Object.assign({}, coreHandlers(own), ...features.map((feature) => feature.handlers?.(own)));
  const handlers = allHandlers(parts);
  const ofViews = new WeakMap<ClosedView, { readonly parts: CallParts; readonly handlers: Handlers }>();
  const inView = (view: ClosedView) => {
    let known = ofViews.get(view);
    if (!known) {
      const own = { ...parts, ...view, revisionState: revisionStates({ primary: view.primary, ontology }) };
      ofViews.set(view, (known = { parts: own, handlers: allHandlers(own) }));
    }
    return known;
  };
  return ontology.calls.map((call) => {
    const { method, path, scope } = call;
    const key = answerKeyOf(call);
    const whole = handlerOf(parts, handlers, call);
    return {
      method,
      path,
      call,
      credentials: method === 'GET' && scope === 'record' ? 'signature or bearer' : 'signature',
      access: scope,
      bodyLimit: key === 'blob PUT' ? parts.settings.textLimit : factsOf(call).bodyLimit,
      ...(hasPast(call) && { vary: 'Accept, Accept-Encoding, Accept-Datetime' }),
      handler: (request) => {
        const view = parts.closedViews(request.path['record_id'], viewerOf(request));
        if (!view) return whole(request);
        traceOf(request.context).view = view;
        if (method !== 'GET') requireOpen(view, PathTemplate.of(path).prefix(request.path));
        const own = inView(view);
        return handlerOf(own.parts, own.handlers, call)(request);
      },
    };
  });
}

/** Returns the handler of a call, which also answers with earlier states where it can. */
function handlerOf(parts: CallParts, handlers: Handlers, call: CallModel): Handler {
  const key = answerKeyOf(call);
  const present = key && handlers[key];
  if (!present) throw new Error(`nothing is answered as ${call.answer} ${call.method} ${call.cardinality}`);
  if (!hasPast(call)) return present;
  const past = mementoHandler(parts, (store, revisionState) => {
    const earlier: Handlers = coreHandlers({ ...parts, store, revisionState });
    return earlier[key] ?? present;
  });
  return (request) => (asksForPast(request) ? past : present)(request);
}

function asksForPast({ query, context }: RequestContext): boolean {
  return query.at !== undefined || query.timemap === true || context.get('Accept-Datetime').trim() !== '';
}

/** Answers with the JSON documents (`cg:json`) of the query: one, or an array in order of their resources. */
function jsonHandler(parts: CallParts): Handler {
  return forCalls((request) =>
    storedAnswer(parts, request, {
      representations: [{ mediaType: 'application/json' }],
      read: () => readJson(parts, request),
      exists: () => request.route.call.cardinality === 'multiple' || parts.store.has(request.resource),
    }),
  );
}

async function readJson(reads: Reads, request: CallRequest): Promise<Content> {
  const documents = (await construct(reads, addressed(request)))
    .filter(({ predicate }) => predicate.value === cg.json)
    .sort((a, b) => (a.subject.value < b.subject.value ? -1 : 1))
    .map(({ object }) => object.value);
  if (request.route.call.cardinality === 'multiple') return { body: `[${documents.join(',')}]` };
  const [first] = documents;
  if (first === undefined) throw noSuchResource();
  return { body: first };
}
