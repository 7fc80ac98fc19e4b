import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { analystPaths, HEAD_FIELD, TAIL_FIELD, type AnalystQuery } from './analyst-messages.js';
import type { Analysts } from './analysts.js';

/** Serves request processes; it trusts them to authorise queries. @param socket a path, or a pipe's name */
export async function serveAnalysts(analysts: Analysts, socket: string): Promise<Server> {
  const server = createServer((request, response) => {
    handle(analysts, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(socket, resolve);
  });
  return server;
}

async function handle(analysts: Analysts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const user = searchParams.get('user') ?? undefined;
  if (pathname === analystPaths.query) return answer(analysts, request, response);
  if (pathname === analystPaths.levels) return send(response, 200, analysts.states());
  const id = pathname.startsWith(`${analystPaths.queries}/`)
    ? pathname.slice(analystPaths.queries.length + 1)
    : undefined;
  if (id === undefined) return send(response, 200, analysts.list(user));
  return send(response, 200, { ended: analysts.end(id, user) });
}

async function answer(analysts: Analysts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const answered = await analysts.answer(JSON.parse(await text(request)) as AnalystQuery, gone.signal);
  if ('failure' in answered) return send(response, 422, answered.failure);
  const { head, body, tail } = answered;
  response.writeHead(200, { [HEAD_FIELD]: encodeURIComponent(JSON.stringify(head)), Trailer: TAIL_FIELD });
  await pipeline(body, response, { end: false });
  if (tail) response.addTrailers({ [TAIL_FIELD]: JSON.stringify(tail()) });
  response.end();
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}
