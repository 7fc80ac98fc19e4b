import { describe, expect, it } from 'vitest';
import { secretKey } from '../../../src/access/accounts/secret-key.js';
import { signInLimits, type SignInLimits } from '../../../src/access/accounts/sign-in-limits.js';
import type { DataDirectory } from '../../../src/store/disk/data-directory.js';
import { openDirectory } from './open-directory.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

interface World {
  readonly directory: DataDirectory;
  readonly limits: SignInLimits;
  /** The limits as another process of the same data directory has them. */
  readonly elsewhere: SignInLimits;
  now: number;
}

async function world(): Promise<World> {
  const directory = await openDirectory();
  const vault = { directory, key: secretKey(Buffer.alloc(32, 7)), clock: (): number => made.now };
  const made: World = {
    directory,
    limits: signInLimits(vault),
    elsewhere: signInLimits({ ...vault, key: secretKey(Buffer.alloc(32, 7)) }),
    now: Date.UTC(2026, 0, 1),
  };
  return made;
}

/** Guesses for a while, waiting as told, from one address after the other. @returns how often it could */
async function guess(
  here: World,
  user: (try_: number) => string,
  addresses: readonly string[],
  time: number,
) {
  let tries = 0;
  for (const end = here.now + time; here.now < end;) {
    const address = addresses[tries % addresses.length] ?? '';
    const wait = await here.limits.before(user(tries), address);
    if (wait) here.now += wait.waitSeconds * SECOND;
    else tries++;
  }
  return tries;
}

const addresses = (count: number) => Array.from({ length: count }, (_, each) => `192.0.2.${each}`);

describe('tries to sign in', () => {
  it('are free five times, then wait twice as long after each', async () => {
    const here = await world();
    for (let count = 0; count < 6; count++)
      expect(await here.limits.before('anne', '192.0.2.1')).toBeUndefined();
    const waits: number[] = [];
    for (let count = 0; count < 5; count++) {
      const { waitSeconds = 0 } = (await here.limits.before('anne', '192.0.2.1')) ?? {};
      waits.push(waitSeconds);
      here.now += waitSeconds * SECOND;
      expect(await here.limits.before('anne', '192.0.2.1')).toBeUndefined();
    }
    expect(waits).toEqual([1, 2, 4, 8, 16]);
  });

  it('of one account are as slow from 60 addresses as from one', async () => {
    const [one, many] = [await world(), await world()];
    const fromOne = await guess(one, () => 'anne', addresses(1), DAY);
    const fromMany = await guess(many, () => 'anne', addresses(60), DAY);
    expect(fromMany).toBe(fromOne);
    expect(fromOne).toBeLessThan(170);
  });

  it('are counted for all spellings of a name, and for names that nobody has', async () => {
    const here = await world();
    for (const name of ['anne', 'ANNE', ' Anne ', 'aNNe', 'anne', 'anne'])
      await here.limits.before(name, '::1');
    expect(await here.limits.before('Anne', '192.0.2.9')).toEqual({ waitSeconds: 1 });
    expect(await here.limits.before('bert', '192.0.2.9')).toBeUndefined();
  });

  it('are counted for all processes, and stay counted', async () => {
    const here = await world();
    for (let count = 0; count < 3; count++) {
      await here.limits.before('anne', '192.0.2.1');
      await here.elsewhere.before('anne', '192.0.2.2');
    }
    expect(await here.limits.before('anne', '192.0.2.3')).toEqual({ waitSeconds: 1 });
    expect(await here.elsewhere.before('anne', '192.0.2.3')).toEqual({ waitSeconds: 1 });
  });

  it('made at the same time do not all get through', async () => {
    const here = await world();
    const all = await Promise.all(addresses(60).map((address) => here.limits.before('anne', address)));
    expect(all.filter((wait) => wait === undefined)).toHaveLength(6);
  });

  it('from one address for many names are slowed, whichever part of its network they come from', async () => {
    const here = await world();
    for (let count = 0; count < 41; count++)
      expect(await here.limits.before(`name${count}`, `2001:db8::${count.toString(16)}`)).toBeUndefined();
    expect(await here.limits.before('other', '2001:db8:0:0:ffff::1')).toEqual({ waitSeconds: 1 });
    expect(await here.limits.before('other', '2001:db8:0:1::1')).toBeUndefined();
    const hour = await guess(await world(), (each) => `name${each}`, addresses(1), 60 * MINUTE);
    expect(hour).toBeLessThan(450);
  });

  it('are forgotten with time', async () => {
    const here = await world();
    await guess(here, () => 'anne', addresses(1), 60 * MINUTE);
    here.now += DAY;
    for (let count = 0; count < 6; count++)
      expect(await here.limits.before('anne', '192.0.2.1')).toBeUndefined();
    here.now += DAY + MINUTE;
    await here.limits.forgetExpired();
    expect(here.directory.read((tx) => tx.count('signIns'))).toBe(0);
  });

  it('make nobody wait for longer when the clock is set back', async () => {
    const here = await world();
    for (let count = 0; count < 2; count++) await here.limits.before('anne', '192.0.2.1');
    here.now -= 60 * MINUTE;
    // As if no time had passed.
    for (let count = 2; count < 6; count++)
      expect(await here.limits.before('anne', '192.0.2.1')).toBeUndefined();
    here.now -= 60 * MINUTE;
    expect(await here.limits.before('anne', '192.0.2.1')).toEqual({ waitSeconds: 1 });
  });

  it('leave no name and no address behind', async () => {
    const here = await world();
    await here.limits.before('my-password-typed-as-name', '192.0.2.77');
    await here.limits.succeeded('my-password-typed-as-name', '192.0.2.77', here.limits.newBrowser());
    await here.limits.before('my-password-typed-as-name', '192.0.2.78');
    const stored = here.directory.read((tx) => JSON.stringify([...tx.range('signIns')]));
    expect(stored).toContain('browsers');
    expect(stored).not.toMatch(/password|192\.0\.2/);
  });
});

