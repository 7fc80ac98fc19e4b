import type { ChildProcess } from 'node:child_process';
import { Agent, request as send } from 'node:http';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patientMaker } from '../../bench/synth/patient-maker.mjs';
import { storePatients } from '../../bench/synth/write-patients.mjs';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { signRequest } from '../../src/access/oauth/sign-request.js';
import { folder, start } from '../cli/run.js';
import { SOON } from '../cli/served.js';
import { base, ontology } from '../records/support.js';
import { furnish, type IssuedToken } from '../setup/furnish.js';

const PAIRS = 1000;
const CORES = availableParallelism();
/** What `serve` starts when nobody says how many; one is too few to test. */
const WORKERS = Math.max(2, Math.min(4, CORES));
/** Two for each worker to write to. */
const RECORDS = 2 * WORKERS;
const FIRST = 3_000_001;
const app = { id: 'pairs@apps.example.org', name: 'Pairs', description: 'An app.', mode: 'background' };

interface Answer {
  readonly status: number;
  readonly text: string;
  /** Whether the server ends the connection after it. */
  readonly last: boolean;
}

interface Question {
  readonly method?: string;
  readonly token?: IssuedToken;
  readonly body?: string;
  /** When the second half of the body is sent. */
  readonly rest?: Promise<unknown>;
}

