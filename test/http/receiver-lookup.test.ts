import { createSocket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { isAnswered, patientLookup } from '../../src/services/webhooks/receiver-address.js';
import { allowedAddresses, checkedLookup } from '../../src/services/webhooks/receiver-address.js';

test('a name is looked up once at a time, and keeps no other name waiting', async () => {
  const asked: string[] = [];
  let answer: (addresses: readonly LookupAddress[]) => void = () => undefined;
  const resolve = (name: string): Promise<readonly LookupAddress[]> => {
    asked.push(name);
    if (name === 'quick.example') return Promise.resolve([{ address: '192.0.2.1', family: 4 }]);
    return new Promise((done) => (answer = done));
  };
  const lookup = checkedLookup((address) => address !== '10.0.0.1', resolve);
  const addressOf = (name: string): Promise<string> =>
    new Promise((done) => lookup(name, {}, (error, address) => done(error ? error.name : String(address))));
  const slow = Array.from({ length: 9 }, () => addressOf('silent.example'));
  expect(await addressOf('quick.example')).toBe('192.0.2.1');
  expect(asked).toEqual(['silent.example', 'quick.example']);
  answer([{ address: '192.0.2.2', family: 4 }]);
  expect(new Set(await Promise.all(slow))).toEqual(new Set(['192.0.2.2']));
  const refused = addressOf('silent.example');
  answer([
    { address: '192.0.2.2', family: 4 },
    { address: '10.0.0.1', family: 4 },
  ]);
  expect(await refused).toBe('AddressRefused');
  expect(asked).toHaveLength(3);
});

test('two containers in one process do not share look-ups', async () => {
  const asked: string[] = [];
  const lookups = ['first', 'second'].map((container) =>
    checkedLookup(
      () => true,
      () => {
        asked.push(container);
        return Promise.resolve([{ address: container === 'first' ? '192.0.2.1' : '192.0.2.2', family: 4 }]);
      },
    ),
  );
  const found = lookups.map(
    (lookup) => new Promise((done) => lookup('a.example', {}, (_, address) => done(address))),
  );
  expect(await Promise.all(found)).toEqual(['192.0.2.1', '192.0.2.2']);
  expect(asked).toEqual(['first', 'second']);
});

test('a name that turns from a public address to loopback is refused when it is connected to', async () => {
  const answers = ['192.0.2.1', '127.0.0.1'];
  const isAllowed = allowedAddresses(['192.0.2.0/24'], false);
  const lookup = checkedLookup(isAllowed, () =>
    Promise.resolve([{ address: answers.shift() ?? '', family: 4 }]),
  );
  const connect = (): Promise<string> =>
    new Promise((done) =>
      lookup('rebinding.example', {}, (error, address) => done(error?.name ?? String(address))),
    );
  expect([await connect(), await connect()]).toEqual(['192.0.2.1', 'AddressRefused']);
});

test('names whose servers keep silent are looked up one after the other, and no other name waits for them', async () => {
  const asked: string[] = [];
  const ends: (() => void)[] = [];
  const resolve = (name: string): Promise<readonly LookupAddress[]> => {
    asked.push(name);
    const found = [{ address: '192.0.2.1', family: 4 }];
    if (!name.startsWith('silent')) return Promise.resolve(found);
    return new Promise((done, fail) =>
      ends.push(() => (name === 'silent1.example' ? fail(new Error('EAI_AGAIN')) : done(found))),
    );
  };
  const lookUp = patientLookup((name) => Promise.resolve(!name.startsWith('silent')), resolve);
  const silent = [1, 2, 3].map((number) => lookUp(`silent${number}.example`, { all: true }));
  const outcomes = Promise.allSettled(silent);
  await expect.poll(() => asked).toEqual(['silent1.example']);
  expect(await lookUp('quick.example', { all: true })).toEqual([{ address: '192.0.2.1', family: 4 }]);
  expect(asked).toEqual(['silent1.example', 'quick.example']);
  for (let ended = 0; ended < 3; ended++) {
    await expect.poll(() => ends).toHaveLength(ended + 1);
    ends[ended]?.();
  }
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
});

test('a name server that says that a name is not there has answered, one that says nothing has not', async () => {
  const server = createSocket('udp4');
  onTestFinished(() => new Promise<void>((done) => server.close(() => done())));
  server.on('message', (query, from) => {
    if (query.includes('silent') || query.includes('localhost')) return;
    const answer = Buffer.from(query);
    // RFC 1035 §4.1.1: a response (QR), with recursion available, NXDOMAIN, and nothing but the question.
    answer.writeUInt16BE(0x8183, 2);
    answer.writeUInt16BE(0, 10);
    server.send(answer.subarray(0, endOfQuestion(query)), from.port, from.address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  const servers = [`127.0.0.1:${server.address().port}`];
  expect(await isAnswered('gone.example', servers)).toBe(true);
  expect(await isAnswered('silent.example', servers)).toBe(false);
  // The system finds that one without them.
  expect(await isAnswered('localhost', servers)).toBe(true);
});

/** Where the one question of a query ends: behind its name, type and class. */
function endOfQuestion(query: Buffer): number {
  return query.indexOf(0, 12) + 5;
}
