import type { AccessEntry } from '../../access-log/access-entry.js';
import type { AccessLog } from '../../access-log/access-log.js';
import { Problem } from '../../problem.js';
import { clientAddress } from '../client-address.js';
import { traceOf, type RequestContext } from '../request-context.js';
import type { Analyst } from './analyst.js';
import type { BegunAnswer } from './analyst-client.js';

/** What records queries. */
export interface QueryRecorder {
  readonly accessLog: Pick<AccessLog, 'record'>;
}

/** A query that is asked, and why. */
export interface AskedQuery {
  readonly analyst: Analyst;
  readonly sparql: string;
  readonly purpose: string;
}

/**
 * Runs a query between two entries of the access log: who asks what and why before it runs, and before its answer
 * leaves what came of it. What cannot be recorded is not answered.
 * @throws AccessLogError, and what `run` throws
 */
export async function recordedQuery(
  { accessLog }: QueryRecorder,
  { context }: RequestContext,
  { analyst, sparql, purpose }: AskedQuery,
  run: () => Promise<BegunAnswer>,
): Promise<BegunAnswer> {
  const entry: Omit<AccessEntry, 'outcome'> = {
    action: 'query',
    user: analyst.user.id,
    tokenId: analyst.tokenId,
    purpose,
    level: analyst.level,
    address: clientAddress(context),
    requestId: traceOf(context).requestId,
  };
  await accessLog.record({ ...entry, outcome: 'begun', query: sparql });
  const start = performance.now();
  let begun: BegunAnswer;
  try {
    begun = await run();
  } catch (error) {
    const status = error instanceof Problem ? error.status : 500;
    const reason = error instanceof Problem ? String(error.extra['limit'] ?? error.kind) : undefined;
    const milliseconds = Math.round(performance.now() - start);
    const outcome = status < 500 ? 'refused' : 'failed';
    await accessLog.record({ ...entry, outcome, status, reason, milliseconds });
    throw error;
  }
  try {
    const { rows, revision, ms } = begun.head;
    const came = { rows, revision, milliseconds: Math.round(ms) };
    await accessLog.record({ ...entry, outcome: 'done', status: 200, ...came });
    return begun;
  } catch (error) {
    begun.body.destroy();
    throw error;
  }
}
