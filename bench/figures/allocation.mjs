// What a warm signed GET puts on the heap of V8, against a bare Koa that sends the same bytes to the same requests; and how
// much of it two collections of young objects leave there, which is what makes them take long.
import { Client } from '../lib/client.mjs';
import { patients } from '../lib/data.mjs';
import { figure, short } from '../lib/measure.mjs';
import { expectAll, get, listOfSize } from '../lib/requests.mjs';
import { bareKoa, loopDelays, serve } from '../lib/servers.mjs';

const SIZE = 42 * 1024;
const CONNECTIONS = 20;

export async function measure({ quick, wanted }) {
  const data = await patients(100, { large: 20 });
  const server = await serve(data.dir, { workers: 1, delays: true });
  const client = new Client();
  const peers = [];
  try {
    const { path, as, name } = await listOfSize({ data, url: server.url, client, size: SIZE });
    const { body } = await get(server.url, path, as);
    const bare = await bareKoa(body, { delays: true });
    peers.push(bare);
    const count = quick ? 5000 : 20_000;
    /** Bytes a request: what is made once is made in a round before. */
    const bytes = async (of) => {
      const requests = Array.from({ length: count }, () => ({ path, as }));
      const run = async () => expectAll(await client.run(of.url, requests, { connections: CONNECTIONS }));
      await run();
      await loopDelays(of);
      await run();
      const all = await loopDelays(of);
      const each = (what) => all.reduce((sum, process) => sum + process[what], 0) / count;
      return { allocated: each('allocated'), outlived: each('outlived') };
    };
    const [own, other] = [await bytes(server), await bytes(bare)];
    const results = [
      figure('allocation', own.allocated / other.allocated, {
        goal: 4,
        better: 'lower',
        details: [`${short(own.allocated)} bytes a request against ${short(other.allocated)}, ${name}`],
      }),
      figure('outlived', own.outlived, {
        goal: 300,
        better: 'lower',
        details: [`bytes of a request; of a bare Koa ${short(other.outlived)}`],
      }),
    ];
    return results.filter(({ id }) => wanted.includes(id));
  } finally {
    await client.stop();
    for (const each of [server, ...peers]) await each.stop();
  }
}