describe('whoever is right', () => {
  it('is not slowed by their own good tries', async () => {
    const here = await world();
    for (let count = 0; count < 50; count++) {
      expect(await here.limits.before('anne', '192.0.2.1')).toBeUndefined();
      await here.limits.succeeded('anne', '192.0.2.1');
    }
  });

  it('does not take back the tries of strangers', async () => {
    const here = await world();
    await guess(here, () => 'anne', addresses(1), 60 * MINUTE);
    // One more guess after the last wait.
    expect(await here.limits.before('anne', '192.0.2.1')).toBeUndefined();
    await here.limits.succeeded('anne', '192.0.2.1');
    await here.limits.before('anne', '192.0.2.1');
    expect((await here.limits.before('anne', '192.0.2.1'))?.waitSeconds).toBeGreaterThan(100);
  });

  it('gets in from a browser that was there before, whatever strangers do', async () => {
    const here = await world();
    const browser = here.limits.newBrowser();
    await here.limits.before('anne', '192.0.2.1', browser);
    await here.limits.succeeded('anne', '192.0.2.1', browser);
    for (let day = 0; day < 5; day++) {
      // From the very address, too, as behind a proxy that nobody trusts, and for every name.
      await guess(here, (each) => (each % 2 ? 'anne' : `name${each}`), ['192.0.2.1'], DAY / 24);
      await here.limits.before('anne', '192.0.2.1');
      expect(await here.limits.before('anne', '192.0.2.1')).toBeDefined();
      expect(await here.elsewhere.before('Anne', '192.0.2.1', browser)).toBeUndefined();
      await here.elsewhere.succeeded('Anne', '192.0.2.1', browser);
    }
  });

  it('is slowed when that browser guesses, and for the accounts of others', async () => {
    const here = await world();
    const browser = here.limits.newBrowser();
    await here.limits.succeeded('anne', '192.0.2.1', browser);
    for (let count = 0; count < 6; count++) {
      expect(await here.limits.before('anne', '192.0.2.1', browser)).toBeUndefined();
      await here.limits.before('bert', '192.0.2.1');
    }
    expect(await here.limits.before('anne', '192.0.2.1', browser)).toEqual({ waitSeconds: 1 });
    expect(await here.limits.before('bert', '192.0.2.1', browser)).toEqual({ waitSeconds: 1 });
    expect(await here.limits.before('anne', '192.0.2.1', 'made-up')).toBeUndefined();
  });

  it('is known by their last 20 browsers, each for 400 days', async () => {
    const here = await world();
    const browsers = Array.from({ length: 21 }, () => here.limits.newBrowser());
    expect(new Set(browsers).size).toBe(21);
    for (const browser of browsers) await here.limits.succeeded('anne', '192.0.2.1', browser);
    const isKnown = async (browser?: string) => {
      for (let count = 0; count < 6; count++) await here.limits.before('anne', '192.0.2.1');
      return (await here.limits.before('anne', '192.0.2.1', browser)) === undefined;
    };
    expect(await isKnown(browsers[0])).toBe(false);
    expect(await isKnown(browsers[1])).toBe(true);
    here.now += 400 * DAY;
    expect(await isKnown(browsers[2])).toBe(false);
    await here.limits.forgetExpired();
  });
});
