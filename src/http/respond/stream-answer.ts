import type { Context } from 'koa';
import type { StreamAnswer } from '../answer.js';

/** Responds with what comes as it comes: no faster than the caller takes it, and no further than the caller stays. */
export function respondStreaming(context: Context, { headers, mediaType, body }: StreamAnswer): void {
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
