import { describe, expect, it } from 'vitest';
import {
  answeredBefore,
  KEY_LIFETIME,
  rememberAnswer,
  repeatable,
  type Repeatable,
} from '../../src/records/posted/idempotency.js';
import { place } from './support.js';

const owner = { app: 'a', user: 'u', record: '1', call: 'c' };
const make = (field: string, who = owner, body = 'body'): Repeatable => {
  const made = repeatable(field, who, Buffer.from(body), 'turtle');
  if (!made) throw new Error('no key');
  return made;
};

describe('an idempotency key', () => {
  it('is the same with and without its quotation marks', () => {
    expect(make('"k-1"')).toEqual(make('k-1'));
    expect(repeatable('', owner, Buffer.from(''), 'turtle')).toBeUndefined();
  });

  it('is bound to app, user, record and call', () => {
    const others = [
      { ...owner, app: 'b' },
      { ...owner, user: 'v' },
      { ...owner, record: '2' },
      { ...owner, call: 'd' },
      { ...owner, user: undefined },
    ];
    const entries = [owner, ...others].map((who) => make('k', who as typeof owner).entry);
    expect(new Set(entries).size).toBe(entries.length);
  });

  it.each(['""', '"a\u0001"', 'ä', ' "" ', 'x'.repeat(256), 'a\tb'])('%j is none', (field) => {
    expect(() => make(field)).toThrow(/Idempotency-Key/);
  });

  it('is remembered for a day, refuses another body, and is forgotten then', async () => {
    const { directory } = await place();
    const key = make('k');
    await directory.transact((tx) => rememberAnswer(tx, key, '/records/1/x', 1000));
    const look = (what: Repeatable, now: number) => directory.read((tx) => answeredBefore(tx, what, now));
    expect(look(key, 1001)).toBe('/records/1/x');
    expect(look(make('other'), 1001)).toBeUndefined();
    expect(() => look(make('k', owner, 'other body'), 1001)).toThrow(/another body/);
    expect(look(key, 1000 + KEY_LIFETIME)).toBeUndefined();
    expect(look(make('k', owner, 'other body'), 1000 + KEY_LIFETIME)).toBeUndefined();
  });

  it('that is outdated is cleared away by later ones', async () => {
    const { directory } = await place();
    const count = (): number => directory.read((tx) => [...tx.range('idempotency')].length);
    for (let number = 0; number < 5; number++) {
      await directory.transact((tx) => rememberAnswer(tx, make(`k${number}`), '/x', number));
    }
    expect(count()).toBe(10);
    await directory.transact((tx) => rememberAnswer(tx, make('late'), '/y', 3 + KEY_LIFETIME));
    // k0, k1 and k2 end before that, k3 in that very millisecond.
    expect(directory.read((tx) => answeredBefore(tx, make('k4'), 100))).toBe('/x');
    expect(directory.read((tx) => answeredBefore(tx, make('k0'), 100))).toBeUndefined();
    expect(count()).toBeLessThanOrEqual(6);
  });

  it('that is used again after its time is not cleared away with its old entry', async () => {
    const { directory } = await place();
    const late = 10 + KEY_LIFETIME;
    await directory.transact((tx) => rememberAnswer(tx, make('k'), '/old', 0));
    await directory.transact((tx) => rememberAnswer(tx, make('k'), '/new', late));
    await directory.transact((tx) => rememberAnswer(tx, make('other'), '/z', late + 1));
    expect(directory.read((tx) => answeredBefore(tx, make('k'), late + 2))).toBe('/new');
  });
});
