// Ten minutes (or --minutes) of mixed load on a container as its users start it: warm and cold lists, searches, writes.
// Its memory must not grow, no request may fail, and what one worker has acknowledged every other one must show at once.
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { inventedName } from './synth/invented-names.mjs';
import { signRequest } from '../dist/access/oauth/sign-request.js';
import { Client } from './lib/client.mjs';
import { copyOf, lists, patients, removeData } from './lib/data.mjs';
import { median, short, slopeOf } from './lib/measure.mjs';
import { pathOf, recordIds } from './lib/requests.mjs';
import { credentials, serve } from './lib/servers.mjs';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    patients: { type: 'string', default: '1000' },
    pairs: { type: 'string', default: '10000' },
  },
});
/** Memory at the end against that of the first third, when caches have filled. */
const GROWTH = 1.2;
const until = performance.now() + Number(options.minutes) * 60_000;

const data = await copyOf(await patients(Number(options.patients), {}));
const records = recordIds(data).small;
const tokens = await credentials(data.dir, records);
const server = await serve(data.dir, { analysts: true });
const clients = Array.from({ length: 4 }, () => new Client());
const failures = {};
const memory = [];
let answered = 0;
let round = 0;

const scratchpad = (record) => `/records/${record}/apps/${tokens.get(record).consumerKey}/scratchpad`;
const any = (items) => items[Math.floor(Math.random() * items.length)];
/** The requests of one round, by kind. */
const loads = [
  () => read(any(records.slice(0, 20)), lists[0]),
  () => read(any(records), any(lists)),
  () => ({
    path: `/records/search?family_name=${inventedName(Math.floor(Math.random() * 100)).toLowerCase()}`,
  }),
  () => {
    const record = any(records);
    const headers = { 'Content-Type': 'text/plain' };
    return {
      method: 'PUT',
      path: scratchpad(record),
      as: tokens.get(record),
      headers,
      body: `round ${round} ${Math.random()}`,
    };
  },
];

function read(record, call) {
  return { path: pathOf(call, record), as: tokens.get(record) };
}

/** Megabytes of the server and its workers. */
function megabytes() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const own = (pid) => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const isOurs = Number(pid) === server.pid || Number(/PPid:\s+(\d+)/.exec(status)[1]) === server.pid;
      return isOurs ? Number(/RssAnon:\s+(\d+) kB/.exec(status)[1]) / 1024 : 0;
    } catch {
      return 0;
    }
  };
  return pids.reduce((sum, pid) => sum + own(pid), 0);
}

/** Writes, and reads over connections of their own, which come to all workers in turn. */
async function checkPairs(count) {
  const ask = (path, as, method = 'GET', body) => {
    const url = server.url + path;
    const Authorization = signRequest({ method, url, ...as, ...(body === undefined ? {} : { body }) });
    const headers = { Authorization, Connection: 'close', ...(body && { 'Content-Type': 'text/plain' }) };
    return fetch(url, { method, headers, body });
  };
  for (let pair = 0; pair < count; pair++) {
    const record = any(records.slice(0, 10));
    const as = { ...tokens.get(record) };
    const path = scratchpad(record);
    const body = `pair ${pair}`;
    await ask(path, as, 'PUT', body);
    const read = await Promise.all([1, 2, 3].map(async () => (await ask(path, as)).text()));
    if (read.some((text) => text !== body)) throw new Error(`wrote ${body}, read ${read.join(', ')}`);
  }
}

let failed = false;
try {
  await checkPairs(Number(options.pairs));
  console.log(`${options.pairs} pairs of writes and reads: each was seen at once.`);
  while (performance.now() < until) {
    round++;
    const results = await Promise.all(
      loads.map((make, index) =>
        clients[index].run(server.url, Array.from({ length: 2000 }, make), { connections: 4 }),
      ),
    );
    for (const { statuses, count } of results) {
      answered += count;
      for (const [status, number] of Object.entries(statuses)) {
        if (status !== '200') failures[status] = (failures[status] ?? 0) + number;
      }
    }
    memory.push([performance.now() / 60_000, megabytes()]);
    if (round % 5 === 0) console.log(`${short(answered)} requests, ${short(memory.at(-1)[1])} MB`);
    await wait(200);
  }
  const third = Math.max(1, Math.floor(memory.length / 3));
  const middle = (some) => median(some.map(([, megabytes]) => megabytes));
  const [early, late] = [middle(memory.slice(0, third)), middle(memory.slice(-third))];
  console.log(
    `memory ${short(late)} MB at the end against ${short(early)} at the beginning, ${short(answered)} requests`,
  );
  // In the first third caches fill.
  const rest = memory.slice(third);
  const { slope, error } = rest.length < 3 ? { slope: 0, error: 0 } : slopeOf(rest);
  const isFlat = Math.abs(slope) <= 2 * error;
  console.log(
    `after the first third ${short(slope)} MB a minute, with a standard error of ${short(error)}: ${isFlat ? 'flat within twice its error' : 'not flat'}`,
  );
  console.log(Object.keys(failures).length === 0 ? 'none failed' : `failed: ${JSON.stringify(failures)}`);
  failed = late > early * GROWTH || Object.keys(failures).length > 0;
} finally {
  for (const client of clients) await client.stop();
  await server.stop();
  await removeData();
}
process.exit(failed ? 1 : 0);
