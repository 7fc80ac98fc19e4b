import { authorizationOf } from '../../http/authorization-header.js';
import type { AnswerRow } from '../../rdf/json-term.js';

export interface SparqlServer {
  /** @param kind 'scan' gives it more time @returns the rows of a SELECT @throws ServerAway, ServerRefuses */
  select(query: string, kind?: 'query' | 'scan'): Promise<readonly AnswerRow[]>;
  /** @throws ServerAway, ServerRefuses */
  update(text: string): Promise<void>;
  /** Whether it takes N-Quads by the Graph Store Protocol, as far as is known. */
  readonly isLoader: boolean;
  /** Adds N-Quads. A server that refuses them is no loader from then on. @throws ServerAway */
  load(nquads: AsyncIterable<Uint8Array>): Promise<void>;
}

export interface ServerAddress {
  readonly query: string;
  readonly update: string;
  /** `user:password` (RFC 7617), or a bearer token (RFC 6750), which has no colon. */
  readonly credentials: string | undefined;
  readonly signal: AbortSignal;
  /** What sets its parts. */
  readonly named: { readonly query: string; readonly update: string; readonly credentials: string };
}

/** The server did not answer, but may have executed the request. */
export class ServerAway extends Error {
  override readonly name = 'ServerAway';
}

/** The server refused. Its message is not repeated, since it may quote data. */
export class ServerRefuses extends Error {
  override readonly name = 'ServerRefuses';
}

/** Milliseconds; an update may remove millions of triples, and a scan read all. */
const TIMEOUTS_MS = { query: 60_000, scan: 280_000, update: 280_000 } as const;
/** An answer contains up to a thousand names of graphs. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Makes a client of a server that does not follow redirects. */
export function sparqlServer({ query, update, credentials, signal, named }: ServerAddress): SparqlServer {
  const authorization = credentials === undefined ? {} : { Authorization: authorizationOf(credentials) };
  let store: string | undefined;
  const post = async (
    kind: keyof typeof TIMEOUTS_MS | 'store',
    type: string,
    body: string | AsyncIterable<Uint8Array>,
  ): Promise<Response> => {
    const url = { query, scan: query, update, store: store ?? update }[kind];
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...authorization,
        Accept: 'application/sparql-results+json, */*;q=0.1',
        'Content-Type': type,
      },
      body,
      duplex: 'half',
      redirect: 'manual',
      // A stream takes as long as there is more of it.
      signal: kind === 'store' ? signal : AbortSignal.any([signal, AbortSignal.timeout(TIMEOUTS_MS[kind])]),
    }).catch((cause: unknown) => {
      throw new ServerAway(`${url} does not answer`, { cause });
    });
    store ??= storeOf(response.headers.get('Server') ?? '', update);
    if (response.ok) return response;
    await response.body?.cancel();
    throw refusalOf(response.status, url, named);
  };
  return {
    select: async (text, kind = 'query') => {
      const response = await post(kind, 'application/x-www-form-urlencoded', form('query', text));
      return rowsOf(await boundedText(response, query), query);
    },
    update: async (text) => {
      const response = await post('update', 'application/sparql-update', text);
      await response.body?.cancel();
    },
    get isLoader() {
      return store !== undefined && store !== '';
    },
    load: async (nquads) => {
      try {
        await (await post('store', 'application/n-quads', nquads)).body?.cancel();
      } catch (cause) {
        if (cause instanceof ServerAway) throw cause;
        store = '';
        throw new ServerAway(`${update} takes no N-Quads`, { cause });
      }
    },
  };
}

/** Returns where servers of known kinds take N-Quads; they name themselves. */
function storeOf(server: string, update: string): string | undefined {
  if (!update.endsWith('/update')) return undefined;
  const parent = update.slice(0, -'/update'.length);
  if (server.startsWith('Oxigraph/')) return `${parent}/store?no_transaction`;
  return server.includes('Fuseki') ? parent : undefined;
}

const form = (name: string, value: string): string => new URLSearchParams({ [name]: value }).toString();

/** RFC 4918 §11.5, RFC 9110 §15.5.14. */
const [NO_ROOM, TOO_LARGE] = [507, 413];
/** Statuses worth a retry (RFC 9110 §15.5.9, RFC 6585 §4). */
const transientStatuses = new Set([408, 425, 429]);

function refusalOf(status: number, url: string, named: ServerAddress['named']): Error {
  if (status === NO_ROOM) return new ServerAway(`${url} answered ${status}, as it has no room left`);
  if (status >= 500 || transientStatuses.has(status)) return new ServerAway(`${url} answered ${status}`);
  if (status === 401 || status === 403)
    return new ServerRefuses(
      `${url} answered ${status}: set ${named.credentials} to user:password, or to a bearer token, that may query and update.`,
    );
  if (status === TOO_LARGE)
    return new ServerRefuses(
      `${url} answered ${status}: let it take larger requests, or the proxy in front of it, of some megabytes at least.`,
    );
  return new ServerRefuses(
    `${url} answered ${status}; give ${named.query} the address where it takes SPARQL queries, and ${named.update} the one where it takes SPARQL updates.`,
  );
}

async function boundedText(response: Response, url: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new ServerAway(`${url} broke off its answer`, { cause });
  }
  if (bytes > MAX_BYTES) throw new ServerRefuses(`${url} answered with more than was asked for.`);
  return Buffer.concat(chunks).toString();
}

function rowsOf(text: string, url: string): readonly AnswerRow[] {
  const none = new ServerRefuses(
    `${url} gave no SPARQL results in JSON; is it the address for SPARQL queries?`,
  );
  let answer: { readonly results?: { readonly bindings?: readonly AnswerRow[] } } | null;
  try {
    answer = JSON.parse(text) as typeof answer;
  } catch {
    throw none;
  }
  const rows: unknown = answer?.results?.bindings;
  const isRow = (row: unknown): row is AnswerRow => typeof row === 'object' && row !== null;
  if (!Array.isArray(rows) || !rows.every(isRow)) throw none;
  return rows;
}
