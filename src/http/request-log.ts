import type { Middleware } from 'koa';
import type { Logger } from 'pino';

/**
 * One structured line a request: method, call, status, duration in milliseconds.
 * The path and the query string stay out: they can hold record ids, names and tokens.
 */
export function requestLog(log: Logger): Middleware {
  return async (context, next) => {
    const start = performance.now();
    await next();
    const call = context.state['call'] as { iri: string } | undefined;
    log.info(
      {
        method: context.method,
        call: call?.iri,
        status: context.status,
        ms: Math.round((performance.now() - start) * 100) / 100,
      },
      'request',
    );
  };
}
