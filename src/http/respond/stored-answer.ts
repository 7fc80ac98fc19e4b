import { ownBytes } from '../../disk/own-bytes.js';
import type { Representation, StoredAnswer } from '../answer.js';
import type { RequestContext } from '../request-context.js';
import { asksForAny, evaluate, isConditional, preconditionFailed, strongTag } from './conditions.js';
import { chooseCoding, codedTag } from './content-coding.js';
import { chooseRepresentation, notAcceptable } from './negotiate.js';
import type { Metrics } from '../../metrics/container-metrics.js';
import { QueueFull, type QueryQueue } from './query-queue.js';
import type { CachedResponse, ResponseCache } from './response-cache.js';
import { SingleFlight } from './single-flight.js';

/** What the cache and entity tags depend on. */
export interface Cacheable {
  readonly base: string;
  /** Of ontology and queries. */
  readonly digest: string;
  readonly cache: ResponseCache;
  readonly queue: QueryQueue;
  readonly metrics: Pick<Metrics, 'cache'>;
}

/** What is made of a representation, in which state of the store. */
interface Making {
  readonly key: string;
  readonly state: string;
  readonly tag: string;
}

/**
 * Makes what responds with answers that depend on a state of the store: cached ones from memory, others made once for
 * all who ask at the same time, each in its turn. Whoever calls it has checked access and whether the record exists:
 * the cache knows nothing of either. 304 needs no query, nor does HEAD of what is there.
 * @throws Problem not-acceptable, precondition-failed, or unavailable when too many answers wait for the store
 */
export function storedResponder(
  parts: Cacheable,
): (request: RequestContext, answer: StoredAnswer) => Promise<void> {
  // Who waits for the answer that somebody else is refused has a turn of its own.
  const flights = new SingleFlight<CachedResponse>((error) => error instanceof QueueFull);
  const { base, digest, cache, queue, metrics } = parts;

  const make = async (
    answer: StoredAnswer,
    chosen: Representation,
    { key, state, tag }: Making,
  ): Promise<CachedResponse> => {
    const render = async (made: Awaited<ReturnType<Representation['make']>>): Promise<CachedResponse> => {
      const { body, link } = typeof made === 'function' ? await made() : made;
      return { body: ownBytes(body), link, state, tag, forms: new Map() };
    };
    if (!answer.cached) return render(await chosen.make());
    return flights.join(`${key} ${state}`, async () => {
      const made = await render(await queue.run(answer.queue, () => chosen.make()));
      // What was written meanwhile may be in the answer or not.
      if (answer.state() === state) cache.put(key, made);
      return made;
    });
  };

  return async (request, answer) => {
    const start = performance.now();
    const { context } = request;
    const { headers, representations } = answer;
    const chosen = chooseRepresentation(context, request.query.format, representations);
    if (!chosen) {
      // What is not there is 404 before it is 406.
      if (!(await answer.exists())) await representations[0]?.make();
      throw notAcceptable(representations);
    }
    const key = `${chosen.mediaType} ${answer.key}`;
    const coding = chooseCoding(context.req.headers['accept-encoding']);
    const state = answer.state();
    let made = cache.get(key, state);
    if (made) queue.pass();
    metrics.cache(made ? 'hit' : 'miss');
    // It changes with everything that the answer depends on, and is made before the query runs: a match needs none.
    const making = { key, state, tag: made?.tag ?? strongTag([digest, base, key, state]) };
    const tag = codedTag(making.tag, coding);
    context.set('Vary', 'Accept, Accept-Encoding');
    context.set('Cache-Control', answer.cacheControl);
    context.set('ETag', tag);
    if (headers) context.set(headers);
    if (answer.links !== undefined) context.set('Link', answer.links);
    if (chosen.headers) context.set(chosen.headers);
    const isRead = context.method === 'GET' || context.method === 'HEAD';
    if (isRead && (context.method === 'HEAD' || isConditional(context))) {
      const outcome = evaluate(context, { tag, exists: true });
      // What is not there is 404 before it is 304 or 412, and HEAD of it is 404 too.
      const mustBeThere = context.method === 'HEAD' || outcome === 'failed' || asksForAny(context);
      if (!made && mustBeThere && !(await answer.exists())) made = await make(answer, chosen, making);
      if (outcome === 'failed') throw preconditionFailed();
      context.status = outcome === 'not-modified' ? 304 : 200;
      if (outcome === 'not-modified') {
        metrics.cache('not-modified');
        return;
      }
      context.set('Content-Type', chosen.mediaType);
      // RFC 9110 §9.3.2: HEAD may leave out the fields that only making the content would tell.
      if (context.method === 'HEAD' && !made) return;
    }
    context.status = 200;
    context.set('Content-Type', chosen.mediaType);
    made ??= await make(answer, chosen, making);
    const formed = cache.form(key, made, coding);
    const form = formed instanceof Promise ? await formed : formed;
    if (form) context.set('Content-Encoding', coding);
    if (made.link !== undefined) context.append('Link', made.link);
    context.set('Server-Timing', `total;dur=${(performance.now() - start).toFixed(2)}`);
    context.body = form ?? made.body;
  };
}
