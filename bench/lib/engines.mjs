// SPARQL servers of others, each on loopback and loaded with a file of quads: Virtuoso from Debian
// (virtuoso-opensource-7-bin), the native Oxigraph from PyPI (oxigraph) and Apache Jena Fuseki, whose jar `.ci/fuseki DIR`
// fetches, where CHARTGRAPH_TEST_FUSEKI names that folder.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { scratch } from './data.mjs';

const run = promisify(execFile);
const programs = { server: '/usr/bin/virtuoso-t', shell: '/usr/bin/isql-vt' };
/** What its loader is told of N-Quads: lenient reading (255) and quads (512). */
const N_QUADS = 255 + 512;
/** Many times what is loaded: it is not what ends a server. */
export const JAVA_MEMORY = '-Xmx2g';

/** Whether a command ends well. */
export const works = (...command) => spawnSync(command[0], command.slice(1)).status === 0;

function fusekiJar() {
  const dir = process.env.CHARTGRAPH_TEST_FUSEKI;
  const found = dir && existsSync(dir) && readdirSync(dir).find((name) => name.endsWith('.jar'));
  return found ? join(dir, found) : undefined;
}

/** Those that are installed: how each is started with a file of quads, which gives { url, name, stop }. */
export const installedEngines = () =>
  [
    Object.values(programs).every((program) => existsSync(program)) && startVirtuoso,
    works('oxigraph', '--version') && startOxigraph,
    fusekiJar() && works('java', '-version') && startFuseki,
  ].filter(Boolean);

async function startOxigraph(quadsFile) {
  const dir = scratch('oxigraph');
  await run('oxigraph', ['load', '--location', dir, '--file', quadsFile, '--format', 'nq']);
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn('oxigraph', ['serve-read-only', '--location', dir, '--bind', address], {
    stdio: 'ignore',
  });
  await untilAnswers(`http://${address}/`, child);
  return { url: `http://${address}/query`, name: 'the native Oxigraph', stop: () => ended(child) };
}

/** The native Oxigraph, empty or with what `oxigraph load` has put into a folder, ready for queries and updates. */
export async function writableOxigraph(dir) {
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn('oxigraph', ['serve', '--location', dir, '--bind', address], { stdio: 'ignore' });
  await untilAnswers(`http://${address}/`, child);
  return { url: `http://${address}`, pid: child.pid, stop: () => ended(child) };
}

async function startFuseki(quadsFile) {
  const port = await freePort();
  const options = ['--mem', '--update', `--port=${port}`, '--localhost', '/ds'];
  const child = spawn('java', [JAVA_MEMORY, '-jar', fusekiJar(), ...options], {
    cwd: scratch('.'),
    stdio: 'ignore',
  });
  const url = `http://localhost:${port}/ds`;
  await untilAnswers(`${url}/query?query=ASK%7B%7D`, child);
  const headers = { 'Content-Type': 'application/n-quads' };
  const response = await fetch(url, { method: 'POST', headers, body: await readFile(quadsFile) });
  if (!response.ok) {
    await ended(child);
    throw new Error(`Fuseki cannot load: ${response.status}`);
  }
  return { url: `${url}/query`, name: 'Fuseki', stop: () => ended(child) };
}

/** Waits for the first answer of a server. @throws Error when it ends before, or after so many seconds */
export async function untilAnswers(url, child, seconds = 60) {
  for (let left = seconds * 10; ; left--) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    if (child.exitCode !== null || left === 0) throw new Error(`no server answers at ${url}`);
    await wait(100);
  }
}

/** Ends a server and waits until it has. */
export async function ended(child) {
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}

async function startVirtuoso(quadsFile) {
  const dir = scratch('virtuoso');
  await mkdir(dir, { recursive: true });
  const [sql, http] = [await freePort(), await freePort()];
  await writeFile(join(dir, 'virtuoso.ini'), settings(dir, dirname(quadsFile), sql, http));
  const child = spawn(programs.server, ['+foreground', '+configfile', join(dir, 'virtuoso.ini')], {
    cwd: dir,
    stdio: 'ignore',
  });
  const tell = (command) =>
    run(programs.shell, [`127.0.0.1:${sql}`, 'dba', 'dba', 'ERRORS=STDOUT', `EXEC=${command}`], {
      maxBuffer: 1 << 26,
    });
  try {
    for (let left = 120; ; left--) {
      const { stdout = '' } = await tell('select 1;').catch(() => ({}));
      if (/Rows?\./.test(stdout)) break;
      if (left === 0) throw new Error('Virtuoso does not answer');
      await wait(500);
    }
    const { stdout } = await tell(
      `DB.DBA.TTLP(file_open('${quadsFile}'), '', 'urn:none', ${N_QUADS}); checkpoint;`,
    );
    if (/\*\*\* Error/.test(stdout)) throw new Error(`Virtuoso cannot load: ${stdout.slice(0, 500)}`);
  } catch (error) {
    await ended(child);
    throw error;
  }
  return { url: `http://localhost:${http}/sparql`, name: 'Virtuoso', stop: () => ended(child) };
}

function settings(dir, readable, sql, http) {
  return `
[Database]
DatabaseFile = ${dir}/virtuoso.db
ErrorLogFile = ${dir}/virtuoso.log
LockFile = ${dir}/virtuoso.lck
TransactionFile = ${dir}/virtuoso.trx
xa_persistent_file = ${dir}/virtuoso.pxa
[TempDatabase]
DatabaseFile = ${dir}/temporary.db
TransactionFile = ${dir}/temporary.trx
[Parameters]
ServerPort = 127.0.0.1:${sql}
DirsAllowed = ${readable}
NumberOfBuffers = 170000
MaxDirtyBuffers = 130000
ServerThreads = 64
[HTTPServer]
ServerPort = 127.0.0.1:${http}
ServerThreads = 32
MaxKeepAlives = 64
KeepAliveTimeout = 60
[SPARQL]
ResultSetMaxRows = 1000000
MaxQueryExecutionTime = 60
[Client]
SQL_PREFETCH_ROWS = 100
`;
}

/** A port of loopback that nobody listens on. */
export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
