// Kills a container again and again, at its start, while its workers fill, while it writes, the whole group or only
// the first process, and starts the next one at once. No acknowledged write may be lost and no start may hang.
//   node bench/kills.mjs [COUNT=10000] [PATIENTS=60] [AT_ONCE=the number of cores] containers, each on a directory of its own
// With CHARTGRAPH_STORE, the address of an empty PostgreSQL database, they are gateways on that, and at the end the
// access log of each is verified.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { signRequest } from '../dist/access/oauth/sign-request.js';

const root = resolve(import.meta.dirname, '..');
const program = join(root, 'dist', 'cli', 'chartgraph.js');
const APP = 'kills@apps.example.org';
const FIRST = 3000001;
const STORE = process.env['CHARTGRAPH_STORE'];
/** Longer than any wait that the container allows itself. */
const READY_WITHIN = 60_000;

/** What happens in a round: how long after the start, or after it is ready, the kill comes, in milliseconds. */
const rounds = [
  { name: 'start', ready: false, within: 400 },
  { name: 'fill', ready: false, within: 2000 },
  { name: 'write', ready: true, within: 250 },
];

/**
 * @param {{ count: number, patients: number, atOnce?: number, report?: (line: string) => void }} options
 * @returns {Promise<{ kills: Record<string, number>, acknowledged: number, slowest: number }>}
 * @throws Error when a write was lost or a start hung
 */
