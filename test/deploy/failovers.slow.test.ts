import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { verifyAccessLog } from '../../src/access/log/access-log.js';
import { signRequest } from '../../src/access/oauth/sign-request.js';
import { freePort } from '../store/postgres/postgres.js';
import { startTestContainer, type Credentials, type TestContainer } from '../http/container.js';
import { startCluster, withoutPatroni, type Cluster } from './patroni-cluster.js';

/** `CHARTGRAPH_TEST_FAILOVERS=20` is the long run. */
const FAILOVERS = Number(process.env['CHARTGRAPH_TEST_FAILOVERS'] ?? 1);
const BASE = 'http://localhost:7000';
const APP = 'demo-ui@apps.example.org';
const RECORDS = ['1000001', '1000002', '1000003'];
/** How many of the last accepted requests are sent a second time after a failover. */
const REPEATED = 20;

type Gateway = TestContainer & { readonly port: number };

/** One app that writes ascending numbers into the scratchpad of a record, through one gateway after the other. */
interface Writer {
  readonly path: string;
  readonly as: Credentials;
  /** The last number that was acknowledged. */
  last: number;
  /** What the requests were signed with that were acknowledged, the last ones. */
  signed: { readonly authorization: string; readonly body: string }[];
}

// Without Patroni, etcd and PostgreSQL on this machine there is no cluster: `apt-get install patroni python3-etcd
// etcd-server postgresql openssl`.
describe.skipIf(withoutPatroni)('two gateways on a cluster of Patroni, as deploy/ configures it', () => {
  let cluster: Cluster;
  const gateways: Gateway[] = [];
  const writers: Writer[] = [];

  beforeAll(async () => {
    cluster = await startCluster();
    for (let number = 0; number < 2; number++) {
      const data = await mkdtemp(join(tmpdir(), 'chartgraph-gateway-'));
      await cp(join(inject('seeded'), 'secret.key'), join(data, 'secret.key'));
      const port = await freePort();
      const settings = { data, store: cluster.store, port, baseUrl: BASE };
      gateways.push({ ...(await startTestContainer(settings)), port });
    }
    for (const record of RECORDS) {
      const as = await gateways[0]?.token(record, APP);
      if (!as) throw new Error('there is no gateway');
      writers.push({ path: `/records/${record}/apps/${APP}/scratchpad`, as, last: 0, signed: [] });
    }
  }, 400_000);
  afterAll(async () => {
    for (const { data } of gateways) await rm(data, { recursive: true, force: true });
    await cluster.stop();
  });

  async function send(
    { port }: Gateway,
    { path }: Writer,
    authorization: string,
    body?: string,
  ): Promise<{ status: number; text: string }> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: body === undefined ? 'GET' : 'PUT',
      headers: { Authorization: authorization, 'Content-Type': 'text/plain' },
      body: body ?? null,
    });
    return { status: response.status, text: await response.text() };
  }

  const sign = (method: string, { path, as }: Writer): string =>
    signRequest({ method, url: BASE + path, ...as });

  /** Writes through one gateway and reads through the other, again and again, until `isOver`. */
  async function work(writer: Writer, isOver: () => boolean): Promise<void> {
    /** Numbers that were sent without an answer, the last ones. */
    let doubts: number[] = [];
    for (let number = 0; !isOver(); number++) {
      const [to, other] = number % 2 ? gateways : gateways.toReversed();
      if (!to || !other) return;
      const next = writer.last + 1;
      const authorization = sign('PUT', writer);
      const wanted = { status: 200, text: String(next) };
      const written = await send(to, writer, authorization, String(next));
      if (written.status === 503) {
        // Nobody knows whether it was written, so it is written again.
        doubts = [...doubts, next].slice(-5);
        await wait(100);
        continue;
      }
      expect(written).toEqual(wanted);
      writer.last = next;
      writer.signed = [...writer.signed, { authorization, body: String(next) }].slice(-REPEATED);
      const read = await send(other, writer, sign('GET', writer));
      if (read.status === 503 || read.text === wanted.text) continue;
      // What both say a moment later tells a read that came too early from a write that is lost.
      const later = await Promise.all(gateways.map((each) => send(each, writer, sign('GET', writer))));
      expect({ read, doubts, later }).toEqual({ read: wanted, doubts, later: [wanted, wanted] });
    }
  }

  const total = (): number => writers.reduce((sum, { last }) => sum + last, 0);
  const refusedAgain = async (writer: Writer): Promise<void> => {
    for (const { authorization, body } of writer.signed) {
      for (const gateway of gateways) {
        const { status } = await send(gateway, writer, authorization, body);
        expect(status, 'a request that was accepted before the failover').toBe(401);
      }
    }
  };

  test(
    `when the leader's machine dies under load, ${FAILOVERS} times, gateways follow the next one, and nothing acknowledged is lost or repeated`,
    { timeout: 200_000 + FAILOVERS * 600_000 },
    async () => {
      for (let failover = 0; failover < FAILOVERS; failover++) {
        let isOver = false;
        const working = writers.map((writer) => work(writer, () => isOver));
        const began = total();
        await expect.poll(total).toBeGreaterThan(began + 30);
        const former = await cluster.leader();
        if (former === undefined) throw new Error('there is no leader to be killed');
        cluster.kill(former);
        const killed = total();
        await cluster.leaderAfter(former);
        await expect.poll(total).toBeGreaterThan(killed + 30);
        isOver = true;
        await Promise.all(working);
        for (const writer of writers) {
          await refusedAgain(writer);
          for (const gateway of gateways)
            expect(await send(gateway, writer, sign('GET', writer))).toEqual({
              status: 200,
              text: String(writer.last),
            });
        }
        cluster.start(former);
        // It comes back as a standby, and the cluster can lose the next one.
        await expect.poll(() => cluster.isWhole(), { timeout: 300_000, interval: 500 }).toBe(true);
      }
      for (const gateway of gateways) {
        await gateway.stop();
        expect(verifyAccessLog(gateway.data)).toMatchObject({ intact: true });
      }
    },
  );
});
