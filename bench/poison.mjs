// Queries that ask for too much, from four analysts at once, while apps read: --queries 300, --patients 200, --timeout 2
// (seconds a query may run), --quiet 20 (seconds of reads before). No call may fail, and the reads stay quick.
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { signRequest } from '../dist/access/oauth/sign-request.js';
import { analystTokens } from './lib/analysts.mjs';
import { copyOf, lists, patients, removeData } from './lib/data.mjs';
import { median, quantile, short } from './lib/measure.mjs';
import { poison } from './lib/poison-queries.mjs';
import { pathOf, recordIds } from './lib/requests.mjs';
import { credentials, serve } from './lib/servers.mjs';

const { values } = parseArgs({
  options: {
    queries: { type: 'string', default: '300' },
    patients: { type: 'string', default: '200' },
    timeout: { type: 'string', default: '2' },
    quiet: { type: 'string', default: '20' },
  },
});
const [queries, number, timeout, quiet] = ['queries', 'patients', 'timeout', 'quiet'].map((name) =>
  Number(values[name]),
);
const PEOPLE = ['ana', 'ben', 'cleo', 'dora'];
/** How much longer 99 % of reads may take under poison; a killed thread is replaced within so many milliseconds. */
const GOALS = { slower: 2, replaced: 500, memory: 1.2 };
/** Copies that have nothing to do are let go after 30 seconds. */
const RETIRED = 35_000;

const data = await copyOf(await patients(number, {}));
const records = recordIds(data).small;
const tokens = await credentials(data.dir, records);
const bearers = await analystTokens(data.dir, PEOPLE);
const server = await serve(data.dir, { analysts: true, settings: ['--analyst-timeout', String(timeout)] });
try {
  for (const bearer of bearers) await filled(bearer);
  const before = megabytesByProcess();
  const alone = await readsDuring(wait(quiet * 1000));
  const outcomes = {};
  const start = performance.now();
  const under = await readsDuring(
    Promise.all(bearers.map((bearer, person) => askAll(bearer, person, outcomes))),
  );
  const seconds = (performance.now() - start) / 1000;
  process.stderr.write(`${queries} queries: ${JSON.stringify(outcomes)}\n`);
  const replaced = await replacementTimes(bearers[0]);
  await wait(RETIRED);
  const after = megabytesByProcess();
  report({ alone, under, outcomes, seconds, replaced, before, after });
} finally {
  await server.stop();
  await removeData();
}

function report({ alone, under, outcomes, seconds, replaced, before, after }) {
  const p99 = (reads) => quantile(reads.times, 0.99);
  const slower = p99(under) / p99(alone);
  const failed = Object.entries({ ...under.statuses }).filter(([status]) => Number(status) !== 200);
  const wrong = Object.entries(outcomes).filter(([status]) => !['200', '400', '422'].includes(status));
  const growth = after.total / before.total;
  const slowest = Math.max(...replaced.after) - median(replaced.usual);
  const lines = [
    `${queries} queries in ${short(seconds)} s: ${JSON.stringify(outcomes)}`,
    `reads: p99 ${short(p99(alone))} ms quiet (${alone.times.length}), ${short(p99(under))} ms under it (${under.times.length}): × ${short(slower)} (goal ${GOALS.slower})`,
    `calls that failed: ${failed.length === 0 ? 'none' : JSON.stringify(failed)}`,
    `answered with 503 instead of being stopped: ${replaced.away} of ${replaced.after.length}`,
    `after a query that was killed, ASK {} took ${short(median(replaced.after))} ms in the median, ${short(Math.max(...replaced.after))} at most; ${short(median(replaced.usual))} before (goal: ${GOALS.replaced} more)`,
    `memory: ${short(before.total)} MB before, ${short(after.total)} after: × ${short(growth)} (goal ${GOALS.memory}); analysts ${short(before.analysts)}, ${short(after.analysts)}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  const holds = [
    failed.length === 0,
    wrong.length === 0,
    replaced.away === 0,
    slower <= GOALS.slower,
    slowest <= GOALS.replaced,
    growth <= GOALS.memory,
  ];
  process.exitCode = holds.every(Boolean) ? 0 : 1;
}

/** @returns the status of the answer, when all of it is here */
async function ask(bearer, query) {
  for (;;) {
    const response = await fetch(`${server.url}/sparql`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${bearer}` },
      body: new URLSearchParams({ query }),
    });
    // An answer that breaks off is one that is cut.
    await response.arrayBuffer().catch(() => undefined);
    // Somebody else's queries leave a place.
    if (response.status !== 429) return response.status;
    await wait(50);
  }
}

async function filled(bearer) {
  while ((await ask(bearer, 'ASK {}')) === 503) await wait(250);
}

async function askAll(bearer, person, outcomes) {
  for (let at = person; at < queries; at += PEOPLE.length) {
    const { query } = poison(at);
    const status = await ask(bearer, query);
    outcomes[status] = (outcomes[status] ?? 0) + 1;
  }
}

/** Signed GETs, of two apps one after the other, until something has ended. */
async function readsDuring(work) {
  const state = { isDone: false };
  const ended = work.finally(() => (state.isDone = true));
  const reads = { times: [], statuses: {} };
  await Promise.all([readUntil(state, reads, 0), readUntil(state, reads, 1)]);
  await ended;
  return reads;
}

async function readUntil(state, { times, statuses }, first) {
  for (let at = first; !state.isDone; at += 2) {
    const record = records[at % Math.min(records.length, 20)];
    const url = server.url + pathOf(lists[at % lists.length], record);
    const { consumerKey, consumerSecret, token, tokenSecret } = tokens.get(record);
    const Authorization = signRequest({
      method: 'GET',
      url,
      consumerKey,
      consumerSecret,
      token,
      tokenSecret,
    });
    const start = performance.now();
    const response = await fetch(url, { headers: { Authorization } });
    await response.arrayBuffer();
    times.push(performance.now() - start);
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    await wait(5);
  }
}

/** How long a small query takes before and at once after one that was killed. */
async function replacementTimes(bearer) {
  const timed = async () => {
    const start = performance.now();
    await filled(bearer);
    return performance.now() - start;
  };
  const times = { usual: [], after: [], away: 0 };
  for (let round = 0; round < 10; round++) {
    times.usual.push(await timed());
    const status = await ask(
      bearer,
      `SELECT (COUNT(*) AS ?n${round}) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }`,
    );
    // Not stopped by its limit: the process of analysts is away, and its return is waited for as anybody would.
    if (status === 503) times.away++;
    times.after.push(await timed());
  }
  return times;
}

/** Anonymous megabytes of the server with its processes; Linux only. */
function megabytesByProcess() {
  const sizes = { total: 0, analysts: 0 };
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/u.test(name))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      if (Number(pid) !== server.pid && Number(/PPid:\s+(\d+)/u.exec(status)[1]) !== server.pid) continue;
      const own = Number(/RssAnon:\s+(\d+) kB/u.exec(status)[1]) / 1024;
      sizes.total += own;
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('analyst-process')) sizes.analysts += own;
    } catch {
      // It has ended meanwhile.
    }
  }
  return sizes;
}
