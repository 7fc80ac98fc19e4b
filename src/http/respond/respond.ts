import type { DocumentStore } from '../../disk/document-files.js';
import type { Context } from 'koa';
import type { Answer, StreamAnswer } from '../answer.js';
import type { RequestContext } from '../request-context.js';
import { fileResponder } from './file-answer.js';
import { framedResponder } from './framed-answer.js';
import { respondPlainly } from './plain-answer.js';
import { ResponseCache } from './response-cache.js';
import { storedResponder, type Cacheable } from './stored-answer.js';

/** What responses are made with. */
export interface ResponseParts extends Omit<Cacheable, 'cache'> {
  /** How many bytes of answers are cached; 0 for none. */
  readonly cacheBytes: number;
  readonly documents: DocumentStore;
}

/** Makes an HTTP response of an answer. @throws Problem */
export type Respond = (request: RequestContext, answer: Answer) => Promise<void>;

/**
 * The one place where answers become responses, and so the only one that knows conditions, ranges, HEAD, negotiation,
 * the cache and content codings.
 */
export function responder(parts: ResponseParts): Respond {
  // One cache, and so one budget, for everything.
  const cacheable = { ...parts, cache: new ResponseCache(parts.cacheBytes) };
  const respondStored = storedResponder(cacheable);
  const respondFramed = framedResponder(cacheable);
  const respondFile = fileResponder(parts.documents);
  return async (request, answer) => {
    if (answer.kind === 'stored') await respondStored(request, answer);
    else if (answer.kind === 'framed') await respondFramed(request, answer);
    else if (answer.kind === 'file') await respondFile(request, answer);
    else if (answer.kind === 'stream') respondStreaming(request.context, answer);
    else respondPlainly(request.context, answer);
    if (request.route.vary !== undefined) request.context.set('Vary', request.route.vary);
  };
}

/** Responds with what comes as it comes: no faster than the caller takes it, and no further than the caller stays. */
function respondStreaming(context: Context, { headers, mediaType, body }: StreamAnswer): void {
  context.status = 200;
  context.set('Cache-Control', 'no-store');
  context.set(headers);
  if (context.method === 'HEAD') {
    body.destroy();
    context.body = '';
  } else {
    context.body = body;
  }
  context.set('Content-Type', mediaType);
}

/** The value of a header field, or of one that may stand there several times. */
type Value = string | string[];

/**
 * Sets one header field, or all of some: what Koa's `context.set` does, which takes each through several lists. The
 * fields of an answer make that a twentieth of the time of a cached one.
 */
export function setFields(
  this: Context,
  field: string | Readonly<Record<string, Value>>,
  value?: Value,
): void {
  const { res } = this;
  if (res.headersSent) return;
  if (typeof field === 'string') res.setHeader(field, value ?? '');
  else for (const name in field) res.setHeader(name, field[name] ?? '');
}
