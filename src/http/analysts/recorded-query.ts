import type { AccessEntry } from '../../access-log/access-entry.js';
import type { AccessLog } from '../../access-log/access-log.js';
import type { AnalystQuery } from '../../analysts/analyst-messages.js';
import { Problem } from '../../problem.js';
import { clientAddress } from '../client-address.js';
import { traceOf, type RequestContext } from '../request-context.js';
import type { Analyst } from './analyst.js';
import type { AnalystClient, BegunAnswer } from './analyst-client.js';

/** What runs queries and records them. */
export interface QueryParts {
  readonly accessLog: Pick<AccessLog, 'record'>;
  readonly client: AnalystClient;
}

/**
 * Runs a query between two entries of the access log: who asks what and why before it runs, and before its answer
 * leaves what came of it. What cannot be recorded is not answered.
 * @param gone ends the query when it is aborted
 * @throws AccessLogError, and Problem where there is no answer
 */
export async function recordedQuery(
  { accessLog, client }: QueryParts,
  { context }: RequestContext,
  { user: { id: user }, level, tokenId }: Analyst,
  query: Omit<AnalystQuery, 'user' | 'level'>,
  gone?: AbortSignal,
): Promise<BegunAnswer> {
  const entry: Omit<AccessEntry, 'outcome'> = {
    action: 'query',
    user,
    tokenId,
    purpose: query.purpose,
    level,
    address: clientAddress(context),
    requestId: traceOf(context).requestId,
  };
  await accessLog.record({ ...entry, outcome: 'begun', query: query.sparql });
  const start = performance.now();
  let begun: BegunAnswer;
  try {
    begun = await client.query({ ...query, level, user }, gone);
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
