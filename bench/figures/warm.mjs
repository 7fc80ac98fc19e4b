// A warm signed GET of a 42 KB list, and a 304 of the same, of one worker: against a bare Koa that sends the same
// bytes, or `hello`. Every request is signed with a nonce of its own; the peer gets the same requests.
import { Client } from '../lib/client.mjs';
import { patients } from '../lib/data.mjs';
import { figure, median, short, spreadOf } from '../lib/measure.mjs';
import { expectAll, get, listOfSize } from '../lib/requests.mjs';
import { bareKoa, serve } from '../lib/servers.mjs';

const SIZE = 42 * 1024;
const CONNECTIONS = 20;

export async function measure({ quick, wanted, rounds }) {
  const data = await patients(quick ? 100 : 3000, { large: 20 });
  const server = await serve(data.dir, { workers: 1 });
  const client = new Client();
  const peers = [];
  try {
    const { path, as, name } = await listOfSize({ data, url: server.url, client, size: SIZE });
    const { body, etag } = await get(server.url, path, as);
    const peerBody = await bareKoa(body);
    const hello = await bareKoa();
    peers.push(peerBody, hello);
    const count = quick ? 3000 : 10_000;
    const race = async (headers, status, peer) => {
      const ours = [];
      const theirs = [];
      for (let round = 0; round <= rounds; round++) {
        const requests = Array.from({ length: count }, () => ({ path, as, headers }));
        const options = { connections: CONNECTIONS };
        const own = expectAll(await client.run(server.url, requests, options), status);
        const other = expectAll(await client.run(peer.url, requests, options));
        // In the first round engines compile.
        if (round === 0) continue;
        ours.push(own.rate);
        theirs.push(other.rate);
      }
      return [median(ours), median(theirs), spreadOf(ours, theirs)];
    };
    const results = [];
    if (wanted.includes('warm-get')) {
      const [ours, theirs, spread] = await race({}, 200, peerBody);
      results.push(
        figure('warm-get', ours / theirs, {
          goal: 0.55,
          better: 'higher',
          spread,
          details: [`${short(ours)} req/s against ${short(theirs)}, ${name}, ${short(body.length)} bytes`],
        }),
      );
    }
    if (wanted.includes('not-modified')) {
      const [ours, theirs, spread] = await race({ 'If-None-Match': etag }, 304, hello);
      results.push(
        figure('not-modified', ours / theirs, {
          goal: 0.35,
          better: 'higher',
          spread,
          details: [`${short(ours)} req/s against ${short(theirs)}`],
        }),
      );
    }
    return results;
  } finally {
    await client.stop();
    for (const each of [server, ...peers]) await each.stop();
  }
}
