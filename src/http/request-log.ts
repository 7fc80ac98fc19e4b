import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { Principal } from '../oauth/verify.js';

/**
 * One structured line a request: method, call, who signed it or why the signature was refused, status, duration
 * in milliseconds. The path and the query string stay out: they can hold record ids, names and tokens; the access
 * token is named by the id that `token list` shows.
 */
export function requestLog(log: Logger): Middleware {
  return async (context, next) => {
    const start = performance.now();
    await next();
    const call = context.state['call'] as { iri: string } | undefined;
    const principal = context.state['principal'] as Principal | undefined;
    log.info(
      {
        method: context.method,
        call: call?.iri,
        app: principal?.app,
        token_id: principal?.token?.id,
        user: principal?.token?.user,
        refused: context.state['refusal'] as string | undefined,
        status: context.status,
        ms: Math.round((performance.now() - start) * 100) / 100,
      },
      'request',
    );
  };
}