export async function killMany({ count, patients, atOnce = 1, report = () => undefined }) {
  const folder = await mkdtemp(join(tmpdir(), 'chartgraph-kills-'));
  try {
    const tokens = await prepare(folder, patients, Math.min(atOnce, count));
    const lanes = [];
    for (const [number, as] of tokens.entries()) {
      const own = join(folder, `lane-${number}`);
      await mkdir(join(own, 'data'), { recursive: true });
      // A gateway makes its own copy of the database.
      const part = STORE === undefined ? 'data' : join('data', 'secret.key');
      await cp(join(folder, part), join(own, part), { recursive: true });
      lanes.push({ folder: own, as, record: FIRST + number, last: 0, acknowledged: 0, slowest: 0 });
    }
    const kills = { start: 0, fill: 0, write: 0 };
    const total = () => ({
      kills,
      acknowledged: lanes.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
      slowest: Math.max(...lanes.map(({ slowest }) => slowest)),
    });
    let left = count;
    let done = 0;
    let failed = false;
    const run = async (state) => {
      while (left > 0 && !failed) {
        // The last one of each says whether all is still there.
        const isLast = --left < lanes.length;
        const round = isLast ? rounds[2] : rounds[Math.floor(Math.random() * rounds.length)];
        await killOnce(round, state);
        kills[round.name]++;
        const { acknowledged, slowest } = total();
        if (++done % 100 === 0) report(`${done} kills, ${acknowledged} writes, slowest start ${slowest} ms`);
        if (isLast) return;
      }
    };
    const ended = await Promise.allSettled(
      lanes.map((state) =>
        run(state).catch((error) => {
          failed = true;
          throw error;
        }),
      ),
    );
    for (const { reason } of ended) if (reason) throw reason;
    for (const { folder: own } of lanes) await command(own, ['audit', 'verify']);
    return total();
  } finally {
    await wait(1500);
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns {Promise<object[]>} a token for each of so many containers, each for a record of its own */
async function prepare(folder, patients, count) {
  await writeFile(
    join(folder, 'app.json'),
    JSON.stringify({ id: APP, name: 'Kills', description: 'An app.', mode: 'background' }),
  );
  await command(folder, ['--patients', String(patients), '--data', 'data'], join(root, 'bench', 'synth.mjs'));
  await command(folder, ['app', 'add', 'app.json']);
  await command(folder, [
    'user',
    'add',
    'u',
    '--given-name',
    'G',
    '--family-name',
    'F',
    '--role',
    'clinician',
    '--record',
    ...Array.from({ length: count }, (_, number) => String(FIRST + number)),
  ]);
  const tokens = [];
  for (let number = 0; number < count; number++) {
    const bound = ['--app', APP, '--user', 'u', '--record', String(FIRST + number)];
    tokens.push(JSON.parse(await command(folder, ['token', 'issue', ...bound, '--json'])));
  }
  return tokens;
}

async function command(cwd, args, script = program) {
  const child = spawn(process.execPath, [script, ...args], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`chartgraph ${args.join(' ')} ended with ${code}`);
  return output;
}

async function killOnce({ ready, within }, state) {
  const began = Date.now();
  const child = spawn(process.execPath, [program, 'serve', '--no-seed', '--port', '0', '--workers', '2'], {
    cwd: state.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said = (said + text).slice(-2000)));
  const closed = once(child, 'exit').then(([code]) => {
    if (code !== null) throw new Error(`the container ended by itself with ${code}: ${said}`);
  });
  closed.catch(() => undefined);
  const delay = Math.random() * within;
  try {
    if (ready) {
      const url = await Promise.race([
        readyUrl(child),
        closed,
        wait(READY_WITHIN, undefined, { ref: false }).then(() => {
          throw new Error(`a start hangs: ${said}`);
        }),
      ]);
      state.slowest = Math.max(state.slowest, Date.now() - began);
      await readBack(url, state);
      const before = state.acknowledged;
      let isOver = false;
      const writing = write(url, state).finally(() => (isOver = true));
      writing.catch(() => undefined);
      // On a busy machine the kill would else come before anything was written.
      while (!isOver && state.acknowledged === before) await wait(5);
      await wait(delay);
      kill(child);
      await writing;
    } else {
      await Promise.race([wait(delay), closed]);
      kill(child);
    }
  } finally {
    kill(child, true);
  }
  await closed;
}

/** The whole group, or the first process alone, whose workers then have to end by themselves. */
function kill(child, all = false) {
  if (all || Math.random() < 0.5) {
    // A group in which nobody is left has no number; its workers may still be in it when the first process is gone.
    if (all && child.signalCode === null && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    else if (!all) process.kill(-child.pid, 'SIGKILL');
  } else process.kill(child.pid, 'SIGKILL');
}

async function readyUrl(child) {
  const [text] = await once(child.stdout, 'data');
  return /ready at (\S+)/.exec(String(text))?.[1];
}

const scratchpad = (url, { record }) => `${url}/records/${record}/apps/${APP}/scratchpad`;

function ask(url, method, as, body) {
  const credentials = {
    consumerKey: as.consumer_key,
    consumerSecret: as.consumer_secret,
    token: as.oauth_token,
    tokenSecret: as.oauth_token_secret,
  };
  const authorization = signRequest({ method, url, ...credentials });
  return fetch(url, { method, headers: { authorization, 'content-type': 'text/plain' }, body });
}

async function readBack(url, state) {
  if (state.last === 0) return;
  const response = await ask(scratchpad(url, state), 'GET', state.as);
  const found = Number(await response.text());
  // One more may have been stored without anybody having been told.
  if (!(found >= state.last))
    throw new Error(`${state.last} was acknowledged, ${found} is there (${response.status})`);
  state.last = found;
}

/** Writes one number after the other until the container is gone. */
async function write(url, state) {
  for (;;) {
    const next = state.last + 1;
    try {
      const response = await ask(scratchpad(url, state), 'PUT', state.as, String(next));
      if (response.status !== 200) throw new Error(`a write was answered ${response.status}`);
      await response.text();
    } catch (error) {
      if (error.name === 'TypeError') return;
      throw error;
    }
    state.last = next;
    state.acknowledged++;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [count = 10_000, patients = 60, atOnce = availableParallelism()] = process.argv.slice(2).map(Number);
  const result = await killMany({ count, patients, atOnce, report: (line) => console.log(line) });
  console.log(JSON.stringify(result));
}
