import { request as send, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  analystPaths,
  HEAD_FIELD,
  type AnalystFailure,
  type AnalystHead,
  type AnalystQuery,
  type LevelStates,
  type QueryList,
} from '../../analysts/analyst-messages.js';
import { Problem } from '../../problem.js';

/** An answer that begins. Whoever does not want it to its end destroys the body, which ends the query. */
export interface BegunAnswer {
  readonly head: AnalystHead;
  readonly body: IncomingMessage;
}

/** Asks the analyst process. */
export interface AnalystClient {
  /** @param gone ends the query when it is aborted. @throws Problem in a sentence, where there is no answer */
  query(query: AnalystQuery, gone?: AbortSignal): Promise<BegunAnswer>;
  /** The queries that run, of one person or of all. */
  list(user?: string): Promise<QueryList>;
  /** Ends a query. @param user whose it must be @returns whether there was one */
  end(id: string, user?: string): Promise<boolean>;
  states(): Promise<LevelStates>;
}

/** The value of Link (RFC 8288) that leads to what an answer may take, and to how the rest is had. @param base without a slash at its end */
export const limitsLink = (base: string): string => `<${base}/docs#analysts>; rel="help"`;

/** @param socket where the analyst process listens @param base of the container, without a slash at its end */
export function analystClient(socket: string, base: string): AnalystClient {
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
    async query(query, gone) {
      const response = await ask('POST', analystPaths.query, query, gone);
      if (response.statusCode !== 200)
        throw problemOf(JSON.parse(await text(response)) as AnalystFailure, base);
      const head = JSON.parse(decodeURIComponent(String(response.headers[HEAD_FIELD]))) as AnalystHead;
      return { head, body: response };
    },
    list: (user) => json('GET', `${analystPaths.queries}${ofUser(user)}`),
    end: async (id, user) => {
      const path = `${analystPaths.queries}/${encodeURIComponent(id)}${ofUser(user)}`;
      return (await json<{ ended: boolean }>('DELETE', path)).ended;
    },
    states: () => json('GET', analystPaths.levels),
  };
}

/** What nobody waits for any more is no fault of the container. */
function abandoned(cause: unknown): Problem {
  return new Problem('query-limit', 'The query was ended: whoever asked has gone.', {
    extra: { limit: 'ended' },
    cause,
  });
}

function notThere(cause: unknown): Problem {
  return new Problem('unavailable', 'The analysts’ part of the container is starting; try again.', {
    headers: { 'Retry-After': '2' },
    cause,
  });
}

/** The refusal of a query, as the caller gets it. */
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
      return new Problem('too-many-requests', message, { headers: { 'Retry-After': '5' } });
    case 'filling':
      return new Problem('unavailable', message, {
        headers: { 'Retry-After': '2' },
        extra: { progress: failure.progress },
        isExpected: true,
      });
    case 'unavailable':
      return new Problem('unavailable', message, { headers: { 'Retry-After': '60' } });
  }
}
