// A gateway on PostgreSQL against the same program on a data directory of its own, both with one worker and the same
// data: acknowledged writes against a raw group commit of the same bytes on the same server, warm and cold signed lists
// against those of LMDB, `load` against LMDB, and two gateways against one. Needs --store-url with the address of a
// database whose name begins with `bench`: what it holds is dropped.
import { execFile } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { openDataDirectory } from '../../dist/disk/data-directory.js';
import { migrateToStore } from '../../dist/disk/shared/migrate.js';
import { patientMaker } from '../../dist/records/synth/invented-patient.js';
import { openEmbeddedStore } from '../../dist/store/embedded.js';
import { writeRelative } from '../../dist/store/relative-text.js';
import { Client } from '../lib/client.mjs';
import { base, FIRST, lists, model, patients, root, scratch } from '../lib/data.mjs';
import { figure, inFlight, median, short } from '../lib/measure.mjs';
import { expectAll, listOfSize, pathOf, recordIds } from '../lib/requests.mjs';
import { machineTime, timeOfAll } from '../lib/processor-time.mjs';
import { credentials, serve } from '../lib/servers.mjs';

const SIZE = 42 * 1024;
const program = join(root, 'dist', 'cli', 'chartgraph.js');
const run = promisify(execFile);

export async function measure({ quick, rounds, wanted, storeUrl }) {
  if (!storeUrl)
    return wanted.map((id) => ({
      id,
      value: null,
      goal: null,
      better: 'higher',
      holds: null,
      details: ['needs --store-url'],
    }));
  if (!new URL(storeUrl).pathname.startsWith('/bench'))
    throw new Error('the name of the database must begin with bench');
  const sql = new pg.Pool({ connectionString: storeUrl, max: 2 });
  try {
    const results = [];
    if (wanted.includes('pg-writes')) results.push(await writes(sql, storeUrl, { quick, rounds }));
    if (wanted.includes('pg-load')) results.push(await loads(sql, storeUrl, { quick, rounds }));
    if (wanted.some((id) => id === 'pg-warm' || id === 'pg-cold'))
      results.push(...(await reads(sql, storeUrl, { quick, rounds })));
    if (wanted.includes('gateways')) results.push(await gateways(sql, storeUrl, { quick, rounds }));
    return results.filter(({ id }) => wanted.includes(id));
  } finally {
    await empty(sql);
    await sql.end();
  }
}

const empty = (sql) => sql.query('DROP SCHEMA IF EXISTS chartgraph CASCADE');

async function writes(sql, storeUrl, { quick, rounds }) {
  const count = quick ? 2000 : 10_000;
  const graphs = [];
  const make = patientMaker({ ontology: model.ontology, seed: 'writes', size: 'small', base, first: FIRST });
  for (let n = 0; graphs.length < count; n++) graphs.push(...make(n).graphs.slice(1));
  graphs.length = count;
  const texts = graphs.map(({ name, quads }) => Buffer.from(writeRelative(name, quads, base)));
  const [ours, theirs] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    await empty(sql);
    const directory = await openDataDirectory(scratch(`gateway-${round}`), { store: storeUrl });
    const store = await openEmbeddedStore({ directory, base });
    const own = await inFlight(count, (index) => store.write({ replace: [graphs[index]] }));
    await store.close();
    await directory.close();
    const raw = await rawGroupCommit(sql, graphs, texts);
    if (round === 0) continue;
    ours.push(own);
    theirs.push(raw);
  }
  return figure('pg-writes', median(ours) / median(theirs), {
    goal: 0.4,
    better: 'higher',
    details: [`${short(median(ours))} writes/s against ${short(median(theirs))}`],
  });
}

/** What waits at the same time is one statement in one transaction. */
async function rawGroupCommit(sql, graphs, texts) {
  await sql.query('DROP TABLE IF EXISTS bench_raw');
  await sql.query('CREATE TABLE bench_raw (path text PRIMARY KEY, body bytea NOT NULL)');
  let waiting = [];
  let isBusy = false;
  const flush = async () => {
    isBusy = true;
    await Promise.resolve();
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      const paths = group.map(({ index }) => graphs[index].name);
      const bodies = group.map(({ index }) => texts[index]);
      await sql.query(
        `INSERT INTO bench_raw SELECT * FROM unnest($1::text[], $2::bytea[])
        ON CONFLICT (path) DO UPDATE SET body = EXCLUDED.body`,
        [paths, bodies],
      );
      for (const { resolve } of group) resolve();
    }
    isBusy = false;
  };
  const rate = await inFlight(graphs.length, (index) => {
    return new Promise((resolve) => {
      waiting.push({ index, resolve });
      if (!isBusy) void flush();
    });
  });
  await sql.query('DROP TABLE bench_raw');
  return rate;
}

/** The command `load` with the same files, into PostgreSQL and into a data directory. */
async function loads(sql, storeUrl, { quick, rounds }) {
  const count = quick ? 100 : 1000;
  const files = scratch('load-files');
  await run(process.execPath, [program, 'synth', '--patients', String(count), '--out', files]);
  const took = { shared: [], own: [] };
  for (let round = 0; round <= Math.min(rounds, 3); round++) {
    await empty(sql);
    for (const [name, options] of Object.entries({ shared: ['--store', storeUrl], own: [] })) {
      const start = performance.now();
      const data = scratch(`load-${name}-${round}`);
      await run(process.execPath, [program, 'load', files, '--data', data, ...options], {
        maxBuffer: 1 << 28,
      });
      if (round > 0) took[name].push(performance.now() - start);
    }
  }
  const [shared, own] = [median(took.shared), median(took.own)].map((ms) => (count * 1000) / ms);
  return figure('pg-load', shared / own, {
    goal: 0.5,
    better: 'higher',
    details: [`${short(shared)} patients/s into PostgreSQL against ${short(own)} into LMDB`],
  });
}