/** A connection that is kept: it stays with the worker that took it. */
class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #sockets = 0;
  /** The process that answers on it. */
  worker = 0;

  /** @throws Error when the connection breaks */
  ask(url: string, { method = 'GET', token, body, rest }: Question = {}): Promise<Answer> {
    const authorization =
      token &&
      signRequest({
        method,
        url,
        consumerKey: token.consumer_key,
        consumerSecret: token.consumer_secret,
        token: token.oauth_token,
        tokenSecret: token.oauth_token_secret,
        ...(body === undefined ? {} : { body }),
      });
    const headers = {
      ...(authorization && { authorization }),
      ...(body && { 'content-type': 'text/plain' }),
    };
    return new Promise((resolve, reject) => {
      const request = send(url, { method, headers, agent: this.#agent }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('error', reject).on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text,
            last: response.headers.connection === 'close',
          }),
        );
      });
      request.on('error', reject).on('socket', (socket) => {
        if (socket.connecting && ++this.#sockets > 1) request.destroy(new Error('the connection was lost'));
      });
      if (body === undefined || !rest) request.end(body);
      else {
        request.write(body.slice(0, body.length / 2));
        void rest.then(() => request.end(body.slice(body.length / 2)));
      }
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

describe('workers of one container', () => {
  const cwd = folder();
  const connections: Connection[] = [];
  const tokens: IssuedToken[] = [];
  const logged: { pid: number; msg: string }[] = [];
  let server: ChildProcess;
  let url: string;

  beforeAll(async () => {
    const directory = await openDataDirectory(join(cwd, 'data'), { create: true });
    const make = patientMaker({ ontology, seed: 'workers', size: 'small', base, first: FIRST });
    const patients = Array.from({ length: 60 }, (_, number) => make(number));
    await storePatients(openPrimaryStore(directory, base), patients);
    await directory.close();
    const records = Array.from({ length: RECORDS }, (_, number) => String(FIRST + number));
    tokens.push(...(await furnish(join(cwd, 'data'), { app, records })));
    server = start(
      ['serve', '--no-seed', '--port', '0', '--analysts', 'off', ...(CORES > 1 ? [] : ['--workers', '2'])],
      { cwd },
    );
    let rest = '';
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      logged.push(...lines.map((line) => JSON.parse(line) as (typeof logged)[number]));
    });
    url = await new Promise((resolve, reject) => {
      server.once('exit', (code) => reject(new Error(`serve ended with ${code}`)));
      server.stdout
        ?.setEncoding('utf8')
        .once('data', (text: string) => resolve(/ready at (\S+)/.exec(text)?.[1] ?? ''));
    });
    await connect();
  });

  afterAll(() => {
    for (const connection of connections) connection.close();
    server.kill('SIGKILL');
  });

  /** Opens connections until each worker has one; whose it is says the process id in the one line of its first request. */
  async function connect(): Promise<void> {
    const has = (): number => new Set(connections.map(({ worker }) => worker)).size;
    for (const limit = Date.now() + 100_000; has() < WORKERS;) {
      expect(Date.now()).toBeLessThan(limit);
      const known = logged.length;
      const connection = new Connection();
      expect((await connection.ask(`${url}/health/live`)).status).toBe(200);
      const line = (): (typeof logged)[number] | undefined =>
        logged.slice(known).find(({ msg }) => msg === 'request');
      while (!line() && Date.now() < limit) await pause(10);
      connection.worker = line()?.pid ?? 0;
      expect(connection.worker).toBeGreaterThan(0);
      if (connections.some(({ worker }) => worker === connection.worker)) {
        connection.close();
        // A new worker takes connections when its working set is filled.
        await pause(100);
      } else connections.push(connection);
    }
  }

  const scratchpad = (record: number): string => `${url}/records/${FIRST + record}/apps/${app.id}/scratchpad`;
  const at = <T>(items: readonly T[], index: number): T => items[index] as T;
  const any = (number: number): number => Math.floor(Math.random() * number);

  it(`see what another one has acknowledged at once, ${PAIRS} times`, { timeout: 120_000 }, async () => {
    for (let pair = 0; pair < PAIRS; pair++) {
      const record = any(RECORDS);
      const token = at(tokens, record);
      const writer = at(connections, any(connections.length));
      const body = `pair ${pair}`;
      const written = await writer.ask(scratchpad(record), { method: 'PUT', token, body });
      expect(written.status).toBe(200);
      const readers = connections.filter((connection) => connection !== writer);
      const read = await Promise.all(readers.map((reader) => reader.ask(scratchpad(record), { token })));
      expect(read).toEqual(readers.map(() => ({ status: 200, text: body, last: false })));
    }
  });

  it('lose nothing that was acknowledged when one is killed while it writes, and the others go on without a failure', async () => {
    for (let kill = 0; kill < 3; kill++) {
      const victim = at(connections, any(connections.length));
      const acknowledged = tokens.map(() => '');
      let killed = false;
      let afterwards = 0;
      const writing = connections.flatMap((connection, side) =>
        [0, 1].map(async (which) => {
          // Each record has one writer, so that what was acknowledged last is what must be there.
          const record = side * 2 + which;
          for (let number = 0; !killed || (connection !== victim && number < 40); number++) {
            const body = `${kill} ${record} ${number}`;
            try {
              const { status } = await connection.ask(scratchpad(record), {
                method: 'PUT',
                token: at(tokens, record),
                body,
              });
              expect(status).toBe(200);
            } catch (error) {
              if (connection === victim && !(error instanceof Error && error.name === 'AssertionError'))
                return;
              throw error;
            }
            acknowledged[record] = body;
            if (killed) afterwards++;
          }
        }),
      );
      // All are at it, however slow the machine is.
      await expect.poll(() => acknowledged.every((each) => each !== ''), { interval: 10 }).toBe(true);
      await pause(any(200));
      process.kill(victim.worker, 'SIGKILL');
      killed = true;
      await Promise.all(writing);
      expect(afterwards).toBeGreaterThan(0);
      connections.splice(connections.indexOf(victim), 1);
      const survivor = at(connections, 0);
      for (const [record, token] of tokens.entries()) {
        const { status, text } = await survivor.ask(scratchpad(record), { token });
        expect(status).toBe(200);
        // One more may have been stored without anybody having been told.
        const [, , last = ''] = at(acknowledged, record).split(' ');
        expect(Number(text.split(' ')[2])).toBeGreaterThanOrEqual(Number(last));
      }
      // While the new one fills its working set, nobody is told to come back later.
      while (logged.filter(({ msg }) => msg.startsWith('a worker died')).length <= kill) await pause(10);
      const fresh = await Promise.all(Array.from({ length: 8 }, () => once(`${url}/health/ready`)));
      expect(fresh).toEqual(fresh.map(() => 200));
      await connect();
    }
  });

  async function once(target: string): Promise<number> {
    const connection = new Connection();
    const { status } = await connection.ask(target);
    connection.close();
    return status;
  }

  it('finish the requests that run when they are told to stop, say so, and are gone soon', async () => {
    const began = Date.now();
    const told = pause(300).then(() => server.kill('SIGTERM'));
    // Half of a body is under way when the signal comes, the other half follows it.
    const asked = connections.map((connection, side) => {
      const rest = told.then(() => pause(300));
      return connection.ask(scratchpad(side), {
        method: 'PUT',
        token: at(tokens, side),
        body: 'xy'.repeat(50_000),
        rest,
      });
    });
    const gone = new Promise((resolve) => server.once('exit', resolve));
    for (const { status, last } of await Promise.all(asked)) expect([status, last]).toEqual([200, true]);
    expect(await gone).toBe(0);
    expect(Date.now() - began).toBeLessThan(SOON);
  });
});
