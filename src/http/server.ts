import {
  createServer,
  STATUS_CODES,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { networkOf } from '../access/accounts/sign-in-limits.js';
import { Problem } from '../model/problem.js';
import { cannotListen } from './cannot-listen.js';
import { Tally } from './admission/bodies.js';

/** Limits for clients, in milliseconds and bytes; beyond them they are disconnected. */
export interface Limits {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
  readonly keepAliveTimeout: number;
  /** How long an answer may wait for a client that does not read. */
  readonly takingTimeout: number;
  readonly maxHeaderSize: number;
  /** Connections of this process; further ones are closed at once. */
  readonly maxConnections: number;
  readonly maxOfAddress: number;
  /** Whether an address belongs to a proxy for many clients, which has no limit of its own. */
  readonly isProxy: (address: string) => boolean;
}

/** The limits of a container. `admission/bodies.ts` has those of bodies, `query-queue.ts` those of waiting queries. */
export const LIMITS: Limits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 10_000,
  takingTimeout: 60_000,
  maxHeaderSize: 16 * 1024,
  maxConnections: 4_000,
  maxOfAddress: 1_000,
  isProxy: () => false,
};

/** Connections waiting to be accepted; the system drops further ones, and clients retry a second later. */
const BACKLOG = 4096;

export type Answering = (...request: Parameters<RequestListener>) => unknown;

export interface ListeningServer {
  readonly port: number;
  /** Sets the listener; until then all but `/health/live` is 503. @param refused called for each refused connection */
  answerWith(listener: Answering, refused?: () => void): void;
  /** Takes no new requests, and gives running ones `patience` milliseconds. */
  stop(patience?: number): Promise<void>;
}

export class PortTakenError extends Error {}

/** Listens at an address. @param port 0 picks a free one @throws PortTakenError */
export async function listen(
  host: string,
  port: number,
  { maxConnections, maxOfAddress, isProxy, takingTimeout, ...limits }: Limits = LIMITS,
): Promise<ListeningServer> {
  let answer: Answering = starting;
  let working = 0;
  let refused: () => void = () => undefined;
  const running = new Bag<ServerResponse>();
  const together = inOneTurn();
  let stopping = false;
  let seen = 0;
  const server = createServer(limits, (request, response) => {
    seen++;
    response.once('close', running.add(response));
    if (stopping) response.setHeader('Connection', 'close');
    if (!hasOneHost(request.rawHeaders)) return void refuse(response, 400);
    working++;
    const done = (): void => void working--;
    together(() => void (async () => answer(request, response))().then(done, done));
  });
  server.timeout = takingTimeout;
  server.on('timeout', (socket: Socket) => {
    const isWorkedFor = [...running].some(
      (response) => response.socket === socket && !response.writableEnded,
    );
    // Waits for an answer in progress that the client is reading; a stalled one holds memory.
    if (isWorkedFor && socket.writableLength === 0) socket.setTimeout(takingTimeout);
    else socket.destroy();
  });
  const open = new Tally();
  server.on('connection', (socket) => {
    seen++;
    const address = socket.remoteAddress ?? '';
    const client = networkOf(address);
    const isOver = open.of(client) >= maxOfAddress && !isProxy(address);
    // Not `server.maxConnections`: a full worker would hand the connection back to be given to another, endlessly
    // if all are full.
    if (open.all >= maxConnections || isOver) {
      refused();
      return void socket.destroy();
    }
    open.add(client, 1);
    socket.once('close', () => open.add(client, -1));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Part of an answer has been sent, so an error response must not follow.
    const isAnswering = [...running].some((response) => response.socket === socket && response.headersSent);
    if (socket.writable && !isAnswering) socket.end(refusal(faults[error.code ?? ''] ?? 400));
    else socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const sentence = cannotListen(error, host, port, { port: '--port', host: '--host' });
      reject(error.code === 'EADDRINUSE' ? new PortTakenError(sentence.message) : sentence);
    });
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    answerWith: (listener, onRefused) => {
      answer = listener;
      if (onRefused) refused = onRefused;
    },
    stop: (patience = 4000) => {
      stopping = true;
      // RFC 9112 §9.6: clients then use another connection for the next request.
      for (const response of running) if (!response.headersSent) response.setHeader('Connection', 'close');
      return stop(server, { running, seen: () => seen, working: () => working }, patience);
    },
  };
}

/** Runs the requests of one turn of the event loop together, so that they share log and nonce writes. */
function inOneTurn(): (work: () => void) => void {
  let waiting: (() => void)[] = [];
  const runAll = (): void => {
    const all = waiting;
    waiting = [];
    for (const work of all) work();
  };
  return (work) => {
    if (waiting.push(work) === 1) setImmediate(runAll);
  };
}

