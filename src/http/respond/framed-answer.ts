import type { FramedAnswer } from '../answer.js';
import { ownBytes } from '../../disk/own-bytes.js';
import type { RequestContext } from '../request-context.js';
import { respondPlainly } from './plain-answer.js';
import type { CachedResponse } from './response-cache.js';
import { SingleFlight } from './single-flight.js';
import type { Cacheable } from './stored-answer.js';

/**
 * Makes what responds with answers of which most is the same for everybody: that part comes from memory, or is made once
 * for all who ask at the same time. What is around it is made for each. Such an answer goes out whole, without an
 * entity tag and uncoded: browsers must not store it, and a frame holds a form token, which a length could betray.
 * Whoever calls it has checked access: the cache knows nothing of it.
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
      // What was written meanwhile may be in it or not.
      if (answer.state() === state) cache.put(key, common);
      return common;
    });
    const [before, after] = answer.frame();
    const body = Buffer.concat([Buffer.from(before), made.body, Buffer.from(after)]);
    respondPlainly(context, { kind: 'plain', headers, mediaType, body });
  };
}
