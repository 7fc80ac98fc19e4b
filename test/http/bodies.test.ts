import { once } from 'node:events';
import { createServer, request as send, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Koa from 'koa';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBodies, type BodyBounds } from '../../src/http/admission/bodies.js';
import { traceOf, type Trace } from '../../src/http/request-context.js';
import { problemDocuments } from '../../src/http/problem-documents.js';

const GENEROUS: BodyBounds = { budget: 1e9, share: 1, deadline: 60_000 };

const visitor = { user: { id: 'somebody' } } as Trace['visitor'];

/** A server that answers with the length of the body; resolves to its port and the number of bodies that began. */
async function reading(bounds: Partial<BodyBounds>): Promise<{ port: number; begun: () => number }> {
  const bodies = createBodies({ ...GENEROUS, ...bounds });
  let begun = 0;
  const app = new Koa();
  const respond = problemDocuments(pino({ level: 'silent' }), { container: 'Test', basePath: '', csrf: '' });
  app.use((context, next) => next().catch((error: unknown) => respond(context, error)));
  app.use(async (context) => {
    context.req.once('data', () => begun++);
    context.req.pause();
    if (context.url !== '/nobody') traceOf(context).visitor = visitor;
    const body =
      context.url === '/stranger'
        ? await bodies.read(context)
        : await bodies.take(context, undefined, undefined);
    context.body = body === 'too-large' ? body : String(body.byteLength);
  });
  app.silent = true;
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, begun: () => begun };
}

interface Sent {
  readonly request: ClientRequest;
  /** Status and text of the answer; undefined when the connection ended without one. */
  readonly answer: Promise<{ status: number; retry: string | undefined; text: string } | undefined>;
}

/** Begins a body of a length with some bytes of it. */
function begin(port: number, length: number, bytes: number, path = '/'): Sent {
  const headers = { 'Content-Length': length };
  const request = send({ port, host: '127.0.0.1', path, method: 'POST', headers, agent: false });
  request.on('error', () => undefined);
  request.write(Buffer.alloc(bytes, 'x'));
  const answer = new Promise<Awaited<Sent['answer']>>((resolve) => {
    request.on('close', () => resolve(undefined));
    request.on('response', (response: IncomingMessage) => {
      const { statusCode: status = 0, headers: fields } = response;
      text(response).then(
        (body) => resolve({ status, retry: fields['retry-after'], text: body }),
        () => resolve(undefined),
      );
    });
  });
  return { request, answer };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('the bodies of a process', () => {
  it('are refused with 503 beyond their budget, until others are done', async () => {
    const { port, begun } = await reading({ budget: 100_000 });
    const first = begin(port, 90_000, 60_000);
    await until(() => begun() === 1);
    const second = await begin(port, 80_000, 80_000).answer;
    expect(second).toMatchObject({ status: 503, retry: '1' });
    expect(JSON.parse(second?.text ?? '')).toMatchObject({
      detail: 'Too many large requests come at once; try again.',
    });
    first.request.end(Buffer.alloc(30_000, 'x'));
    expect(await first.answer).toMatchObject({ status: 200, text: '90000' });
    expect(await begin(port, 80_000, 80_000).answer).toMatchObject({ status: 200, text: '80000' });
  });

  it('of strangers have a quarter of the budget, and leave the others theirs', async () => {
    const { port, begun } = await reading({ budget: 100_000 });
    begin(port, 90_000, 20_000, '/stranger');
    await until(() => begun() === 1);
    expect(await begin(port, 10_000, 10_000, '/stranger').answer).toMatchObject({ status: 503 });
    expect(await begin(port, 90_000, 90_000).answer).toMatchObject({ status: 200, text: '90000' });
  });

  it('of nobody, on a route that asks who they are, are those of strangers', async () => {
    const { port, begun } = await reading({ budget: 100_000 });
    begin(port, 90_000, 20_000, '/nobody');
    await until(() => begun() === 1);
    expect(await begin(port, 10_000, 10_000, '/nobody').answer).toMatchObject({ status: 503 });
    expect(await begin(port, 90_000, 90_000).answer).toMatchObject({ status: 200, text: '90000' });
  });

  it('of one sender have their share of the budget, but one of them may be larger', async () => {
    const { port, begun } = await reading({ budget: 100_000, share: 1 / 4 });
    expect(await begin(port, 90_000, 90_000).answer).toMatchObject({ status: 200, text: '90000' });
    const first = begin(port, 20_000, 15_000);
    await until(() => begun() === 2);
    expect(await begin(port, 20_000, 20_000).answer).toMatchObject({ status: 429, retry: '1' });
    expect(await begin(port, 5000, 5000).answer).toMatchObject({ status: 200 });
    first.request.end(Buffer.alloc(5000, 'x'));
    expect(await first.answer).toMatchObject({ status: 200, text: '20000' });
  });

  it('give back what they held when they break off', async () => {
    const { port, begun } = await reading({ budget: 100_000 });
    const first = begin(port, 90_000, 60_000);
    await until(() => begun() === 1);
    first.request.destroy();
    await first.answer;
    let answer = await begin(port, 80_000, 80_000).answer;
    // The server may hear of it later than the client.
    for (let tries = 0; answer?.status === 503 && tries < 100; tries++)
      answer = await begin(port, 80_000, 80_000).answer;
    expect(answer).toMatchObject({ status: 200, text: '80000' });
  });

  it('are cut off when they do not come in time, and give back what they held', async () => {
    const { port } = await reading({ budget: 100_000, deadline: 200 });
    expect(await begin(port, 90_000, 60_000).answer).toBeUndefined();
    expect(await begin(port, 80_000, 80_000).answer).toMatchObject({ status: 200, text: '80000' });
  });

  it('are not kept beyond the limit of one', async () => {
    const { port } = await reading({});
    expect(await begin(port, 2_000_000, 10).answer).toMatchObject({ status: 200, text: 'too-large' });
  });
});
