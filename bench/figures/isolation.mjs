// How long a warm GET takes at most (99 % of them) while cold lists, searches and writes run, against alone. Seen by
// the client: a process of its own that asks one thing at a time and rests in between, as a person's app does. Beside
// it, the same of a bare Koa that does nothing else, in the same noise: so much of it the machine does to any process.
import { Client } from '../lib/client.mjs';
import { copyOf, lists, patients } from '../lib/data.mjs';
import { inventedName } from '../synth/invented-names.mjs';
import { figure, median, quantile, short, spreadOf } from '../lib/measure.mjs';
import { expectAll, listOfSize, pathOf, recordIds } from '../lib/requests.mjs';
import { bareKoa, credentials, loopDelays, serve } from '../lib/servers.mjs';

const CONNECTIONS = 4;

export async function measure({ quick, rounds }) {
  const data = await copyOf(await patients(quick ? 100 : 3000, { large: 20 }));
  const records = recordIds(data).small;
  const tokens = await credentials(data.dir, records);
  // As its users start it: with as many workers as the machine has cores.
  const server = await serve(data.dir, { delays: true });
  const bare = await bareKoa(Buffer.alloc(42 * 1024, 'x'));
  const clients = Array.from({ length: 4 }, () => new Client());
  const [reader, ...others] = clients;
  try {
    const { path, as, name } = await listOfSize({ data, url: server.url, client: reader, size: 42 * 1024 });
    const count = quick ? 400 : 2000;
    const warm = async (url = server.url) => {
      const requests = Array.from({ length: count }, () => ({ path, as }));
      const options = { connections: CONNECTIONS, rest: 2 };
      return quantile(expectAll(await reader.run(url, requests, options)).latencies, 0.99);
    };
    let cold = 0;
    /** @returns its results, in an object, so that nobody waits for them */
    const disturb = async () => {
      const many = quick ? 1000 : 4000;
      const coldLists = Array.from({ length: many }, () => {
        const record = records[cold % records.length];
        return {
          path: pathOf(lists[Math.floor(cold++ / records.length) % lists.length], record),
          as: tokens.get(record),
        };
      });
      const searches = Array.from({ length: many }, (_, index) => ({
        path: `/records/search?family_name=${inventedName(index % 10)
          .slice(0, 2)
          .toLowerCase()}&limit=20`,
      }));
      const writes = Array.from({ length: many }, (_, index) => {
        const record = records[(index * 31) % records.length];
        const own = tokens.get(record);
        return {
          method: 'PUT',
          path: `/records/${record}/apps/${own.consumerKey}/scratchpad`,
          as: own,
          headers: { 'Content-Type': 'text/plain' },
          body: `written ${index}`,
        };
      });
      const loads = [coldLists, searches, writes];
      await Promise.all(
        loads.map((load, index) => others[index].prepare(server.url, load, { connections: 2 })),
      );
      return { results: Promise.all(others.map((client) => client.go())) };
    };
    /** @returns what `work` gives while others load the container, and what those had of it */
    const inNoise = async (work) => {
      const noise = await disturb();
      const result = await work();
      for (const client of others) client.halt();
      return [result, await noise.results];
    };
    const [alone, together, done] = [[], [], []];
    const ofBare = { alone: [], together: [] };
    let delays = [];
    for (let round = 0; round <= rounds; round++) {
      const quiet = await warm();
      const bareQuiet = await warm(bare.url);
      const [loud, results] = await inNoise(async () => {
        await loopDelays(server);
        const most = await warm();
        delays = await loopDelays(server);
        return most;
      });
      const [bareLoud] = await inNoise(() => warm(bare.url));
      if (round === 0) continue;
      alone.push(quiet);
      together.push(loud);
      ofBare.alone.push(bareQuiet);
      ofBare.together.push(bareLoud);
      done.push(results.map(({ rate, statuses }) => `${short(rate)}/s ${JSON.stringify(statuses)}`));
    }
    return [
      figure('isolation', median(together) / median(alone), {
        goal: 2.5,
        better: 'lower',
        spread: spreadOf(together, alone),
        details: [
          `p99 ${short(median(together))} ms against ${short(median(alone))}, ${name}`,
          `a bare Koa beside it ${short(median(ofBare.together))} ms against ${short(median(ofBare.alone))}, ${short(median(ofBare.together) / median(ofBare.alone))} ×`,
          `turns of the event loops in the last round: ${delays.map(({ p99, most }) => `99 % at most ${short(p99)} ms, the longest ${short(most)}`).join('; ')}`,
          `meanwhile cold lists ${done.at(-1)[0]}, searches ${done.at(-1)[1]}, writes ${done.at(-1)[2]}`,
        ],
      }),
    ];
  } finally {
    for (const client of clients) await client.stop();
    for (const each of [server, bare]) await each.stop();
  }
}
