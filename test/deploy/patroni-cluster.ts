import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort, ordinaryUser, postgresPrograms, withoutPostgres } from '../store/postgres/postgres.js';
import { textOf } from './deployed.js';

const tried = ['patroni --version', 'etcd --version', 'openssl version'].map((line) => line.split(' '));

/** Why tests with a cluster are skipped. */
export const withoutPatroni =
  withoutPostgres || tried.some(([program = '', ...args]) => spawnSync(program, args).status !== 0);

/** Three nodes on the loopback interface, each with etcd, Patroni and PostgreSQL, as `deploy/` configures them. */
export interface Cluster {
  /** The address of a database for gateways: all nodes, over TLS. */
  readonly store: string;
  /** The node that takes writes, once another one has all that it acknowledged; undefined while there is none. */
  leader(): Promise<number | undefined>;
  /**
   * Waits for a leader that is another node.
   * @throws Error with what the programs said when none comes
   */
  leaderAfter(former: number): Promise<number>;
  /** Whether every node runs and has what the leader has. */
  isWhole(): Promise<boolean>;
  /** As a power loss would: all processes of a node are gone. */
  kill(node: number): void;
  start(node: number): void;
  stop(): Promise<void>;
}

interface Node {
  /** Where all its processes work. */
  readonly folder: string;
  /** Where its Patroni answers. */
  readonly api: string;
  readonly etcd: Record<string, string>;
}

const NODES = [1, 2, 3];
const PASSWORDS = {
  PATRONI_SUPERUSER_PASSWORD: 'of-the-owner',
  PATRONI_REPLICATION_PASSWORD: 'of-standbys',
  PATRONI_REWIND_PASSWORD: 'of-those-that-come-back',
};

/**
 * Starts the nodes and waits until one of them takes writes with a synchronous standby.
 * @throws Error with what the programs said when that does not come
 */
