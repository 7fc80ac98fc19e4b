import type { Context } from 'koa';
import type { AccessEntry } from '../access-log/access-entry.js';
import type { AccessLog } from '../access-log/access-log.js';
import { SignatureRefusal } from '../oauth/signature-refusal.js';
import { PathTemplate } from '../ontology/path-template.js';
import { Problem } from '../problem.js';
import { isRecordId } from '../records/identifiers.js';
import { clientAddress } from './client-address.js';
import { isPublic } from './handlers/graph-answer.js';
import { traceOf, type Route, type Trace } from './request-context.js';

/** What a request does, as the access log names it. */
const actions: Readonly<Record<Route['method'], string>> = {
  GET: 'read',
  PUT: 'write',
  POST: 'write',
  DELETE: 'remove',
};

/** Records what came of a request: that it is to be answered, or the error that it ended with. @throws AccessLogError (rejects) */
export type RecordAccess = (context: Context, error?: unknown) => Promise<void> | undefined;

/**
 * Records each access to data of a person, what was refused included, before its answer leaves: the entry is with the
 * operating system by then. What cannot be recorded is not answered.
 */
export function recordAccess(log: Pick<AccessLog, 'record'>): RecordAccess {
  return (context, error) => {
    // For the logs alone: which rule a signature broke.
    if (error instanceof Problem && error.cause instanceof SignatureRefusal)
      traceOf(context).refusal = error.cause.reason;
    const failed = error instanceof Problem ? error.status : 500;
    const entry = accessEntry(context, error === undefined ? context.status : failed);
    return entry && log.record(entry);
  };
}

/** The entry of a request with a status; undefined for what is about no person, and for pages that show nothing of one. Decisions about access have entries of their own. */
export function accessEntry(context: Context, status: number): AccessEntry | undefined {
  const trace = traceOf(context);
  const call = trace.route?.call ?? trace.access?.call;
  // Of queries that are asked there are entries of their own; of those that nobody may ask there is this one.
  const isRefused = status === 401 || status === 403;
  const isRefusedQuery = trace.route?.credentials === 'analyst' && isRefused;
  const isRefusedExport = trace.route?.access === 'app' && isRefused;
  const isOfPeople =
    trace.access !== undefined || (call !== undefined && call.scope !== 'app' && !isPublic(call));
  if (!trace.route || !(isRefusedQuery || isRefusedExport || isOfPeople)) return undefined;
  // A stranger who is slowed saw nothing; what is asked so often must not fill the disk.
  if (status === 429 && !trace.principal && !trace.analyst && !trace.visitor?.user) return undefined;
  const { app, token } = trace.principal ?? {};
  return {
    action: isRefusedQuery ? 'query' : actions[trace.route.method],
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
    reason: trace.refusal,
  };
}

/** What was asked for, unless the path holds what is no id: that may be any text. */
function placeOf({ route, parameters = {} }: Trace): Pick<AccessEntry, 'resource' | 'record'> {
  const values = Object.values(parameters);
  if (!route || values.some((value) => value === undefined || !/^[A-Za-z0-9._~@+-]{1,128}$/.test(value)))
    return {};
  const record = parameters['record_id'];
  return {
    resource: PathTemplate.of(route.path).fill(parameters),
    record: record !== undefined && isRecordId(record) ? record : undefined,
  };
}
