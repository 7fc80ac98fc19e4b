import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { startContainer, type ContainerSettings } from '../../../src/main.js';
import { openAccounts } from '../../../src/access/accounts/accounts.js';
import { loadSecretKey } from '../../../src/access/accounts/secret-key.js';
import { openDataDirectory } from '../../../src/store/disk/data-directory.js';
import { UI_APP } from './flow-container.js';
import { protocol, signRaw, type RawMessage } from './raw-request.js';
import { pino } from 'pino';

const root = resolve(import.meta.dirname, '..', '..', '..');
const TRIES = 10_000;
const AT_ONCE = 50;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

function start(settings: Partial<ContainerSettings>): Promise<ChildProcess> {
  const program = join(import.meta.dirname, 'serving-process.mjs');
  const child = spawn(process.execPath, [program, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((done, failed) => {
    child.stdout.once('data', () => done(child));
    child.once('exit', (code) => failed(new Error(`a serving process ended with ${code}`)));
  });
}

function send(
  port: number,
  agent: Agent,
  { method, target, headers, body }: RawMessage,
): Promise<number | undefined> {
  const lines = [['Host', `localhost:${port}`], ...headers, ['Content-Length', String(body.length)]].flat();
  return new Promise((done) => {
    const request = httpRequest(
      { hostname: '127.0.0.1', port, agent, method, path: target, headers: lines },
      (response) => {
        response
          .resume()
          // A process that is still starting has not looked at the request.
          .on('end', () => done(response.statusCode === 503 ? undefined : response.statusCode))
          .on('error', () => done(undefined));
      },
    );
    // Whoever is killed answers nothing.
    request.on('error', () => done(undefined)).end(body);
  });
}

it(`takes a request once, however often and wherever it is repeated (${TRIES} tries, 2 processes, a kill -9)`, async () => {
  const data = await mkdtemp(join(tmpdir(), 'chartgraph-replay-'));
  const baseUrl = 'http://localhost:4711';
  const settings = {
    data,
    host: '127.0.0.1',
    port: 0,
    baseUrl,
    seed: join(root, 'seed'),
    ontology: join(root, 'ontology'),
    queries: join(root, 'queries'),
    containerAccess: 'open' as const,
    name: 'Replay',
    description: '',
    admin: '',
    version: '0.1.0',
    // What is told apart here are repetitions, not senders who send too many of them.
    senderBudget: 1e9,
  };
  await (await startContainer({ ...settings, log: pino({ level: 'silent' }) })).close();
  const directory = await openDataDirectory(data);
  const accounts = openAccounts(directory, await loadSecretKey(data, process.env));
  const consumerSecret = directory.read((tx) => accounts.appCredentials(tx, UI_APP)?.secret ?? '');
  const message = signRaw(baseUrl, {
    method: 'POST',
    path: '/oauth/request_token',
    query: '',
    protocol: protocol(UI_APP),
    form: [['oauth_callback', 'oob']],
    consumerSecret,
    tokenSecret: '',
  });
  const ports = [await freePort(), await freePort()] as const;
  const children = await Promise.all(ports.map((port) => start({ ...settings, port })));
  const agents = ports.map(() => new Agent({ keepAlive: true, maxSockets: AT_ONCE }));
  const statuses: (number | undefined)[] = [];
  let killed: Promise<void> | undefined;
  const killAndStartAgain = async (): Promise<void> => {
    const [victim] = children;
    const gone = new Promise((done) => victim?.once('exit', done));
    victim?.kill('SIGKILL');
    await gone;
    children[0] = await start({ ...settings, port: ports[0] });
  };
  try {
    let tries = 0;
    const walk = async (): Promise<void> => {
      while (tries < TRIES) {
        const which = tries++ % 2;
        const [port, agent] = [ports[which], agents[which]];
        if (port === undefined || !agent) return;
        statuses.push(await send(port, agent, message));
        if (statuses.length > TRIES / 4) killed ??= killAndStartAgain();
        // While one process is away the other would take all the rest.
        if (statuses.at(-1) === undefined) await new Promise((done) => setTimeout(done, 50));
      }
    };
    await Promise.all(Array.from({ length: 2 * AT_ONCE }, walk));
    await killed;
    // And the process that came back knows it too.
    for (const [which, port] of ports.entries()) {
      const agent = agents[which];
      if (agent) expect(await send(port, agent, message)).toBe(401);
    }
    expect(killed).toBeDefined();
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status !== 200 && status !== 401 && status !== undefined)).toEqual([]);
    expect(statuses.filter((status) => status === 401).length).toBeGreaterThan(TRIES / 2);
    expect(directory.read((tx) => [...tx.range('requests')])).toHaveLength(1);
  } finally {
    for (const agent of agents) agent.destroy();
    for (const child of children) child.kill('SIGKILL');
    await directory.close();
    await rm(data, { recursive: true, force: true, maxRetries: 5 });
  }
}, 120_000);
