import type { Context } from 'koa';
import type { PlainAnswer } from '../answer.js';
import { evaluate, preconditionFailed } from './conditions.js';

/** Responds with an answer that is there already. @throws Problem precondition-failed */
export function respondPlainly(context: Context, answer: PlainAnswer): void {
  const { status = 200, headers = {}, cacheControl = 'no-store', mediaType, body, version } = answer;
  context.set('Cache-Control', cacheControl);
  if (version) context.set('ETag', version.tag);
  // The conditions of a write are about what it replaces, and were evaluated then.
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