export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'chartgraph-patroni-'));
  const who = ordinaryUser();
  const own = (path: string): void => {
    if (who) chownSync(path, who.uid, who.gid);
  };
  const [certificate, key] = [join(folder, 'server.crt'), join(folder, 'server.key')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  });
  for (const path of [folder, certificate, key]) own(path);
  chmodSync(key, 0o600);

  const ports = new Map<string, number>();
  for (const node of NODES)
    for (const port of [2379, 2380, 5432, 8008]) ports.set(`10.0.0.2${node}:${port}`, await freePort());
  const port = (node: number, of: number): number => ports.get(`10.0.0.2${node}:${of}`) ?? 0;
  const onLoopback = (text: string): string =>
    text
      .replace(/10\.0\.0\.2\d:\d+/gu, (address) => `127.0.0.1:${ports.get(address) ?? 0}`)
      .replaceAll('10.0.0.0/24', '127.0.0.1/32');
  const nodes = NODES.map((number): Node => {
    const home = join(folder, `db${number}`);
    mkdirSync(home);
    own(home);
    // What is a node's own is the first address of each place, and the name.
    const itsOwn = (text: string): string =>
      onLoopback(
        text
          .replace(/^name: db1$/mu, `name: db${number}`)
          .replace(/^ETCD_NAME=db1$/mu, `ETCD_NAME=db${number}`)
          .replace(/^(.*(?:listen|connect_address|_URLS)\b.*)10\.0\.0\.21/gmu, `$110.0.0.2${number}`),
      );
    const settings = itsOwn(textOf('deploy', 'patroni.yml'))
      .replace('/var/lib/postgresql/chartgraph', join(home, 'data'))
      .replace('/usr/lib/postgresql/15/bin', postgresPrograms ?? '')
      .replace('/var/run/postgresql', home)
      .replaceAll('/etc/postgresql/', `${folder}/`);
    writeFileSync(join(home, 'patroni.yml'), settings);
    const etcd = Object.fromEntries(
      itsOwn(textOf('deploy', 'etcd.env'))
        .replace('/var/lib/etcd/chartgraph', join(home, 'etcd'))
        .split('\n')
        .filter((line) => line.startsWith('ETCD_'))
        .map((line): [string, string] => [
          line.slice(0, line.indexOf('=')),
          line.slice(line.indexOf('=') + 1),
        ]),
    );
    return { folder: home, api: `http://127.0.0.1:${port(number, 8008)}`, etcd };
  });

  const start = (node: number): void => {
    const { folder: cwd, etcd } = at(node);
    const log = openSync(join(cwd, 'log'), 'a');
    const run = (program: string, args: string[], env: Record<string, string>): void => {
      const all = { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env };
      spawn(program, args, { cwd, env: all, stdio: ['ignore', log, log], ...who });
    };
    run('etcd', [], etcd);
    run('patroni', ['patroni.yml'], PASSWORDS);
    closeSync(log);
  };
  const kill = (node: number): void => {
    for (const pid of processesIn(at(node).folder)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch (error) {
        // It has ended by itself since it was found.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  };
  const leader = async (): Promise<number | undefined> => {
    const found = await Promise.allSettled(nodes.map(({ api }) => takesSafeWrites(api)));
    const number = found.findIndex((answer) => answer.status === 'fulfilled' && answer.value);
    return number < 0 ? undefined : number;
  };
  const isWhole = async (): Promise<boolean> => {
    const found = await leader();
    if (found === undefined) return false;
    const members = await membersOf(at(found).api);
    return (
      members.length === nodes.length && members.every(({ state }) => /^(?:running|streaming)$/u.test(state))
    );
  };
  const stop = async (): Promise<void> => {
    for (const node of nodes.keys()) kill(node);
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  };

  for (const node of nodes.keys()) start(node);
  try {
    const owner = await untilThereIs(leader, nodes);
    const sql = [
      "CREATE ROLE chartgraph LOGIN PASSWORD 'of-gateways'",
      'CREATE DATABASE chartgraph OWNER chartgraph',
    ];
    execFileSync(
      join(postgresPrograms ?? '', 'psql'),
      [
        '-h',
        '127.0.0.1',
        '-p',
        String(port(owner + 1, 5432)),
        '-U',
        'postgres',
        ...sql.flatMap((each) => ['-c', each]),
      ],
      { env: { ...process.env, PGPASSWORD: PASSWORDS.PATRONI_SUPERUSER_PASSWORD }, stdio: 'ignore' },
    );
  } catch (error) {
    await stop();
    throw error;
  }
  const hosts = NODES.map((node) => `127.0.0.1:${port(node, 5432)}`).join(',');
  const tls = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: certificate });
  return {
    store: `postgres://chartgraph:of-gateways@${hosts}/chartgraph?${tls}`,
    leader,
    leaderAfter: (former) => untilThereIs(leader, nodes, former),
    isWhole,
    kill,
    start,
    stop,
  };

  function at(node: number): Node {
    const found = nodes[node];
    if (!found) throw new RangeError(`there is no node ${node}`);
    return found;
  }
}

interface Member {
  readonly role: string;
  readonly state: string;
}

const ask = (url: string): Promise<Response> => fetch(url, { signal: AbortSignal.timeout(5000) });

async function membersOf(api: string): Promise<readonly Member[]> {
  const { members } = (await (await ask(`${api}/cluster`)).json()) as { members: readonly Member[] };
  return members;
}

/** Whether a node is the leader and another one has whatever it acknowledges. */
async function takesSafeWrites(api: string): Promise<boolean> {
  if ((await ask(`${api}/primary`)).status !== 200) return false;
  return (await membersOf(api)).some(({ role }) => role === 'sync_standby');
}

async function untilThereIs(
  leader: () => Promise<number | undefined>,
  nodes: readonly Node[],
  former?: number,
): Promise<number> {
  const until = Date.now() + 300_000;
  for (;;) {
    const found = await leader();
    if (found !== undefined && found !== former) return found;
    if (Date.now() > until) {
      const said = nodes.map(({ folder }) => readFileSync(join(folder, 'log'), 'utf8').slice(-1500));
      throw new Error(`no node takes writes:\n${said.join('\n')}`);
    }
    await wait(200);
  }
}

/** The processes that work in a folder or below it: those of PostgreSQL are in groups of their own. */
function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        const cwd = readlinkSync(`/proc/${pid}/cwd`);
        return cwd === folder || cwd.startsWith(`${folder}/`);
      } catch {
        // No process, or one that has ended.
        return false;
      }
    });
}
