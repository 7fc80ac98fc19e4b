// Virtuoso from Debian (virtuoso-opensource-7-bin) on loopback with settings of its own, loaded with a file of quads.
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { scratch } from './data.mjs';

const run = promisify(execFile);
const programs = { server: '/usr/bin/virtuoso-t', shell: '/usr/bin/isql-vt' };
/** What its loader is told of N-Quads: lenient reading (255) and quads (512). */
const N_QUADS = 255 + 512;

export const isInstalled = () => Object.values(programs).every((program) => existsSync(program));

/** @returns { url, name, stop } of a running server that holds the quads */
export async function startVirtuoso(quadsFile) {
  const dir = scratch('virtuoso');
  await mkdir(dir, { recursive: true });
  const [sql, http] = [await freePort(), await freePort()];
  await writeFile(join(dir, 'virtuoso.ini'), settings(dir, dirname(quadsFile), sql, http));
  const child = spawn(programs.server, ['+foreground', '+configfile', join(dir, 'virtuoso.ini')], {
    cwd: dir,
    stdio: 'ignore',
  });
  const stop = () =>
    new Promise((resolve) => {
      child.once('exit', resolve);
      child.kill();
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
    await stop();
    throw error;
  }
  return { url: `http://localhost:${http}/sparql`, name: 'Virtuoso', stop };
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

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
