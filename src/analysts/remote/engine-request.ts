import type { Dataset } from '../../store/working-set.js';
import type { Bounds } from '../analyst-engine.js';
import { tooLong } from '../engine-copy.js';
import { authorizationOf } from '../../http/authorization-header.js';
import { QueryFault } from '../query-fault.js';
import type { Failure } from '../thread-messages.js';

export interface EngineAddress {
  readonly query: string;
  readonly update: string;
  readonly credentials: string | undefined;
  /** The graph that replaces the default one, for servers without one. */
  readonly place: string | undefined;
}

export interface EngineQuery {
  readonly text: string;
  readonly dataset: Dataset | undefined;
  readonly accept: string;
}

/** The query came to its end without an answer. */
export class QueryEnded extends Error {
  override readonly name = 'QueryEnded';

  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

export interface EngineAnswer {
  /** Whatever ends the answer early is thrown here. */
  readonly body: AsyncGenerator<Uint8Array, void>;
  /** The most rows that the engine gives to any query, if it says so. */
  readonly mostRows: number;
  /** Call it once there are rows: from then on, the time to deliver counts. */
  begun(): void;
}

/** The engine cannot be reached, or failed. */
export class EngineAway extends Error {
  override readonly name = 'EngineAway';
}

const MAX_MESSAGE = 200;

/**
 * Sends a query to an engine. Engines stop when the connection ends, and are told the limit in their own ways: Virtuoso
 * reads milliseconds from the field `timeout`, Fuseki seconds from a header field. @throws QueryEnded, QueryFault, EngineAway
 */
export async function askEngine(
  { query: url, credentials, place }: EngineAddress,
  { text, dataset, accept }: EngineQuery,
  { timeout, delivery, signal, most }: Bounds & { readonly most: number },
): Promise<EngineAnswer> {
  const ended = new AbortController();
  const end = (failure: Failure): void => ended.abort(new QueryEnded(failure));
  const abort = (): void => end({ kind: 'ended', message: String(signal.reason) });
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  let timer = setTimeout(() => end(tooLong(timeout)), timeout);
  const stop = (): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    ended.abort();
  };
  const form = new URLSearchParams({ query: text, timeout: String(timeout) });
  const { defaultGraphs, namedGraphs } = dataset ?? { defaultGraphs: [], namedGraphs: [] };
  for (const graph of dataset || place === undefined ? defaultGraphs : [place])
    form.append('default-graph-uri', graph);
  for (const graph of namedGraphs) form.append('named-graph-uri', graph);
  const began = performance.now();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...(credentials !== undefined && { Authorization: authorizationOf(credentials) }),
        Accept: accept,
        Timeout: String(Math.ceil(timeout / 1000)),
      },
      body: form,
      redirect: 'manual',
      signal: ended.signal,
    });
    const isLate = performance.now() - began > timeout * 0.9;
    if (response.status === 400) throw new QueryFault(await refusalIn(response));
    // Virtuoso answers with what it has found until then.
    if (response.headers.has('X-SQL-State') || (!response.ok && isLate))
      throw new QueryEnded(tooLong(timeout));
    if (!response.ok || !response.body) throw new EngineAway(`The engine answered ${response.status}.`);
    const limited = limitedBody(response.body, most, () => ended.signal.reason as unknown, stop);
    return {
      body: limited,
      mostRows: Number(response.headers.get('X-SPARQL-MaxRows') ?? Infinity),
      begun: () => {
        clearTimeout(timer);
        if (!ended.signal.aborted)
          timer = setTimeout(() => ended.abort(new Error('The query was ended.')), delivery);
      },
    };
  } catch (error) {
    const reason: unknown = ended.signal.reason;
    stop();
    if (reason instanceof QueryEnded) throw reason;
    if (error instanceof QueryEnded || error instanceof QueryFault || error instanceof EngineAway)
      throw error;
    throw new EngineAway('The engine does not answer.', { cause: error });
  }
}

async function* limitedBody(
  body: AsyncIterable<Uint8Array>,
  most: number,
  reason: () => unknown,
  stop: () => void,
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > most) throw new QueryEnded(TOO_LARGE);
      yield chunk;
    }
  } catch (error) {
    throw reason() ?? error;
  } finally {
    stop();
  }
}

const TOO_LARGE: Failure = {
  kind: 'limit',
  limit: 'memory',
  message: 'The answer has more bytes than one may have; ask for fewer columns or rows.',
};

/** Repeats the first line: it goes to the sender of the query alone. */
async function refusalIn(response: Response): Promise<string> {
  const [line = ''] = (await response.text()).trim().split(/[\r\n]/u);
  const reason = /^\w/u.test(line) ? `: ${line.slice(0, MAX_MESSAGE).toWellFormed()}` : '';
  return `The engine cannot answer the query${reason}`;
}
