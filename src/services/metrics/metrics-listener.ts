import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AggregatorRegistry } from 'prom-client';
import { cannotListen } from '../../http/cannot-listen.js';
import type { MetricValues } from '../../http/container-metrics.js';

export type Gather = () => Promise<readonly MetricValues[]>;

/** Serves `GET /metrics` in Prometheus' text format 0.0.4. @throws Error that names the port when it is taken */
export async function startMetrics({ host, port }: { host: string; port: number }, gather: Gather) {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000 }, (request, response) => {
    const isMetrics = request.url?.split('?')[0] === '/metrics';
    if (!isMetrics) return end(response, 404, 'The numbers are at /metrics.\n');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      return end(response, 405, 'GET is all that can be done here.\n');
    }
    textOf(gather).then(
      ({ type, text }) => end(response.setHeader('Content-Type', type), 200, text),
      () => end(response, 503, 'The numbers cannot be gathered now.\n'),
    );
  });
  server.maxConnections = 100;
  await new Promise<void>((resolve, reject) => {
    server
      .once('error', (error: NodeJS.ErrnoException) => {
        reject(cannotListen(error, host, port, { port: '--metrics', host: '--metrics' }));
      })
      .listen(port, host, resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}/metrics`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(gather: Gather): Promise<{ type: string; text: string }> {
  const registry = AggregatorRegistry.aggregate([...(await gather())]);
  return { type: registry.contentType, text: await registry.metrics() };
}

function end(response: ServerResponse, status: number, text: string): void {
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.writeHead(status).end(text);
}
