import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A delivery that came. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** What the delivery tells. */
  readonly data: {
    readonly since: number;
    readonly revision: number;
    readonly changes: string;
    readonly record: string;
  };
}

/** The server of an app that is told of changes. */
export interface Receiver {
  readonly origin: string;
  /** All that has come. */
  readonly received: readonly Received[];
  /** What answers from now on; as long as nothing was said, 204. */
  answer: (response: ServerResponse, delivery: Received) => void;
  /** Resolves with a delivery, counted from 1, when it has come. */
  delivery(number: number): Promise<Received>;
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let came: (() => void)[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const { data } = JSON.parse(body) as Pick<Received, 'data'>;
      const delivery = { path: request.url ?? '', headers: request.headers, body, data };
      received.push(delivery);
      receiver.answer(response, delivery);
      for (const tell of came.splice(0)) tell();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const receiver: Receiver = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (response) => void response.writeHead(204).end(),
    async delivery(number) {
      for (;;) {
        const found = received[number - 1];
        if (found) return found;
        await new Promise<void>((resolve) => (came = [...came, resolve]));
      }
    },
    stop: () =>
      new Promise((stopped) => {
        server.closeAllConnections();
        server.close(() => stopped());
      }),
  };
  return receiver;
}
