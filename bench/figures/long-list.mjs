// How long the event loop is busy at most with one list of 5,000 statements that goes out as a whole, while others wait.
import { request } from 'node:http';
import { signRequest } from '../../dist/access/oauth/sign-request.js';
import { lists, longRecords } from '../lib/data.mjs';
import { figure, median, short } from '../lib/measure.mjs';
import { pathOf } from '../lib/requests.mjs';
import { credentials, loopDelays, serve } from '../lib/servers.mjs';

const STATEMENTS = 5000;
/** Lists that are asked for before anything is measured: the code of a server is compiled by then. */
const WARM_UP = 3;

export async function measure({ quick, rounds }) {
  const count = quick ? 500 : STATEMENTS;
  const call = lists.find(({ name }) => name === 'get_lab_results');
  const {
    dir,
    records: [record],
  } = await longRecords(1, count + 1, '/lab_results/');
  const tokens = await credentials(dir, [record]);
  const server = await serve(dir, { workers: 1, delays: true });
  try {
    const [turns, firsts, wholes, all] = [[], [], [], []];
    let bytes = 0;
    for (let round = -WARM_UP; round < 2 * rounds; round++) {
      // One fewer each time, so that nothing is cached.
      const url = `${server.url}${pathOf(call, record)}?offset=${WARM_UP + round}`;
      await loopDelays(server);
      const { first, whole, length } = await answered(url, tokens.get(record));
      const [busiest] = (await loopDelays(server)).sort((a, b) => b.busy - a.busy);
      if (round < 0) continue;
      bytes = length;
      turns.push(busiest.busiest);
      all.push(busiest.busy);
      firsts.push(first);
      wholes.push(whole);
    }
    return [
      figure('long-list', median(turns), {
        goal: 20,
        better: 'lower',
        details: [
          `longest turn ${short(median(turns))} ms of the processor, ${short(Math.max(...turns))} at most, ${short(median(all))} in all, of ${count} statements, ${short(bytes / 1e6)} MB`,
          `first byte after ${short(median(firsts))} ms, the last after ${short(median(wholes))}`,
        ],
      }),
    ];
  } finally {
    await server.stop();
  }
}

function answered(url, as) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const headers = { Authorization: signRequest({ method: 'GET', url, ...as }) };
    const asked = request(url, { headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      let first;
      let length = 0;
      response.on('data', (chunk) => {
        first ??= performance.now() - start;
        length += chunk.length;
      });
      response.on('end', () => resolve({ first, whole: performance.now() - start, length }));
    });
    asked.on('error', reject);
    asked.end();
  });
}
