import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Where the programs of PostgreSQL are, or undefined: Debian keeps them out of the path. */
export const postgresPrograms = findPrograms();
/** Why tests with a real server are skipped. */
export const withoutPostgres =
  postgresPrograms === undefined || (process.getuid?.() === 0 && spawnSync('id', ['postgres']).status !== 0);

/** A PostgreSQL server of a test, on a folder of its own. */
export interface PostgresServer {
  readonly port: number;
  readonly folder: string;
  /** The address of a database that was not there before. */
  createDatabase(): string;
  /** Runs SQL as the owner of the cluster. */
  run(sql: string, database?: string): string;
  /** As a power loss would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const USER = 'chartgraph';

/** Starts a server that listens on the loopback interface only. */
export async function startPostgres(
  options: readonly string[] = [],
  copyOf?: PostgresServer,
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'chartgraph-postgres-'));
  const who = ordinaryUser();
  if (who) chownSync(folder, who.uid, who.gid);
  const data = join(folder, 'data');
  const port = await freePort();
  if (copyOf)
    run('pg_basebackup', [
      '-D',
      data,
      '-h',
      '127.0.0.1',
      '-p',
      String(copyOf.port),
      '-U',
      USER,
      '-R',
      '-X',
      'stream',
      '--checkpoint=fast',
      '--no-sync',
    ]);
  else run('initdb', ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']);
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const settings = [
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${folder}`,
      'max_connections=300',
      ...options,
    ];
    const started = spawn(
      join(postgresPrograms ?? '', 'postgres'),
      ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      { stdio: 'ignore', ...who },
    );
    child = started;
    for (;;) {
      if (started.exitCode !== null) throw new Error(`the PostgreSQL server ended with ${started.exitCode}`);
      const ready = spawnSync(join(postgresPrograms ?? '', 'pg_isready'), [
        '-q',
        '-h',
        '127.0.0.1',
        '-p',
        String(port),
      ]);
      if (ready.status === 0) return;
      await wait(50);
    }
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  await start();
  let databases = 0;
  const server: PostgresServer = {
    port,
    folder,
    createDatabase() {
      const name = `test_${++databases}`;
      server.run(`CREATE DATABASE ${name}`);
      return `postgres://${USER}@127.0.0.1:${port}/${name}`;
    },
    run: (sql, database) => runSql(port, sql, database),
    // The first process of a server ends its others at once.
    kill: () => end('SIGQUIT'),
    start,
    async stop() {
      await end('SIGINT');
      await rm(folder, { recursive: true, force: true });
    },
  };
  return server;

  function run(program: string, args: readonly string[]): void {
    execFileSync(join(postgresPrograms ?? '', program), args, { stdio: 'ignore', ...who });
  }
}

/** Runs SQL as the owner of the cluster of a server, and gives what it prints. */
export function runSql(port: number, sql: string, database = 'postgres'): string {
  return execFileSync(
    join(postgresPrograms ?? '', 'psql'),
    ['-h', '127.0.0.1', '-p', String(port), '-U', USER, '-d', database, '-qAt', '-c', sql],
    { encoding: 'utf8' },
  );
}

/** Whom to run a server as: PostgreSQL refuses to run as root. */
export function ordinaryUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')));
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
