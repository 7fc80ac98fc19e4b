import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { checkedLookup } from '../../src/http/webhooks/receiver-address.js';

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
