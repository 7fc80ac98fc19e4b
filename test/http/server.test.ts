import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen, type Limits, type ListeningServer } from '../../src/http/server.js';

const limits: Limits = {
  headersTimeout: 400,
  requestTimeout: 800,
  connectionsCheckingInterval: 100,
  keepAliveTimeout: 300,
  maxHeaderSize: 4096,
  maxConnections: 3,
};

let server: ListeningServer;

beforeAll(async () => {
  server = await listen('127.0.0.1', 0, limits);
  server.answerWith((request, response) => {
    request.resume().on('end', () => response.end('answered'));
  });
});
afterAll(() => server.stop(100));

const open: Socket[] = [];
afterAll(() => open.forEach((socket) => socket.destroy()));

/** Sends pieces of text, one every 50 ms, and gives what comes back until the connection is closed. */
async function exchange(...pieces: readonly string[]): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  open.push(socket);
  let text = '';
  socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      resolve();
    });
  });
  socket.on('error', () => undefined);
  for (const piece of pieces) {
    if (socket.destroyed) break;
    socket.write(piece);
    await pause(50);
  }
  await closed;
  return text;
}

/** A problem document with nothing in it but its status. */
function expectRefusal(answer: string, status: number, title: string): void {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toMatch(/^Connection: close$/m);
  expect(head).toMatch(/^Content-Type: application\/problem\+json$/m);
  expect(head).toContain(`Content-Length: ${body.length}`);
  expect(JSON.parse(body)).toEqual({ type: 'about:blank', title, status });
}

describe('a server', () => {
  it('cuts off who sends header fields drop by drop', async () => {
    const drops = Array.from({ length: 40 }, (_, n) => `X-${n}: ${n}\r\n`);
    expectRefusal(await exchange('GET / HTTP/1.1\r\nHost: a\r\n', ...drops), 408, 'Request Timeout');
  });

  it('cuts off who sends a body drop by drop', async () => {
    const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n';
    const drops = Array.from({ length: 40 }, () => 'x');
    expectRefusal(await exchange(head, ...drops), 408, 'Request Timeout');
  });

  it('answers header fields that are too large with 431', async () => {
    const field = `X-Large: ${'x'.repeat(limits.maxHeaderSize)}\r\n`;
    const answer = await exchange(`GET / HTTP/1.1\r\nHost: a\r\n${field}\r\n`);
    expectRefusal(answer, 431, 'Request Header Fields Too Large');
  });

  it('answers what is no HTTP with 400', async () => {
    expectRefusal(await exchange('what is this\r\n\r\n'), 400, 'Bad Request');
  });

  it('closes a connection that stays idle after its answer', async () => {
    const start = performance.now();
    expect(await exchange('GET / HTTP/1.1\r\nHost: a\r\n\r\n')).toMatch(/answered/);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it('closes connections beyond its limit, and answers again when others have gone', async () => {
    const waiting = Array.from({ length: limits.maxConnections }, () => connect(server.port, '127.0.0.1'));
    open.push(...waiting);
    await Promise.all(waiting.map((socket) => new Promise((resolve) => socket.on('connect', resolve))));
    await pause(50);
    expect(await exchange('GET / HTTP/1.1\r\nHost: a\r\n\r\n')).toBe('');
    for (const socket of waiting) socket.destroy();
    await pause(50);
    expect(await exchange('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(/answered/);
  });
});
