// A gateway on PostgreSQL against the same program on a data directory of its own, both with one worker and the same
// data: acknowledged writes against a raw group commit of the same bytes on the same server, warm and cold signed lists
// against those of LMDB, `load` against LMDB, and two gateways against one. Needs --store-url with the address of a
// database whose name begins with `bench`: what it holds is dropped.
import { execFile } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { openDataDirectory } from '../../dist/store/disk/data-directory.js';
import { migrateToStore } from '../../dist/store/postgres/migrate.js';
import { patientMaker } from '../synth/patient-maker.mjs';
import { openEmbeddedStore } from '../../dist/store/embedded-store.js';
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
  await run(process.execPath, [
    join(root, 'bench', 'synth.mjs'),
    '--patients',
    String(count),
    '--out',
    files,
  ]);
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

/**
 * Cold lists of two gateways, each asked for records of its own as a balancer does, against those of one; beside it the
 * same of two containers that share nothing, which tells what the machine allows.
 */
async function gateways(sql, storeUrl, { quick, rounds }) {
  await empty(sql);
  const data = await patients(quick ? 100 : 3000, { large: 20 });
  const records = recordIds(data).small;
  const tokens = await credentials(data.dir, records);
  await migrateToStore(data.dir, storeUrl, () => undefined);
  const clients = [new Client(), new Client()];
  const requests = Array.from({ length: records.length * lists.length }, (_, at) => {
    const record = records[at % records.length];
    return { path: pathOf(lists[Math.floor(at / records.length)], record), as: tokens.get(record) };
  });
  const kinds = {
    shared: (name) => startGateway(data, name, storeUrl),
    apart: async (name) => {
      const dir = scratch(name);
      await cp(data.dir, dir, { recursive: true });
      return serve(dir, { workers: 1 });
    },
  };
  const found = {};
  try {
    for (const [kind, start] of Object.entries(kinds)) {
      found[kind] = [];
      for (const number of [1, 2]) {
        // New ones for each, so that nothing was asked before; all get the same questions.
        const servers = [];
        try {
          for (let at = 0; at < number; at++) servers.push(await start(`${kind}-${number}-${at}`));
          found[kind].push(await askedTogether(servers, clients, requests, rounds));
        } finally {
          for (const server of servers) await server.stop();
        }
      }
    }
  } finally {
    for (const client of clients) await client.stop();
  }
  const percent = (part) => `${short(part * 100)} %`;
  const costs = ({ request, own, idle, stolen }) =>
    `${short(request)} µs of a processor a request; of the processors ${percent(own)} to them, ${percent(idle)} idle, ${percent(stolen)} to other machines`;
  const details = Object.entries(found).flatMap(([kind, [one, two]]) => [
    `${kind === 'shared' ? 'gateways' : `containers that share nothing: ${short(two.rate / one.rate)} ×`}: ${short(two.rate)} req/s of two against ${short(one.rate)} of one`,
    `one: ${costs(one)}`,
    `two: ${costs(two)}`,
  ]);
  const [one, two] = found.shared;
  return figure('gateways', two.rate / one.rate, { goal: 1.5, better: 'higher', details });
}

/** Medians of rounds in which some servers get the same number of requests each, all different. */
async function askedTogether(servers, clients, requests, rounds) {
  const each = Math.floor(requests.length / (rounds + 1));
  const taken = () => servers.reduce((sum, { pid }) => sum + timeOfAll(pid), 0);
  const measured = [];
  for (let round = 0; round <= rounds; round++) {
    const own = requests.slice(round * each, (round + 1) * each);
    const parts = servers.map((_, at) => own.filter((__, index) => index % servers.length === at));
    const connections = 16 / servers.length;
    for (const [at, part] of parts.entries())
      await clients[at].prepare(servers[at].url, part, { connections });
    const [before, machine] = [taken(), machineTime()];
    const results = await Promise.all(parts.map((_, at) => clients[at].go()));
    const [after, then] = [taken(), machineTime()];
    for (const result of results) expectAll(result);
    if (round === 0) continue;
    const share = (of) => (then[of] - machine[of]) / (then.all - machine.all);
    measured.push({
      rate: (each * 1000) / Math.max(...results.map(({ ms }) => ms)),
      request: (after - before) / each,
      own: (after - before) / (then.all - machine.all),
      idle: share('idle'),
      stolen: share('stolen'),
    });
  }
  const names = Object.keys(measured[0]);
  return Object.fromEntries(names.map((name) => [name, median(measured.map((each) => each[name]))]));
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