/** Milliseconds between two checks for new requests, and the number of quiet checks before the port is closed. */
const LOOK = 20;
const QUIET_LOOKS = 4;
/** Milliseconds to wait for unfinished work after the last connection is gone. */
const WORK_ENDS_WITHIN = 500;

async function stop(
  server: Server,
  { running, seen, working }: { running: Bag<ServerResponse>; seen: () => number; working: () => number },
  patience: number,
): Promise<void> {
  const until = Date.now() + patience;
  // Requests and connections may still wait behind a query that blocked the event loop: closing now would reset
  // them.
  for (let quiet = 0, before = seen(); quiet < QUIET_LOOKS && Date.now() < until; before = seen()) {
    await wait(LOOK);
    quiet = seen() === before ? quiet + 1 : 0;
  }
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const timer = setTimeout(
    () => {
      const unfinished = [...running];
      // Clients retry after a 503, but may not after a broken connection.
      for (const response of unfinished)
        if (!response.headersSent)
          answerUnavailable(response, 'The container is stopping; try again.', { Connection: 'close' });
      // Later, so that the system has received the answers.
      setTimeout(() => {
        server.closeAllConnections();
        // Node.js does not end the reading of a body by itself once the answer is complete.
        for (const { req } of unfinished) req.destroy();
      }, LOOK);
    },
    Math.max(0, until - Date.now()),
  );
  await closed;
  clearTimeout(timer);
  while (working() > 0 && Date.now() < until + WORK_ENDS_WITHIN) await wait(LOOK);
}

/** Statuses of malformed requests, by the parser's code; all others are 400. */
const faults: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** The characters of a Host field (RFC 3986 §3.2.2). */
const HOST = /^[\w\-.~%!$&'()*+,;=:[\]]*$/;

/** RFC 9112 §3.2: several or malformed Host fields are 400: a proxy may have used another one. */
function hasOneHost(rawHeaders: readonly string[]): boolean {
  let found: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (found !== undefined) return false;
    found = rawHeaders[at + 1];
  }
  return found === undefined || HOST.test(found);
}

const NOSNIFF = { 'X-Content-Type-Options': 'nosniff' };

/** RFC 9457 §4.2.1: with about:blank, only the status matters. */
function refusalOf(status: number): {
  title: string;
  body: string;
  fields: Readonly<Record<string, string>>;
} {
  const title = STATUS_CODES[status] ?? '';
  const detail =
    status === 431
      ? 'Request line and header fields together have at most 16 KB. Send a long SPARQL query as the body of a POST.'
      : undefined;
  const body = JSON.stringify({ type: 'about:blank', title, status, detail });
  const fields = {
    Connection: 'close',
    'Cache-Control': 'no-store',
    'Content-Type': 'application/problem+json',
    ...NOSNIFF,
    'Content-Length': String(body.length),
  };
  return { title, body, fields };
}

function refusal(status: number): string {
  const { title, body, fields } = refusalOf(status);
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${title}\r\n${lines.join('')}\r\n${body}`;
}

function refuse(response: ServerResponse, status: number): void {
  const { body, fields } = refusalOf(status);
  response.writeHead(status, fields).end(body);
}

const starting: RequestListener = (request, response) => {
  if (request.url?.endsWith('/health/live')) {
    response
      .writeHead(200, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store', ...NOSNIFF })
      .end('ok\n');
    return;
  }
  answerUnavailable(response, 'The container is starting; try again.');
};

function answerUnavailable(
  response: ServerResponse,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const { type, title, status } = new Problem('unavailable', detail);
  response
    .writeHead(status, {
      'Content-Type': 'application/problem+json',
      'Retry-After': '1',
      ...NOSNIFF,
      ...headers,
    })
    .end(JSON.stringify({ type, title, status, detail }));
}

interface Entry<T> {
  readonly item: T;
  at: number;
}

/**
 * An unordered collection for items that come and go with every request. With a `Set`, V8 rebuilds its table every few
 * dozen items, and an old table keeps the next alive, with all its items, until a full collection.
 */
export class Bag<T> {
  readonly #entries: Entry<T>[] = [];

  /** Adds an item. @returns a function that removes it, once */
  add(item: T): () => void {
    const entry: Entry<T> = { item, at: this.#entries.length };
    this.#entries.push(entry);
    return () => {
      const last = this.#entries.pop();
      if (last === undefined || last === entry) return;
      last.at = entry.at;
      this.#entries[entry.at] = last;
    };
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const { item } of [...this.#entries]) yield item;
  }
}
