// The process of the example apps. `chartgraph serve` starts it beside a container that holds the demo data alone, and
// tells it where the container is and with which secrets the apps sign. It ends with the container. Beside other records
// it has no secrets, and says why the apps are not there to whoever looks for them.
import { createServer } from 'node:http';
import { chartFrame } from './chart-frame.mjs';
import { medicationCheck } from './medication-check.mjs';
import { nightWatch } from './night-watch.mjs';
import { file, messagePage } from './page.mjs';
import { trends } from './trends.mjs';

/** By the first part of their paths. Each is a function of a request that gives status, headers and body. */
const apps = { trends, medications: medicationCheck, frame: chartFrame, 'night-watch': nightWatch };

/** What every answer says: nothing from elsewhere runs or is shown, and no other page frames it. */
const headers = (container) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; " +
    `connect-src 'self' ${new URL(container).origin}; base-uri 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
});

const notHere = {
  status: 503,
  body: messagePage(
    'The example apps are not here now',
    'They run beside the demo data alone, and this container holds other records.',
    'An example app of Chartgraph.',
  ),
};

/** @param {{ container: string, port: number, secrets?: Record<string, string> }} order */
function serve({ container, port, secrets }) {
  const appOf = (consumerKey) => ({
    baseUrl: container,
    consumerKey,
    consumerSecret: secrets?.[consumerKey] ?? '',
  });
  const handlers = Object.fromEntries(Object.entries(apps).map(([name, make]) => [name, make(appOf)]));
  const server = createServer(async (request, response) => {
    const answer = await answerOf(request);
    response.writeHead(answer.status ?? 200, { ...headers(container), ...answer.headers });
    response.end(request.method === 'HEAD' ? undefined : answer.body);
  });

  async function answerOf(request) {
    const { host = '' } = request.headers;
    // A page of another site may have its own name point to this machine: it is not answered.
    if (!/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(host))
      return { status: 403, body: 'Open http://localhost.' };
    // Nor does a form of another site change anything, which every browser tells of.
    const { 'sec-fetch-site': from = 'none' } = request.headers;
    if (request.method === 'POST' && !['same-origin', 'none'].includes(from))
      return { status: 403, body: 'Use the page of this app.' };
    try {
      const url = new URL(request.url, 'http://localhost');
      const [, app, name] = url.pathname.split('/');
      if (url.pathname === '/style.css') return await file('style.css');
      if (app === 'icon.svg' || name === 'icon.svg') return await file('icon.svg');
      if (!secrets) return notHere;
      const handler = Object.hasOwn(handlers, app) ? handlers[app] : undefined;
      const answer = await handler?.({ method: request.method, url, headers: request.headers });
      if (answer) return answer;
      return {
        status: 404,
        body: messagePage('There is no such page', 'Start an app from the page of a record.'),
      };
    } catch (error) {
      // A ChartgraphError holds no secret and nothing of a patient; of any other only its place is known to hold none.
      const [, place = ''] = /\n\s+(at .*)/.exec(error.stack) ?? [];
      process.send({ failed: error.name === 'ChartgraphError' ? error.message : `${error.name} ${place}` });
      const says =
        error.status === 401 || error.status === 403 ? 'Start the app again.' : 'Try again in a while.';
      return { status: 502, body: messagePage('The container did not answer as expected', says) };
    }
  }

  server.on('error', (error) => {
    // The wanted port is somebody else's: any free one will do, but where an address that is known is to be answered.
    if (error.code === 'EADDRINUSE' && port !== 0 && secrets) serve({ container, port: 0, secrets });
    else process.exit(1);
  });
  server.listen(port, '127.0.0.1', () => process.send({ port: server.address().port }));
}

process.once('disconnect', () => process.exit(0));
// A signal may reach all processes of a group; the container decides when to stop.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
process.once('message', serve);
process.send({ waiting: true });