/** Cold lists of two gateways, each asked for records of its own as a balancer does, against those of one. */
async function gateways(sql, storeUrl, { quick, rounds }) {
  await empty(sql);
  const data = await patients(quick ? 100 : 3000, { large: 20 });
  const records = recordIds(data).small;
  const tokens = await credentials(data.dir, records);
  await migrateToStore(data.dir, storeUrl, () => undefined);
  const clients = [new Client(), new Client()];
  const rates = { 1: [], 2: [] };
  const costs = { 1: [], 2: [] };
  try {
    for (const number of [1, 2]) {
      // New ones for each, so that nothing was asked before; all get the same questions.
      const servers = [];
      try {
        for (let at = 0; at < number; at++) {
          servers.push(await startGateway(data, `gateway-${number}-${at}`, storeUrl));
        }
        const each = Math.floor((records.length * lists.length) / (rounds + 1));
        for (let round = 0; round <= rounds; round++) {
          const requests = Array.from({ length: each }, (_, index) => {
            const at = round * each + index;
            const record = records[at % records.length];
            const call = lists[Math.floor(at / records.length)];
            return { path: pathOf(call, record), as: tokens.get(record) };
          });
          const parts = servers.map((_, at) => requests.filter((__, index) => index % number === at));
          const connections = 16 / number;
          for (const [at, part] of parts.entries())
            await clients[at].prepare(servers[at].url, part, { connections });
          const taken = () => servers.reduce((sum, { pid }) => sum + timeOfAll(pid), 0);
          const [before, machine] = [taken(), machineTime()];
          const results = await Promise.all(parts.map((_, at) => clients[at].go()));
          const [after, then] = [taken(), machineTime()];
          for (const result of results) expectAll(result);
          if (round === 0) continue;
          rates[number].push((each * 1000) / Math.max(...results.map(({ ms }) => ms)));
          const share = (of) => (then[of] - machine[of]) / (then.all - machine.all);
          costs[number].push({
            request: (after - before) / each,
            own: (after - before) / (then.all - machine.all),
            idle: share('idle'),
            stolen: share('stolen'),
          });
        }
      } finally {
        for (const server of servers) await server.stop();
      }
    }
  } finally {
    for (const client of clients) await client.stop();
  }
  const [one, two] = [median(rates[1]), median(rates[2])];
  const cost = (number) => {
    const [request, own, idle, stolen] = ['request', 'own', 'idle', 'stolen'].map((of) =>
      median(costs[number].map((each) => each[of])),
    );
    const percent = (part) => `${short(part * 100)} %`;
    return `${number === 1 ? 'one' : 'two'}: ${short(request)} µs of a processor a request; of the processors ${percent(own)} to gateways, ${percent(idle)} idle, ${percent(stolen)} to other machines`;
  };
  return figure('gateways', two / one, {
    goal: 1.5,
    better: 'higher',
    details: [`${short(two)} req/s of two against ${short(one)} of one`, cost(1), cost(2)],
  });
}

/** A gateway with a data directory of its own and the key of a container that was migrated. */
async function startGateway(data, name, store) {
  const dir = scratch(name);
  await mkdir(dir, { recursive: true });
  await cp(join(data.dir, 'secret.key'), join(dir, 'secret.key'));
  return serve(dir, { workers: 1, store });
}

async function reads(sql, storeUrl, { quick, rounds }) {
  await empty(sql);
  const data = await patients(quick ? 100 : 1000, { large: 20 });
  const records = recordIds(data).small;
  const tokens = await credentials(data.dir, records);
  const client = new Client();
  const servers = [];
  try {
    const alone = await serve(data.dir, { workers: 1 });
    servers.push(alone);
    const list = await listOfSize({ data, url: alone.url, client, size: SIZE });
    await servers.pop().stop();
    await migrateToStore(data.dir, storeUrl, () => undefined);
    const own = await serve(data.dir, { workers: 1 });
    servers.push(own);
    const gateway = await startGateway(data, 'gateway', storeUrl);
    servers.push(gateway);
    const rates = { warm: [[], []], cold: [[], []] };
    const each = Math.min(200, Math.floor(records.length / (rounds + 1)));
    const call = lists[0];
    for (let round = 0; round <= rounds; round++) {
      const warm = Array.from({ length: quick ? 2000 : 10_000 }, () => ({ path: list.path, as: list.as }));
      const some = records.slice(round * each, (round + 1) * each);
      const cold = some.map((record) => ({ path: pathOf(call, record), as: tokens.get(record) }));
      for (const [at, { url }] of [gateway, own].entries()) {
        const warmRate = expectAll(await client.run(url, warm, { connections: 20 })).rate;
        const coldRate = expectAll(await client.run(url, cold, { connections: 8 })).rate;
        if (round === 0) continue;
        rates.warm[at].push(warmRate);
        rates.cold[at].push(coldRate);
      }
    }
    return Object.entries(rates).map(([name, [theirs, ours]]) =>
      figure(`pg-${name}`, median(theirs) / median(ours), {
        goal: 0.5,
        better: 'higher',
        details: [`${short(median(theirs))} req/s on PostgreSQL against ${short(median(ours))} on LMDB`],
      }),
    );
  } finally {
    await client.stop();
    for (const server of servers) await server.stop();
  }
}
