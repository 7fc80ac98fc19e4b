import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { isRecordId } from '../records/identifiers.js';
import { traceOf, type Trace } from './request-context.js';

/**
 * One structured line a request: method, call, who signed it or why the signature was refused, status, duration
 * in milliseconds; and for each write of a call one that says what came of it. The path and the query string stay out:
 * they can hold record ids, names and tokens; the access token is named by the id that `token list` shows.
 */
export function requestLog(log: Logger): Middleware {
  return async (context, next) => {
    const start = performance.now();
    await next();
    const trace = traceOf(context);
    const { method, status } = context;
    if (trace.route?.call && trace.route.method !== 'GET') logWrite(log, trace, status);
    log.info(
      {
        method,
        call: trace.route?.call?.iri,
        app: trace.principal?.app,
        token_id: trace.principal?.token?.id,
        user: trace.principal?.token?.user,
        refused: trace.refusal,
        status,
        ms: Math.round((performance.now() - start) * 100) / 100,
      },
      'request',
    );
  };
}

function logWrite(log: Logger, { route, parameters, principal }: Trace, status: number): void {
  const record = parameters?.['record_id'] ?? '';
  const facts = {
    app: principal?.app,
    user: principal?.token?.user,
    token_id: principal?.token?.id,
    call: route?.call?.iri,
    // What is no record id is text of anybody.
    record: isRecordId(record) ? record : undefined,
  };
  log.info({ audit: 'write', ...facts, status, outcome: status < 400 ? 'done' : 'refused' }, 'audit');
}
