// Servers as processes of their own: the container as its users start it, and a bare Koa to compare with.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openAccounts } from '../../dist/access/accounts/accounts.js';
import { loadSecretKey } from '../../dist/access/accounts/secret-key.js';
import { openDataDirectory } from '../../dist/store/disk/data-directory.js';
import { root, scratch } from './data.mjs';
import { untilQuiet } from './processor-time.mjs';

const APP = 'bench@apps.example.org';
const issued = new Map();
let started = 0;

/**
 * Credentials for records of a data directory, made before or while a server runs on it.
 * @returns by record id
 */
export async function credentials(dir, records) {
  const known = issued.get(dir) ?? { secret: undefined, tokens: new Map() };
  issued.set(dir, known);
  const missing = records.filter((record) => !known.tokens.has(record));
  if (missing.length === 0) return known.tokens;
  const directory = await openDataDirectory(dir);
  const accounts = openAccounts(directory, await loadSecretKey(dir, {}));
  known.secret ??= (await directory.transact((tx) => accounts.putApp(tx, { id: APP, mode: 'ui' }))).secret;
  await Promise.all(
    missing.map(async (record) => {
      const { token, secret: tokenSecret } = await accounts.issueToken({ app: APP, record });
      known.tokens.set(record, { consumerKey: APP, consumerSecret: known.secret, token, tokenSecret });
    }),
  );
  await directory.close();
  return known.tokens;
}

/** Bearer tokens for records of a data directory. @returns by record id */
export async function bearers(dir, records) {
  const directory = await openDataDirectory(dir);
  const accounts = openAccounts(directory, await loadSecretKey(dir, {}));
  const bound = { app: APP, user: 'bench', scope: 'patient/*.rs' };
  const tokens = await directory.transact((tx) => {
    accounts.putApp(tx, { id: APP, mode: 'ui' });
    accounts.putUser(tx, { id: bound.user, role: 'clinician', records });
    return new Map(records.map((record) => [record, accounts.putBearer(tx, { ...bound, record }).token]));
  });
  await directory.close();
  return tokens;
}

/**
 * The built command line serving a data directory on a free port.
 * @param options.memory in megabytes @param options.isWhole whether to wait until everything is in memory, or as much as
 * it holds where that is `filled`, and until the server is quiet @param options.settings further flags
 * @param options.delays whether `loopDelays` will be asked @param options.analysts whether their process runs, too
 */
export async function serve(
  dir,
  { workers, memory, store, settings = [], isWhole = true, delays = false, analysts = false } = {},
) {
  // It rests when its copy of the data is made, for which nothing that is measured has to wait.
  const common = ['--data', dir, '--port', '0', '--no-seed', '--analysts', analysts ? 'on' : 'off'];
  const args = ['serve', ...common, ...settings];
  if (workers !== undefined) args.push('--workers', String(workers));
  if (store !== undefined) args.push('--store', store);
  if (memory !== undefined) args.push('--memory', String(memory));
  // What is logged costs what it costs, and goes nowhere.
  const { delaysDir, watch, env } = await watching(delays);
  const child = spawn(process.execPath, [...watch, join(root, 'dist/cli/chartgraph.js'), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env,
  });
  let said = '';
  const url = await new Promise((resolve, reject) => {
    child.stdout.on('data', (text) => {
      const ready = /ready at (\S+)/.exec((said += text));
      if (ready) resolve(ready[1]);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  if (isWhole) {
    await untilFilled(url, isWhole === 'filled');
    await untilQuiet(child.pid);
  }
  return { url, pid: child.pid, delaysDir, stop: () => ended(child) };
}

/** What a process is started with so that `loopDelays` can ask it. @param wanted whether it is to be */
async function watching(wanted) {
  const delaysDir = wanted ? scratch(`delays-${started++}`) : undefined;
  if (delaysDir) await mkdir(delaysDir);
  const watch = delaysDir ? ['--import', new URL('loop-delay.mjs', import.meta.url).href] : [];
  return { delaysDir, watch, env: { ...process.env, BENCH_LOOP_DELAYS: delaysDir } };
}

/**
 * How long the turns of the event loops took since this was asked last, in each process of a server that answers, and
 * what was put on the heap.
 * @returns [{ p99, most, busiest, busy, allocated, outlived }], the slowest process first; milliseconds, `busiest` and
 * `busy` of the processor; bytes, `outlived` those that two collections of young objects left
 */
export async function loopDelays({ delaysDir }) {
  const files = await readdir(delaysDir);
  const pids = files.filter((name) => /^\d+$/.test(name));
  const asked = pids.filter((pid) => {
    try {
      return process.kill(Number(pid), 'SIGUSR2');
    } catch {
      // It has ended.
      return false;
    }
  });
  const results = [];
  for (const pid of asked) {
    const file = join(delaysDir, `${pid}.json`);
    while (!existsSync(file)) await wait(5);
    results.push(JSON.parse(await readFile(file, 'utf8')));
    await rm(file);
  }
  return results.sort((a, b) => b.most - a.most);
}

/** Waits until whichever process answers has in memory all that it will have. */
async function untilFilled(url, mayBePartial) {
  for (let left = 20; left > 0; left--) {
    const state = await (await fetch(`${url}/health/ready`, { headers: { Connection: 'close' } })).text();
    if (state.includes('memory: partial') && !mayBePartial)
      throw new Error('the data is more than memory holds');
    if (state.includes('memory: filling')) {
      left = 20;
      await wait(50);
    }
  }
}

/**
 * A Koa application that answers every request with one body.
 * @param body bytes; nothing: `hello` @param options.delays as for `serve`
 */
export async function bareKoa(body = Buffer.from('hello'), { delays = false } = {}) {
  const { delaysDir, watch, env } = await watching(delays);
  const options = { serialization: 'advanced', execArgv: [...process.execArgv, ...watch], env };
  const child = fork(fileURLToPath(new URL('bare-koa.mjs', import.meta.url)), options);
  child.send(body);
  const [port] = await once(child, 'message');
  return { url: `http://localhost:${port}`, pid: child.pid, delaysDir, stop: () => ended(child) };
}

function ended(child) {
  return new Promise((resolve) => {
    child.removeAllListeners('exit').once('exit', resolve);
    child.kill();
  });
}
