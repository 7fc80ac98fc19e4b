import type { Context } from 'koa';
import type { Logger } from 'pino';
import { randomUUID } from 'node:crypto';
import { CLOSED, IN_EMERGENCY, PARTLY_CLOSED, type AccessEntry } from '../access/log/access-entry.js';
import type { AccessLog } from '../access/log/access-log.js';
import type { Metrics } from './container-metrics.js';
import { SignatureRefusal } from '../access/oauth/signature-refusal.js';
import type { CallModel } from '../model/ontology/model.js';
import { PathTemplate } from '../model/ontology/path-template.js';
import { Problem } from '../model/problem.js';
import { isRecordId } from '../records/identifiers.js';
import { isPublic } from './handlers/graph-answer.js';
import { clientAddress, traceOf, type Route, type Trace } from './request-context.js';
import { IDENTIFIER } from './target.js';

/**
 * Logs each request in one structured line (method, call, signer or why the signature was refused, status,
 * milliseconds), and each write of a call in another. Path and query are not logged, since they contain ids, names and
 * tokens.
 * @returns a function that begins a request, and returns the one that ends it
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
    // Anything else may be arbitrary text.
    record: isRecordId(record) ? record : undefined,
  };
  log.info({ audit: 'write', ...facts, status, outcome: status < 400 ? 'done' : 'refused' }, 'audit');
}

const actions: Readonly<Record<Route['method'], string>> = {
  GET: 'read',
  PUT: 'write',
  POST: 'write',
  DELETE: 'remove',
};

/** Records the answer to a request, or the error that it ended with. @throws AccessLogError (rejects) */
export type RecordAccess = (context: Context, error?: unknown) => Promise<void> | undefined;

/** Records each access to personal data before the answer is sent; what cannot be recorded is not answered. */
export function recordAccess(log: Pick<AccessLog, 'record'>): RecordAccess {
  return (context, error) => {
    if (error instanceof Problem && error.cause instanceof SignatureRefusal)
      traceOf(context).refusal = error.cause.reason;
    const failed = error instanceof Problem ? error.status : 500;
    const entry = accessEntry(context, error === undefined ? context.status : failed);
    const trace = traceOf(context);
    const { holders = [], users = [], access, reads } = trace;
    if (entry && reads) {
      const each = reads.map((call) => ({ ...entry, call: call.iri, reason: reasonOf(trace, call) }));
      return Promise.all(each.map((own) => log.record(own))).then(() => undefined);
    }
    if (!entry || !access || error !== undefined) return entry && log.record(entry);
    // The page named the holders of these records, and these users, so each was read.
    const read: AccessEntry = {
      ...entry,
      action: 'read',
      outcome: 'done',
      call: undefined,
      reason: trace.refusal,
    };
    // A page may refuse what was asked of it, and say whose the record is.
    const others = [...holders].filter((record) => record !== entry.record || entry.outcome !== 'done');
    const entries: AccessEntry[] = [
      ...others.map((record) => ({ ...read, record })),
      ...[...users].map((user) => ({ ...read, record: undefined, resource: `/users/${user}` })),
    ];
    // The page itself is an access if it is a call or belongs to a record.
    if (entry.call ?? entry.record) entries.unshift(entry);
    return Promise.all(entries.map((each) => log.record(each))).then(() => undefined);
  };
}

/** Makes the log entry of a request; undefined if it concerns no person. Access decisions have their own entries. */
export function accessEntry(context: Context, status: number): AccessEntry | undefined {
  const trace = traceOf(context);
  const call = trace.route?.call ?? trace.access?.call;
  // Queries that run have their own entries; refused ones are recorded here.
  const isRefused = status === 401 || status === 403;
  const isRefusedQuery = trace.route?.credentials === 'analyst' && isRefused;
  const isRefusedExport = trace.route?.access === 'app' && isRefused;
  // How far an export is says nothing of people; its files do.
  const isStatus = trace.route?.method === 'GET' && call?.answer === 'export';
  const isOfPeople =
    trace.reads !== undefined ||
    trace.access !== undefined ||
    (call !== undefined && !isStatus && !isPublic(call));
  if (!trace.route || !(isRefusedQuery || isRefusedExport || isOfPeople)) return undefined;
  // A slowed unproved sender saw nothing, and must not fill the disk.
  if (status === 429 && !trace.principal && !trace.analyst && !trace.visitor?.user) return undefined;
  const { app, token } = trace.principal ?? {};
  return {
    // A form that searches, or asks before it writes, reads.
    action: isRefusedQuery
      ? 'query'
      : trace.reads || trace.access?.isRead
        ? 'read'
        : actions[call?.method ?? trace.route.method],
    outcome: status < 400 ? 'done' : status < 500 ? 'refused' : 'failed',
    user: token?.user ?? trace.visitor?.user?.id ?? trace.analyst?.user.id,
    app,
    tokenId: token?.id ?? trace.analyst?.tokenId,
    call: call?.iri,
    ...placeOf(trace),
    address: clientAddress(context),
    status,
    revision: context.response.get('ETag') || undefined,
    requestId: trace.requestId,
    reason: reasonOf(trace, call),
  };
}

/** Says why a request was refused, or what of it was closed to the reader. */
function reasonOf({ refusal, view, isEmergency }: Trace, call: CallModel | undefined): string | undefined {
  if (refusal !== undefined) return refusal;
  if (view && call === undefined) return PARTLY_CLOSED;
  if (call && view?.closes(call)) return CLOSED;
  return isEmergency ? IN_EMERGENCY : undefined;
}

/** Returns resource and record, unless the path contains anything but ids: that could be arbitrary text. */
function placeOf({ route, parameters = {} }: Trace): Pick<AccessEntry, 'resource' | 'record'> {
  const values = Object.values(parameters);
  if (!route || values.some((value) => value === undefined || !IDENTIFIER.test(value))) return {};
  const record = parameters['record_id'];
  return {
    resource: PathTemplate.of(route.path).fill(parameters),
    record: record !== undefined && isRecordId(record) ? record : undefined,
  };
}

interface RequestIds {
  /** The `X-Request-Id` that was sent, or a new one: for the answer, the request log and the access log. */
  readonly requestId: string;
  readonly traceparent?: string;
}

const PRINTABLE = /^[\x21-\x7e]{1,128}$/u;
/** W3C Trace Context §3.2: version, trace id, parent id, flags; a later version may add more after a dash. */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-[\x21-\x7e]{1,400})?$/u;

/** Returns the ids of a request. Callers' ids end up in logs, so they must be short and printable. */
export function requestIds(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): RequestIds {
  const given = headers['x-request-id'];
  const traceparent = headers['traceparent'];
  const requestId = typeof given === 'string' && PRINTABLE.test(given) ? given : randomUUID();
  return typeof traceparent === 'string' && isTraceparent(traceparent)
    ? { requestId, traceparent }
    : { requestId };
}

function isTraceparent(text: string): boolean {
  const [, version, more] = TRACEPARENT.exec(text) ?? [];
  return version !== undefined && (more === undefined || version !== '00');
}
