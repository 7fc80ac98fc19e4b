import type { DocumentStore } from '../../disk/document-files.js';
import type { Answer } from '../answer.js';
import type { RequestContext } from '../request-context.js';
import { fileResponder } from './file-answer.js';
import { respondPlainly } from './plain-answer.js';
import { respondStreaming } from './stream-answer.js';
import { storedResponder, type Cacheable } from './stored-answer.js';

/** What responses are made with. */
export interface ResponseParts extends Cacheable {
  readonly documents: DocumentStore;
}

/** Makes an HTTP response of an answer. @throws Problem */
export type Respond = (request: RequestContext, answer: Answer) => Promise<void>;

/**
 * The one place where answers become responses, and so the only one that knows conditions, ranges, HEAD, negotiation,
 * the cache and content codings.
 */
export function responder(parts: ResponseParts): Respond {
  const respondStored = storedResponder(parts);
  const respondFile = fileResponder(parts.documents);
  return async (request, answer) => {
    switch (answer.kind) {
      case 'stored':
        return respondStored(request, answer);
      case 'file':
        return respondFile(request, answer);
      case 'stream':
        return respondStreaming(request.context, answer);
      case 'plain':
        respondPlainly(request.context, answer);
    }
  };
}
