import type { Context } from 'koa';
import type { DocumentStore } from '../../store/documents/document-files.js';
import { ownBytes } from '../../store/disk/bytes.js';
import type { Metrics } from '../container-metrics.js';
import type {
  Answer,
  Representation,
  StoredAnswer,
  StreamAnswer,
  FramedAnswer,
  PlainAnswer,
} from '../answer.js';
import type { RequestContext } from '../request-context.js';
import { asksForAny, evaluate, isConditional, preconditionFailed, strongTag } from './entity-tag.js';
import { codedTag } from './entity-tag.js';
import { chooseCoding } from './negotiate.js';
import { fileResponder } from './file-answer.js';
import { chooseRepresentation, notAcceptable } from './negotiate.js';
import { Problem } from '../../model/problem.js';
import { QueueFull, type QueryQueue } from './query-queue.js';
import { ResponseCache, SingleFlight, type CachedResponse } from './response-cache.js';
import type { AllSettings } from '../serve-settings.js';

export interface ResponseParts extends Omit<Cacheable, 'cache'> {
  readonly settings: Pick<AllSettings, 'cacheBytes'>;
  readonly documents: DocumentStore;
}

/** Turns an answer into an HTTP response. @throws Problem */
export type Respond = (request: RequestContext, answer: Answer) => Promise<void>;

