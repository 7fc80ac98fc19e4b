import type { Context } from 'koa';
import { asksForAny, evaluate, preconditionFailed } from './preconditions.js';

/**
 * Reads what a GET answers with, unless its conditions say that the caller has it already (RFC 9110 §13.2.2). The tag
 * covers everything that the answer is made of, so a tag that matches needs no reading.
 * @param read makes the answer; it throws when there is no such thing
 * @returns undefined when the response is finished: 304
 * @throws Problem precondition-failed
 */
export async function conditionalGet<T>(
  context: Context,
  tag: string,
  read: () => Promise<T>,
): Promise<T | undefined> {
  context.set('ETag', tag);
  // `*` asks whether there is anything at all, which only reading can tell.
  const found = asksForAny(context) ? { answer: await read() } : undefined;
  const outcome = evaluate(context, { tag, exists: true });
  if (outcome === 'not-modified') {
    context.status = 304;
    return undefined;
  }
  const { answer } = found ?? { answer: await read() };
  // What is not there is 404 before it is 412.
  if (outcome === 'failed') throw preconditionFailed();
  return answer;
}
