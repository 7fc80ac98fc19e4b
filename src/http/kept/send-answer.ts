import type { Context } from 'koa';
import { cacheControl } from '../caching.js';
import type { AllowedCall } from '../calls.js';
import { ColdLane } from './cold-lane.js';
import type { ContainerContext } from '../container-context.js';
import { chooseCoding } from './content-coding.js';
import { answerKey, codedTag, entityTag } from './entity-tag.js';
import { asksForAny, evaluate, preconditionFailed } from '../negotiation/preconditions.js';
import { ResponseCache, type KeptAnswer, type Rendered } from './response-cache.js';
import { revisionState } from './revision-state.js';
import { SingleFlight } from './single-flight.js';

/** How the answer of a call is made, when it has to be. */
export interface Recipe {
  readonly mediaType: string;
  /** Reads and writes the answer; it throws when there is no such thing. */
  render(): Promise<Rendered>;
  /**
   * Whether the thing is surely there, as far as that can be said without a query; it throws for parameters that
   * cannot be used.
   */
  exists(): boolean | Promise<boolean>;
  /** False for what is too large to keep or must be made anew each time. Default true. */
  readonly kept?: boolean | undefined;
}

/** Answers a GET or HEAD whose answer depends on nothing but the request and the state of the store. */
export type SendAnswer = (context: Context, request: AllowedCall, recipe: Recipe) => Promise<void>;

/**
 * Makes the one way in which such answers go out: kept ones from memory, others made once for all who ask at the same
 * time, each in its turn. Whoever calls it has checked access and whether the record exists: the cache knows nothing
 * of either. 304 needs no query, nor does HEAD of what is there.
 * @throws Problem precondition-failed, or unavailable when too many answers wait for the store
 */
export function createSender(container: ContainerContext): SendAnswer {
  const cache = new ResponseCache(container.cacheBytes);
  const flights = new SingleFlight<KeptAnswer>();
  const lane = new ColdLane();

  const make = async (
    request: AllowedCall,
    { render, kept = true }: Recipe,
    { key, state, tag }: Place,
  ): Promise<KeptAnswer> => {
    if (!kept) return { ...(await render()), state, tag, forms: new Map() };
    return flights.join(`${key} ${state}`, () =>
      lane.run(request.call.iri, async () => {
        const answer = { ...(await render()), state, tag, forms: new Map() };
        // What was written meanwhile may be in the answer or not.
        if (revisionState(container, request) === state) cache.keep(key, answer);
        return answer;
      }),
    );
  };

  return async (context, request, recipe) => {
    const start = performance.now();
    const coding = chooseCoding(context.req.headers['accept-encoding']);
    const key = answerKey(request, recipe.mediaType);
    const state = revisionState(container, request);
    let answer = cache.get(key, state);
    if (answer) lane.pass();
    const place = { key, state, tag: answer?.tag ?? entityTag(container, key, state) };
    const tag = codedTag(place.tag, coding);
    context.set('Vary', 'Accept, Accept-Encoding');
    context.set('Cache-Control', cacheControl(request.call, container.containerAccess));
    context.set('ETag', tag);
    const outcome = evaluate(context, { tag, exists: true });
    // What is not there is 404 before it is 304 or 412, and HEAD of it is 404 too.
    const mustBeThere = context.method === 'HEAD' || outcome === 'failed' || asksForAny(context);
    if (!answer && mustBeThere && !(await recipe.exists())) answer = await make(request, recipe, place);
    if (outcome === 'failed') throw preconditionFailed();
    context.status = outcome === 'not-modified' ? 304 : 200;
    if (outcome === 'not-modified') return;
    context.set('Content-Type', recipe.mediaType);
    // RFC 9110 §9.3.2: HEAD may leave out the fields that only making the content would tell.
    if (context.method === 'HEAD' && !answer) return;
    answer ??= await make(request, recipe, place);
    const form = cache.form(key, answer, coding);
    if (form) context.set('Content-Encoding', coding);
    if (answer.link !== undefined) context.set('Link', answer.link);
    context.set('Server-Timing', `total;dur=${(performance.now() - start).toFixed(2)}`);
    context.body = form ?? answer.body;
  };
}

interface Place {
  readonly key: string;
  readonly state: string;
  readonly tag: string;
}
