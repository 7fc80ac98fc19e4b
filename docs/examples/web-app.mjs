// A web app that a person lets into a record. Its manifest names http://localhost:8080/authorized as oauth_callback.
import { createServer } from 'node:http';
import { ChartgraphError, completeAccess, createClient, requestAccess } from 'chartgraph/client';

const app = {
  baseUrl: process.env.CONTAINER ?? 'http://localhost:7000',
  consumerKey: process.env.CONSUMER_KEY,
  consumerSecret: process.env.CONSUMER_SECRET,
};
// Request tokens with their secrets, which stay here until the person comes back.
const waiting = new Map();

const pages = {
  // Legs one and two: ask for a request token, and send the browser to the container. A launch names the record that
  // the person has chosen; without one they choose on the way.
  async '/'({ response, url }) {
    const recordId = url.searchParams.get('record_id');
    const request = await requestAccess(app, recordId === null ? {} : { recordId });
    waiting.set(request.token, request);
    response.writeHead(302, { Location: request.url }).end();
  },
  // Leg three: the browser is back with the verifier, which buys an access token, once.
  async '/authorized'({ response, url }) {
    const request = waiting.get(url.searchParams.get('oauth_token'));
    if (!request) return response.writeHead(400).end('Start again at /');
    waiting.delete(request.token);
    const access = await completeAccess(app, request, url).catch(unlessDenied);
    if (!access)
      return response.writeHead(403).end('You did not allow it. Start again at / if you want to go on.');
    const { recordId, ...token } = access;
    const client = createClient({ ...app, ...token });
    const { objects } = await client.get_medications({ record_id: recordId });
    response.end(objects.map(({ drugName }) => drugName.title).join('\n'));
  },
};

// Somebody who says no comes back as well. What the container itself refuses has a status.
function unlessDenied(error) {
  if (!(error instanceof ChartgraphError) || error.kind !== 'refused' || error.status !== undefined)
    throw error;
}

createServer(async (request, response) => {
  const url = new URL(request.url, 'http://localhost:8080');
  try {
    if (Object.hasOwn(pages, url.pathname)) await pages[url.pathname]({ response, url });
    else response.writeHead(404).end();
  } catch (error) {
    console.error(error.message);
    response.writeHead(502).end('The container did not answer as expected.');
  }
}).listen(Number(process.env.PORT ?? 8080), 'localhost');
