import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Problem } from '../problem.js';

/** A listening HTTP server whose application may come later. */
export interface ListeningServer {
  readonly port: number;
  /** Sets what answers from now on; until then everything but `/health/live` is 503. */
  answerWith(listener: RequestListener): void;
  /** Takes no new requests, and gives those that run `patience` milliseconds. */
  stop(patience?: number): Promise<void>;
}

/**
 * Listens at an address. @param port 0 picks a free one
 * @throws Error in one sentence when the port is taken
 */
export async function listen(host: string, port: number): Promise<ListeningServer> {
  let answer: RequestListener = starting;
  const server = createServer((request, response) => {
    answer(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(taken ? new Error(`Port ${port} on ${host} is taken; choose another with --port.`) : error);
    });
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    answerWith: (listener) => {
      answer = listener;
    },
    stop: (patience = 4000) => stop(server, patience),
  };
}

async function stop(server: Server, patience: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const timer = setTimeout(() => {
    server.closeAllConnections();
  }, patience);
  await closed;
  clearTimeout(timer);
}

/** The answer while the replica is being filled. */
const starting: RequestListener = (request, response) => {
  if (request.url?.endsWith('/health/live')) {
    response.writeHead(200, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' }).end('ok\n');
    return;
  }
  const { type, title, status, message } = new Problem(
    'unavailable',
    'The container is starting; try again.',
  );
  response
    .writeHead(status, { 'Content-Type': 'application/problem+json', 'Retry-After': '1' })
    .end(JSON.stringify({ type, title, status, detail: message }));
};
