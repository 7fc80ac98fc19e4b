import type { DocumentStore } from '../../disk/document-files.js';
import { answerKeyOf, factsOf, type AnswerKey } from '../../ontology/answer-forms.js';
import type { Ontology } from '../../ontology/model.js';
import { hasPast } from '../../ontology/has-past.js';
import type { PastStores } from '../../store/past-store.js';
import type { Representation } from '../answer.js';
import type { Handler, Route } from '../request-context.js';
import { blobHandler, removeBlobHandler, storeBlobHandler } from './blob.js';
import { changesHandler } from './changes.js';
import { documentHandler } from './document.js';
import { graphHandler } from './graph-answer.js';
import { jsonHandler } from './json-documents.js';
import { mementoHandler } from './memento.js';
import { postHandler, type PostParts } from './post.js';
import { exportHandlers, type ExportHandlerParts } from '../exports/export-handlers.js';
import { subscriptionHandlers, type SubscriptionParts } from '../webhooks/subscription-handlers.js';

/** What calls are answered with. */
export interface CallParts extends PostParts, SubscriptionParts, ExportHandlerParts {
  readonly past: PastStores;
  /** Bytes that a text which is stored for an app may have. */
  readonly textLimit: number;
  readonly documents: DocumentStore;
  /** Shows the ontology to people. */
  readonly ontologyPage?: Representation | undefined;
}

/** The handler of each form of answer and method: a row that is missing does not compile. */
function callHandlers(parts: CallParts): Readonly<Record<AnswerKey, Handler>> {
  return {
    'rdf GET': graphHandler(parts, parts.ontologyPage),
    'rdf POST': postHandler(parts),
    'json GET': jsonHandler(parts),
    'document GET': documentHandler(parts),
    'blob GET': blobHandler(parts),
    'blob PUT': storeBlobHandler(parts),
    'blob DELETE': removeBlobHandler(parts),
    'changes GET': changesHandler(parts),
    ...subscriptionHandlers(parts),
    ...exportHandlers(parts),
  };
}

/** A route for each call of the ontology. No path of a call is written in TypeScript. */
export function callRoutes(ontology: Ontology, parts: CallParts): readonly Route[] {
  const handlers = callHandlers(parts);
  return ontology.calls.map((call) => {
    const { method, path, scope } = call;
    const key = answerKeyOf(call);
    if (!key) throw new Error(`nothing is answered as ${call.answer} ${method} ${call.cardinality}`);
    return {
      method,
      path,
      call,
      credentials: 'signature',
      access: scope,
      bodyLimit: key === 'blob PUT' ? parts.textLimit : factsOf(call).bodyLimit,
      ...(hasPast(call) ? { vary: 'Accept, Accept-Encoding, Accept-Datetime' } : {}),
      handler: hasPast(call)
        ? mementoHandler(parts, handlers[key], (store, revisionState) => {
            return callHandlers({ ...parts, store, revisionState })[key];
          })
        : handlers[key],
    };
  });
}
