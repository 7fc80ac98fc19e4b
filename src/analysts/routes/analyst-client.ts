import { request as send, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  analystPaths,
  HEAD_FIELD,
  TAIL_FIELD,
  type AnalystFailure,
  type AnalystHead,
  type AnalystQuery,
  type LevelStates,
  type QueryList,
} from '../analyst-messages.js';
import type { AnswerTail } from '../thread-messages.js';
import { Problem } from '../../model/problem.js';
import type { AccessEntry } from '../../access/log/access-entry.js';
import type { AccessLog } from '../../access/log/access-log.js';
import { clientAddress, traceOf, type RequestContext } from '../../http/request-context.js';
import type { Analyst } from '../../http/analyst.js';

/** Destroying the body ends the query. */
export interface BegunAnswer {
  readonly head: AnalystHead;
  readonly body: Readable;
  /** What the head leaves out; undefined before the body has ended. */
  readonly tail: () => AnswerTail | undefined;
}

export type AnalystClient = ReturnType<typeof analystClient>;

/** Writes a Link (RFC 8288) to the documentation of the limits. @param base no trailing slash */
export const limitsLink = (base: string): string => `<${base}/docs#analysts>; rel="help"`;

/** Makes a client of the analyst process. @param socket its path @param base no trailing slash */
export function analystClient(socket: string, base: string) {
  const ask = (
    method: string,
    path: string,
    body?: unknown,
    signal?: AbortSignal,
  ): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const request = send({ socketPath: socket, method, path, ...(signal && { signal }) }, resolve);
      request.once('error', (cause) => reject(signal?.aborted ? abandoned(cause) : notThere(cause)));
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
  const json = async <T>(method: string, path: string): Promise<T> =>
    JSON.parse(await text(await ask(method, path))) as T;
  const ofUser = (user?: string): string => (user === undefined ? '' : `?user=${encodeURIComponent(user)}`);
  return {
    /** @param gone ends the query when aborted @throws Problem if there is no answer */
    async query(query: AnalystQuery, gone?: AbortSignal): Promise<BegunAnswer> {
      const response = await ask('POST', analystPaths.query, query, gone);
      if (response.statusCode !== 200)
        throw problemOf(JSON.parse(await text(response)) as AnalystFailure, base);
      const head = JSON.parse(decodeURIComponent(String(response.headers[HEAD_FIELD]))) as AnalystHead;
      const tail = (): AnswerTail | undefined => {
        const text = response.trailers[TAIL_FIELD];
        return text === undefined ? undefined : (JSON.parse(text) as AnswerTail);
      };
      return { head, body: response, tail };
    },
    list: (user?: string) => json<QueryList>('GET', `${analystPaths.queries}${ofUser(user)}`),
    /** Ends a query. @param user the required owner, if any @returns whether it existed */
    end: async (id: string, user?: string): Promise<boolean> => {
      const path = `${analystPaths.queries}/${encodeURIComponent(id)}${ofUser(user)}`;
      return (await json<{ ended: boolean }>('DELETE', path)).ended;
    },
    states: () => json<LevelStates>('GET', analystPaths.levels),
  };
}

/** An aborted request is not a failure of the container. */
function abandoned(cause: unknown): Problem {
  return new Problem('query-limit', 'The query was ended: the client has gone.', {
    extra: { limit: 'ended' },
    cause,
  });
}

function notThere(cause: unknown): Problem {
  return new Problem('unavailable', 'The analysts’ part of the container is starting; try again.', {
    retryAfter: 2,
    cause,
  });
}

function problemOf(failure: AnalystFailure, base: string): Problem {
  const { kind, message } = failure;
  const headers = { Link: limitsLink(base) };
  switch (kind) {
    case 'invalid': {
      const { line, column } = failure;
      return new Problem('malformed-request', message, { extra: { line, column } });
    }
    case 'format':
      return new Problem('not-acceptable', message);
    case 'limit':
      return new Problem('query-limit', message, { headers, extra: { limit: failure.limit } });
    case 'ended':
      return new Problem('query-limit', message, { headers, extra: { limit: 'ended' } });
    case 'too-many':
      return new Problem('too-many-requests', message, { retryAfter: 5 });
    case 'filling':
      return new Problem('unavailable', message, {
        retryAfter: 2,
        extra: { progress: failure.progress },
        isExpected: true,
      });
    case 'unavailable':
      return new Problem('unavailable', message, { retryAfter: 60 });
  }
}

export interface QueryParts {
  readonly accessLog: Pick<AccessLog, 'record'>;
  readonly client: AnalystClient;
}

/**
 * Runs a query between two access log entries: who asks what and why before it runs, and the outcome before the answer
 * is sent. Without an entry there is no answer. @param gone ends the query when aborted
 * @throws AccessLogError, and Problem if there is no answer
 */
export async function recordedQuery(
  { accessLog, client }: QueryParts,
  { context }: RequestContext,
  { user: { id: user }, level, tokenId, allRows, page, isAggregate }: Analyst,
  query: Omit<AnalystQuery, 'user' | 'level' | 'allRows'>,
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
  // Scripts of browsers cannot read trailers, and aggregates need all rows.
  const isWhole = page !== undefined || isAggregate;
  let begun: BegunAnswer;
  try {
    begun = await client.query({ ...query, level, user, allRows, isWhole }, gone);
  } catch (error) {
    const status = error instanceof Problem ? error.status : 500;
    const reason = error instanceof Problem ? String(error.extra['limit'] ?? error.kind) : undefined;
    const milliseconds = Math.round(performance.now() - start);
    const outcome = status < 500 ? 'refused' : 'failed';
    await accessLog.record({ ...entry, outcome, status, reason, milliseconds });
    throw error;
  }
  const { head, body, tail } = begun;
  const done = { ...entry, outcome: 'done', status: 200, revision: head.revision } as const;
  if (head.rows === undefined) {
    const milliseconds = (): number => Math.round(performance.now() - start);
    return {
      head,
      tail,
      body: recordedBody(body, () =>
        accessLog.record({ ...done, rows: tail()?.rows, milliseconds: milliseconds() }),
      ),
    };
  }
  try {
    await accessLog.record({ ...done, rows: head.rows, milliseconds: Math.round(head.ms) });
    return begun;
  } catch (error) {
    body.destroy();
    throw error;
  }
}

/** Records the outcome before the end of the body is passed on, or when it ends early. */
function recordedBody(body: Readable, record: () => Promise<void>): Readable {
  return Readable.from(
    (async function* () {
      try {
        yield* body as AsyncIterable<Buffer>;
      } finally {
        await record();
      }
    })(),
    { objectMode: false },
  );
}
