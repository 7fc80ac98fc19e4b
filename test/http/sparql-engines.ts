import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A SPARQL server of others, empty. */
export interface SparqlEngine {
  readonly query: string;
  readonly update: string;
  /** The graph that stands in the place of a default one of its own, where it has none. */
  readonly place: string | undefined;
  stop(): Promise<void>;
}

/** A kind of SPARQL server. */
export interface EngineKind {
  readonly name: string;
  /** How it gets onto a machine that does not have it. */
  readonly from: string;
  readonly isHere: boolean;
  /** @param dir a folder of its own @param port added to the usual one, for another of the same kind */
  start(dir: string, port?: number): Promise<SparqlEngine>;
}

// Each process of tests has a loopback address of its own, on which nobody else listens: so any port of it is free.
const isLinux = process.platform === 'linux';
const address = `127.${64 + ((process.pid >> 16) & 63)}.${(process.pid >> 8) & 255}.${process.pid & 255}`;

/** The jar of Fuseki where `.ci/fuseki` has put it. */
export const fusekiJar = jarIn(process.env['CHARTGRAPH_TEST_FUSEKI']);

function jarIn(dir: string | undefined): string | undefined {
  const names = dir !== undefined && existsSync(dir) ? readdirSync(dir) : [];
  const found = names.find((name) => name.endsWith('.jar'));
  return dir === undefined || found === undefined ? undefined : join(dir, found);
}

function hasProgram(...command: [string, ...string[]]): boolean {
  const [program, ...args] = command;
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The value in the first line of an output that says it. @throws Error when the program ends before */
async function said(child: ChildProcess, pattern: RegExp): Promise<string> {
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8');
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        const found = pattern.exec(line);
        if (found) resolve(found[1] ?? '');
      });
    }
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`it ended: ${lines.join('\n')}`)));
  });
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

const fuseki: EngineKind = {
  name: 'Apache Jena Fuseki',
  from: '.ci/fuseki',
  isHere: fusekiJar !== undefined && hasProgram('java', '-version'),
  start: async (dir) => {
    const args = ['-Xmx500m', '-jar', fusekiJar ?? '', '--mem', '--update', '--port=0', '--localhost', '/ds'];
    const child = spawn('java', args, { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] });
    const port = await said(child, /Start Fuseki \(http=(\d+)\)/u);
    const url = `http://localhost:${port}/ds`;
    return { query: `${url}/query`, update: `${url}/update`, place: undefined, stop: () => stopped(child) };
  },
};

const oxigraph: EngineKind = {
  name: 'the native Oxigraph server',
  from: 'pip install oxigraph',
  isHere: isLinux && hasProgram('oxigraph', '--version'),
  start: async (dir, port = 0) => {
    const args = [
      'serve',
      '--location',
      join(dir, 'store'),
      '--bind',
      `${address}:${7878 + port}`,
      '--timeout-s',
      '60',
    ];
    const child = spawn('oxigraph', args, { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] });
    await said(child, /(Listening)/u);
    const url = `http://${address}:${7878 + port}`;
    return { query: `${url}/query`, update: `${url}/update`, place: undefined, stop: () => stopped(child) };
  },
};

const virtuoso: EngineKind = {
  name: 'Virtuoso',
  from: 'apt-get install virtuoso-opensource-7-bin',
  isHere: isLinux && ['/usr/bin/virtuoso-t', '/usr/bin/isql-vt'].every((program) => existsSync(program)),
  start: async (dir) => {
    await mkdir(dir, { recursive: true });
    await writeFile(join(dir, 'virtuoso.ini'), virtuosoSettings(dir));
    const child = spawn('/usr/bin/virtuoso-t', ['+foreground', '+configfile', join(dir, 'virtuoso.ini')], {
      cwd: dir,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await said(child, /(Server online)/u);
    // Whoever asks without a name may update, as nobody else is on this address.
    const grant = 'EXEC=GRANT SPARQL_UPDATE TO "SPARQL"; GRANT SPARQL_SELECT TO "SPARQL";';
    execFileSync('/usr/bin/isql-vt', [`${address}:1111`, 'dba', 'dba', 'ERRORS=STDOUT', grant]);
    const url = `http://${address}:8890/sparql`;
    return { query: url, update: url, place: 'urn:example:patients', stop: () => stopped(child) };
  },
};

const virtuosoSettings = (dir: string): string => `
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
ServerPort = ${address}:1111
DirsAllowed = ${dir}
NumberOfBuffers = 20000
MaxDirtyBuffers = 15000
ServerThreads = 10
DisableUnixSocket = 1
[HTTPServer]
ServerPort = ${address}:8890
ServerThreads = 8
[SPARQL]
ResultSetMaxRows = 100000
[Client]
SQL_PREFETCH_ROWS = 100
`;

export const engineKinds: readonly EngineKind[] = [fuseki, oxigraph, virtuoso];

for (const { name, from, isHere } of engineKinds) if (!isHere) console.warn(`${name} is not here (${from}).`);