/** Makes the responder. Only it knows conditions, ranges, HEAD, negotiation, the cache and content codings. */
export function responder(parts: ResponseParts): Respond {
  const cacheable = { ...parts, cache: new ResponseCache(parts.settings.cacheBytes) };
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

export interface Cacheable {
  /** Counts an answer until it is out. @throws Problem too-many-requests, unavailable */
  holdAnswer(context: Context, bytes: number): void;
  readonly base: string;
  readonly digest: string;
  readonly cache: ResponseCache;
  readonly queue: QueryQueue;
  readonly metrics: Pick<Metrics, 'cache'>;
}

interface Making {
  readonly key: string;
  readonly state: string;
  readonly tag: string;
  readonly isRead: boolean;
}

/**
 * Responds with answers that depend on the state of the store: from the cache, or made once for simultaneous requests.
 * Access was checked before. Neither 304 nor HEAD of an existing resource needs a query.
 * @throws Problem not-acceptable, precondition-failed, or unavailable when too many answers wait
 */
function storedResponder(parts: Cacheable): (request: RequestContext, answer: StoredAnswer) => Promise<void> {
  // A waiter retries when the leader alone was refused.
  const flights = new SingleFlight<CachedResponse>(
    (error) => error instanceof QueueFull || (error instanceof Problem && error.kind === 'too-many-requests'),
  );
  const { base, digest, cache, queue, metrics } = parts;

  const make = async (
    answer: StoredAnswer,
    chosen: Representation,
    { key, state, tag, isRead }: Making,
  ): Promise<CachedResponse> => {
    const render = async (made: Awaited<ReturnType<StoredAnswer['read']>>): Promise<CachedResponse> => {
      const { body, link } = typeof made === 'function' ? await made() : made;
      return { body: ownBytes(body), link, state, tag, forms: new Map() };
    };
    // What is read back after a write is of its sender alone.
    if (!answer.cached && !isRead) return render(await answer.read(chosen));
    return flights.join(`${key} ${state}`, async () => {
      const made = await render(await queue.run(answer.queue, () => answer.read(chosen)));
      // After a concurrent write, the state of the answer is uncertain, so it is not cached.
      if (answer.cached && answer.state() === state) cache.put(key, made);
      return made;
    });
  };

  return async (request, answer) => {
    const start = performance.now();
    const { context } = request;
    const { headers, representations, isCoded = true } = answer;
    const chosen = chooseRepresentation(context, answer.format ?? request.query.format, representations);
    if (!chosen) {
      // 404 takes precedence over 406.
      if (!(await answer.exists()) && representations[0]) await answer.read(representations[0]);
      throw notAcceptable(representations);
    }
    const key = `${chosen.mediaType} ${answer.key}`;
    const coding = isCoded ? chooseCoding(context.req.headers['accept-encoding']) : 'identity';
    const state = answer.state();
    let made = cache.get(key, state);
    if (made) queue.pass();
    metrics.cache(made ? 'hit' : 'miss');
    const isRead = context.method === 'GET' || context.method === 'HEAD';
    // Computed before the query, which a matching tag makes unnecessary.
    const making = { key, state, tag: made?.tag ?? strongTag([digest, base, key, state]), isRead };
    const tag = codedTag(making.tag, coding);
    context.set('Vary', 'Accept, Accept-Encoding');
    context.set('Cache-Control', answer.cacheControl);
    context.set('ETag', tag);
    if (headers) context.set(headers);
    if (answer.links !== undefined) context.set('Link', answer.links);
    if (chosen.headers) context.set(chosen.headers);
    if (isRead && (context.method === 'HEAD' || isConditional(context))) {
      const outcome = evaluate(context, { tag, exists: true });
      // 404 takes precedence over 304 and 412, also for HEAD.
      const mustBeThere = context.method === 'HEAD' || outcome === 'failed' || asksForAny(context);
      if (!made && mustBeThere && !(await answer.exists())) made = await make(answer, chosen, making);
      if (outcome === 'failed') throw preconditionFailed();
      context.status = outcome === 'not-modified' ? 304 : 200;
      if (outcome === 'not-modified') {
        metrics.cache('not-modified');
        return;
      }
      context.set('Content-Type', chosen.mediaType);
      // RFC 9110 §9.3.2: HEAD may omit fields that need the content.
      if (context.method === 'HEAD' && !made) return;
    }
    context.status = 200;
    context.set('Content-Type', chosen.mediaType);
    made ??= await make(answer, chosen, making);
    parts.holdAnswer(context, made.body.byteLength);
    const formed = cache.form(key, made, coding);
    const form = formed instanceof Promise ? await formed : formed;
    if (form) context.set('Content-Encoding', coding);
    if (made.link !== undefined) context.append('Link', made.link);
    context.set('Server-Timing', `total;dur=${(performance.now() - start).toFixed(2)}`);
    context.body = form ?? made.body;
  };
}

/** Streams an answer with backpressure until the client disconnects. */
function respondStreaming(context: Context, { headers, mediaType, body, trailers }: StreamAnswer): void {
  context.status = 200;
  context.set('Cache-Control', 'no-store');
  context.set(headers);
  if (context.method === 'HEAD') {
    body.destroy();
    context.body = '';
  } else {
    context.body = body;
    if (trailers) {
      context.set('Trailer', trailers.names.join(', '));
      body.once('end', () => context.res.addTrailers(trailers.made()));
    }
  }
  context.set('Content-Type', mediaType);
}

type Value = string | string[];

/** Sets fields like Koa's `context.set`, without lists that took a twentieth of a cached answer's time. */
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

/**
 * Responds with answers whose common part is cached, or made once for simultaneous requests, inside a frame for each
 * caller. They have no entity tag, since browsers must not store them, and no content coding, since its length could
 * leak the form token. Access was checked before.
 */
export function framedResponder({
  cache,
  queue,
  metrics,
}: Pick<Cacheable, 'cache' | 'queue' | 'metrics'>): (
  request: RequestContext,
  answer: FramedAnswer,
) => Promise<void> {
  const flights = new SingleFlight<CachedResponse>();
  return async ({ context }, answer) => {
    const { key, headers, mediaType } = answer;
    const state = answer.state();
    let made = cache.get(key, state);
    if (made) queue.pass();
    metrics.cache(made ? 'hit' : 'miss');
    made ??= await flights.join(`${key} ${state}`, async () => {
      const common = { body: ownBytes(await answer.make()), state, tag: '', forms: new Map() };
      if (answer.state() === state) cache.put(key, common);
      return common;
    });
    const [before, after] = answer.frame();
    const body = Buffer.concat([Buffer.from(before), made.body, Buffer.from(after)]);
    respondPlainly(context, { kind: 'plain', headers, mediaType, body });
  };
}

/** Responds with a complete answer. @throws Problem precondition-failed */
export function respondPlainly(context: Context, answer: PlainAnswer): void {
  const { status = 200, headers = {}, cacheControl = 'no-store', mediaType, body, version } = answer;
  context.set('Cache-Control', cacheControl);
  if (version) context.set('ETag', version.tag);
  // The conditions of a write were evaluated before it.
  if (version && (context.method === 'GET' || context.method === 'HEAD')) {
    const outcome = evaluate(context, version);
    if (outcome === 'failed') throw preconditionFailed();
    if (outcome === 'not-modified') {
      context.set(headers);
      context.status = 304;
      return;
    }
  }
  context.status = status;
  context.set(headers);
  context.body = body;
  context.set('Content-Type', mediaType);
}
