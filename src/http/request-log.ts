import type { Context } from 'koa';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics/container-metrics.js';
import { requestIds } from '../metrics/request-id.js';
import { isRecordId } from '../records/identifiers.js';
import { traceOf, type Trace } from './request-context.js';

/**
 * One structured line a request: method, call, who signed it or why the signature was refused, status, duration
 * in milliseconds; and for each write of a call one that says what came of it. The path and the query string stay out:
 * they can hold record ids, names and tokens; the access token is named by the id that `token list` shows. Of the same
 * request the caller's log and the access log tell by its id.
 * @returns what begins a request, and gives what ends it
 */
export function requestLog(log: Logger, metrics: Metrics): (context: Context) => () => void {
  return (context) => {
    const start = performance.now();
    const trace = traceOf(context);
    const { requestId, traceparent } = requestIds(context.req.headers);
    trace.requestId = requestId;
    context.set('X-Request-Id', requestId);
    return () => {
      const { method, status } = context;
      const ms = performance.now() - start;
      metrics.request(trace.route?.call?.name, status, ms / 1000);
      if (trace.refusal !== undefined) metrics.refused(trace.refusal);
      if (trace.route?.call && trace.route.method !== 'GET') logWrite(log, trace, status);
      log.info(
        {
          method,
          call: trace.route?.call?.iri,
          app: trace.principal?.app,
          token_id: trace.principal?.token?.id ?? trace.analyst?.tokenId,
          user: trace.principal?.token?.user ?? trace.analyst?.user.id,
          refused: trace.refusal,
          status,
          ms: Math.round(ms * 100) / 100,
          request_id: requestId,
          traceparent,
        },
        'request',
      );
    };
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
