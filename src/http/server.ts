import {
  createServer,
  STATUS_CODES,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { networkOf } from '../accounts/network-of.js';
import { Problem } from '../problem.js';
import { cannotListen } from '../metrics/cannot-listen.js';
import { Bag } from './bag.js';
import { Tally } from './tally.js';

/** What a client may cost before it is cut off; times in milliseconds, sizes in bytes. */
export interface Limits {
  /** Until all header fields are there. */
  readonly headersTimeout: number;
  /** Until the body is there as well. */
  readonly requestTimeout: number;
  /** How often the two are looked at. */
  readonly connectionsCheckingInterval: number;
  /** How long a connection may stay open without a request. */
  readonly keepAliveTimeout: number;
  /** How long an answer may wait for a client that takes nothing of it. */
  readonly takingTimeout: number;
  /** Request line and header fields together. */
  readonly maxHeaderSize: number;
  /** Connections at a time in this process; further ones are closed at once. */
  readonly maxConnections: number;
  /** Those of one address; likewise. */
  readonly maxOfAddress: number;
  /** Whether an address is one of many clients, so that its connections are not counted together. */
  readonly isProxy: (address: string) => boolean;
}

/** The limits of a container; those of bodies are in `body.ts`, of waiting queries in `query-queue.ts`. */
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

/** Connections that wait to be accepted: the system drops what comes beyond, and the client tries again a second later. */
const BACKLOG = 4096;

/** Answers requests; what it gives back resolves when it has done all that it does for one. */
export type Answering = (...request: Parameters<RequestListener>) => unknown;

/** A listening HTTP server whose application may come later. */
export interface ListeningServer {
  readonly port: number;
  /**
   * Sets what answers from now on; until then everything but `/health/live` is 503.
   * @param refused told of each connection that is closed because there are too many
   */
  answerWith(listener: Answering, refused?: () => void): void;
  /** Takes no new requests, and gives those that run `patience` milliseconds. */
  stop(patience?: number): Promise<void>;
}

/** Somebody else listens on the port. */
export class PortTakenError extends Error {}

/**
 * Listens at an address. @param port 0 picks a free one
 * @throws PortTakenError in one sentence
 */
export async function listen(
  host: string,
  port: number,
  { maxConnections, maxOfAddress, isProxy, takingTimeout, ...limits }: Limits = LIMITS,
): Promise<ListeningServer> {
  let answer: Answering = starting;
  /** Requests that somebody works on, also when their connections are gone. */
  let working = 0;
  let refused: () => void = () => undefined;
  const running = new Bag<ServerResponse>();
  const together = inOneTurn();
  let stopping = false;
  /** Connections and requests that have come so far. */
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
    // What is still being made, or has come to its reader so far, is waited for; a stalled answer holds its memory.
    if (isWorkedFor && socket.writableLength === 0) socket.setTimeout(takingTimeout);
    else socket.destroy();
  });
  /** Connections by client. */
  const open = new Tally();
  server.on('connection', (socket) => {
    seen++;
    const address = socket.remoteAddress ?? '';
    const client = networkOf(address);
    const isOver = open.of(client) >= maxOfAddress && !isProxy(address);
    // Not `server.maxConnections`: a worker that has so many sends the next one back, the first process gives it to
    // another worker, and where all are full it goes round for ever.
    if (open.all >= maxConnections || isOver) {
      refused();
      return void socket.destroy();
    }
    open.add(client, 1);
    socket.once('close', () => open.add(client, -1));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Half an answer must not go on with another one.
    const isAnswering = [...running].some((response) => response.socket === socket && response.headersSent);
    if (socket.writable && !isAnswering) socket.end(refusal(faults[error.code ?? ''] ?? 400));
    else socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const told = cannotListen(error, host, port, { port: '--port', host: '--host' });
      reject(error.code === 'EADDRINUSE' ? new PortTakenError(told.message) : told);
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
      // RFC 9112 §9.6: who is told so sends its next request elsewhere, and the connection can go.
      for (const response of running) if (!response.headersSent) response.setHeader('Connection', 'close');
      return stop(
        server,
        running,
        () => seen,
        () => working,
        patience,
      );
    },
  };
}

/**
 * Runs together what came in one turn of the event loop, at its end: so requests share what is done once for all that
 * runs without a pause, which are the look at what others committed, the nonces and the writing of the access log.
 */
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

/** How often, in milliseconds, and how many times in a row nothing new must have come before the port is closed. */
const LOOK = 20;
const QUIET_LOOKS = 4;
/** How many milliseconds after the last connection is gone those are waited for that still work on requests. */
const WORK_ENDS_WITHIN = 500;

async function stop(
  server: Server,
  running: Bag<ServerResponse>,
  seen: () => number,
  working: () => number,
  patience: number,
): Promise<void> {
  const until = Date.now() + patience;
  // Requests that were sent may still wait to be read, and connections to be accepted, behind a query that held the
  // event loop: whoever closes now resets them.
  for (let quiet = 0, before = seen(); quiet < QUIET_LOOKS && Date.now() < until; before = seen()) {
    await wait(LOOK);
    quiet = seen() === before ? quiet + 1 : 0;
  }
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const timer = setTimeout(
    () => {
      const unfinished = [...running];
      // Who waited in vain is told to come back, which a connection that breaks does not say.
      for (const response of unfinished)
        if (!response.headersSent)
          answerUnavailable(response, 'The container is stopping; try again.', { Connection: 'close' });
      // In the next turn, so that what was just written is handed to the system.
      setTimeout(() => {
        server.closeAllConnections();
        // Who reads a body is not told by Node.js that no more of it comes, once its answer is out.
        for (const { req } of unfinished) req.destroy();
      }, LOOK);
    },
    Math.max(0, until - Date.now()),
  );
  await closed;
  clearTimeout(timer);
  // What they work with is closed next.
  while (working() > 0 && Date.now() < until + WORK_ENDS_WITHIN) await wait(LOOK);
}

/** What is wrong with a request that is none, by the parser's code; everything else is 400. */
const faults: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** What a Host field may hold, as RFC 3986 §3.2.2 has it, as far as its characters tell. */
const HOST = /^[\w\-.~%!$&'()*+,;=:[\]]*$/;

/**
 * RFC 9112 §3.2: more than one Host field, or one that names no host, is answered with 400: of two, a proxy may have
 * looked at the other. That there is one the parser sees to.
 */
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

/** The whole answer to such a request: RFC 9457 §4.2.1, the status says everything. */
function refusalOf(status: number): {
  title: string;
  body: string;
  fields: Readonly<Record<string, string>>;
} {
  const title = STATUS_CODES[status] ?? '';
  const body = JSON.stringify({ type: 'about:blank', title, status });
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

/** The answer while the working set is being filled. */
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
