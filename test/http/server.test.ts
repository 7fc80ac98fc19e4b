import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen, type Limits, type ListeningServer } from '../../src/http/server.js';

const limits: Limits = {
  headersTimeout: 400,
  requestTimeout: 800,
  connectionsCheckingInterval: 100,
  keepAliveTimeout: 300,
  takingTimeout: 30_000,
  maxHeaderSize: 4096,
  maxConnections: 3,
  maxOfAddress: 10,
  isProxy: () => false,
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
  expect(head).toMatch(/^X-Content-Type-Options: nosniff$/m);
  expect(head).toContain(`Content-Length: ${body.length}`);
  expect(JSON.parse(body)).toMatchObject({ type: 'about:blank', title, status });
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
    expect(answer).toContain('Send a long SPARQL query as the body of a POST.');
  });

  it('answers what is no HTTP with 400', async () => {
    expectRefusal(await exchange('what is this\r\n\r\n'), 400, 'Bad Request');
  });

  it.each([
    ['two of them', 'Host: a\r\nHost: b'],
    ['two that are the same, spelled differently', 'Host: a\r\nX-Between: 1\r\nhOST: a'],
    ['what names no host', 'Host: a/b'],
    ['two hosts in one', 'Host: a b'],
  ])('answers a Host field with 400 that is %s (RFC 9112 §3.2)', async (_, fields) => {
    expectRefusal(await exchange(`GET / HTTP/1.1\r\n${fields}\r\n\r\n`), 400, 'Bad Request');
  });

  it.each(['a', 'a:80', '[::1]:7000', '', 'xn--bcher-kva.example'])('takes the Host %j', async (host) => {
    expect(await exchange(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toMatch(
      /answered/,
    );
  });

  it('closes a connection that stays idle after its answer', async () => {
    const start = performance.now();
    expect(await exchange('GET / HTTP/1.1\r\nHost: a\r\n\r\n')).toMatch(/answered/);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it('ends an answer of which its client takes nothing, and waits for one that is being made', async () => {
    const patient = await listen('127.0.0.1', 0, { ...limits, takingTimeout: 300 });
    const closed: string[] = [];
    patient.answerWith(async ({ url = '' }, response) => {
      response.on('close', () => closed.push(url));
      if (url === '/made') await pause(1500);
      response.end(url === '/made' ? 'made' : Buffer.alloc(20_000_000));
    });
    const ask = (path: string): Socket => {
      const socket = connect(patient.port, '127.0.0.1');
      open.push(socket);
      socket.on('error', () => undefined).write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      return socket;
    };
    const made = text(ask('/made'));
    ask('/large').pause();
    while (!closed.includes('/large')) await pause(20);
    expect(closed).toEqual(['/large']);
    expect(await made).toMatch(/made$/);
    await patient.stop(100);
  });

  it('closes connections of an address beyond its limit, and no others', async () => {
    const full = await listen('127.0.0.1', 0, {
      ...limits,
      headersTimeout: 30_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 30_000,
      maxConnections: 10,
      maxOfAddress: 2,
      isProxy: (address) => address === '127.0.0.3',
    });
    let refused = 0;
    full.answerWith(
      (_request, response) => response.end('answered'),
      () => refused++,
    );
    /** Whether a connection from an address is answered; it stays open. */
    const isAnswered = (localAddress: string): Promise<boolean> =>
      new Promise((resolve) => {
        const socket = connect({ port: full.port, host: '127.0.0.1', localAddress });
        open.push(socket);
        socket.on('error', () => undefined).on('close', () => resolve(false));
        socket.on('data', () => resolve(true));
        socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      });
    const stranger = [await isAnswered('127.0.0.2'), await isAnswered('127.0.0.2')];
    expect([...stranger, await isAnswered('127.0.0.2'), await isAnswered('127.0.0.1')]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    const proxied = [1, 2, 3, 4].map(() => isAnswered('127.0.0.3'));
    expect(await Promise.all(proxied)).toEqual([true, true, true, true]);
    expect(refused).toBe(1);
    await full.stop(100);
  });

  it('closes a connection on which nothing comes', async () => {
    expectRefusal(await exchange(''), 408, 'Request Timeout');
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

describe('a server that stops', () => {
  const REQUEST = 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n';

  /** Sixteen requests on connections of their own, each of which holds the event loop; resolves to their first lines. */
  async function stopWhileBusy(patience: number, hold: number): Promise<string[]> {
    const busy = await listen('127.0.0.1', 0);
    const queue: (() => void)[] = [];
    busy.answerWith((_request, response) => {
      queue.push(() => {
        for (const end = performance.now() + hold; performance.now() < end;);
        if (!response.headersSent) response.end('answered');
      });
    });
    const turn = setInterval(() => queue.shift()?.(), 1);
    const answers = Array.from(
      { length: 16 },
      () =>
        new Promise<string>((resolve) => {
          const socket = connect(busy.port, '127.0.0.1', () => socket.write(REQUEST));
          let text = '';
          socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          socket.on('error', () => undefined).on('close', () => resolve(text.split('\r\n')[0] ?? ''));
        }),
    );
    // Connections are made and requests sent while nothing is accepted or read.
    await new Promise((resolve) => setImmediate(resolve));
    for (const end = performance.now() + 200; performance.now() < end;);
    await busy.stop(patience);
    clearInterval(turn);
    return Promise.all(answers);
  }

  it('answers requests that were sent and not yet read', async () => {
    expect(await stopWhileBusy(20_000, 30)).toEqual(Array(16).fill('HTTP/1.1 200 OK'));
  });

  it('tells those for whom there is no time to come back, instead of resetting them', async () => {
    const stuck = await listen('127.0.0.1', 0);
    let asked = 0;
    stuck.answerWith(() => asked++);
    const sockets = [1, 2, 3].map(() => connect(stuck.port, '127.0.0.1'));
    const texts = sockets.map(async (socket) => {
      socket.write(REQUEST);
      return text(socket);
    });
    while (asked < 3) await pause(5);
    await stuck.stop(300);
    for (const answer of await Promise.all(texts)) {
      expect(answer).toMatch(/^HTTP\/1\.1 503 /);
      expect(answer).toContain('Retry-After: 1\r\n');
      expect(answer).toContain('The container is stopping; try again.');
    }
  });

  it('ends the work on a body that does not come', async () => {
    const reading = await listen('127.0.0.1', 0);
    const work: string[] = [];
    reading.answerWith(async (request) => {
      work.push('begun');
      // The connection is to carry the answer, whatever becomes of the body.
      const parts = request.iterator({ destroyOnReturn: false });
      await parts
        .next()
        .then(() => parts.next())
        .catch(() => work.push('ended'));
    });
    const socket = connect(reading.port, '127.0.0.1');
    socket.write('PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf');
    while (work.length === 0) await pause(5);
    const answer = text(socket);
    await reading.stop(300);
    expect(await answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(work).toEqual(['begun', 'ended']);
  });
});

it('requests that come while the event loop is busy are answered together', async () => {
  const together = await listen('127.0.0.1', 0, { ...limits, maxConnections: 10 });
  try {
    /** Counts what runs without a pause: a tick comes between two of those. */
    let pauses = 0;
    const answeredAt: number[] = [];
    together.answerWith((_request, response) => {
      answeredAt.push(pauses);
      process.nextTick(() => pauses++);
      response.end('answered');
    });
    const sockets = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const socket = connect(together.port, '127.0.0.1');
        open.push(socket);
        await once(socket, 'connect');
        return socket;
      }),
    );
    // Those of the server are accepted and read by now.
    await pause(50);
    const answers = sockets.map((socket) => once(socket, 'data'));
    for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const until = performance.now() + 50;
    while (performance.now() < until);
    await Promise.all(answers);
    expect(answeredAt).toEqual([0, 0, 0, 0, 0]);
  } finally {
    await together.stop(100);
  }
});
