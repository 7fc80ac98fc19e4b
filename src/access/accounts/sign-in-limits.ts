import { randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { ReadTx, WriteTx } from '../../store/disk/data-directory.js';
import type { Vault } from './secret-key.js';

/** How tries are slowed: some are free, then the wait doubles; one try is forgotten every `forgets` milliseconds. */
interface Slowing {
  readonly free: number;
  readonly forgets: number;
}

const MINUTE = 60 * 1000;
const MAX_WAIT = 15 * MINUTE;

/** Tries for one account from browsers it does not know: at most about 150 a day, from all addresses together. */
const ofAccount: Slowing = { free: 5, forgets: 10 * MINUTE };
/** Tries from one address for any account; many people may share the address. */
const ofAddress: Slowing = { free: 40, forgets: 10 * 1000 };

/** How long a browser stays known after signing in, and the most known browsers per account. */
const BROWSER_KNOWN = 400 * 24 * 60 * MINUTE;
const MAX_BROWSERS = 20;

/**
 * Limits on sign-in attempts, counted across processes and restarts. Guessing from many addresses is as slow as from
 * one. Nobody can lock an account's owner out, because a browser that has signed in before has its own count.
 */
export type SignInLimits = ReturnType<typeof signInLimits>;

interface Tries {
  readonly count: number;
  readonly at: number;
  readonly until: number;
}

interface KnownBrowsers {
  readonly browsers: readonly { readonly id: string; readonly at: number }[];
}

interface Counter {
  readonly place: string;
  readonly slowing: Slowing;
}

/** People type passwords into the name field by mistake, so keys are keyed digests. */
export function signInLimits({ directory, key, clock }: Vault) {
  const browserId = (user: string, browser: string): string => key.lookup(`browser ${user} ${browser}`);
  const knownPlace = (user: string): string => `known ${key.lookup(`sign-in ${user}`)}`;

  const known = (tx: ReadTx, user: string): KnownBrowsers['browsers'] => {
    const stored = tx.get('signIns', knownPlace(user)) as KnownBrowsers | undefined;
    return (stored?.browsers ?? []).filter(({ at }) => clock() < at + BROWSER_KNOWN);
  };
  const countersOf = (
    tx: ReadTx,
    user: string | undefined,
    address: string,
    browser?: string,
  ): readonly Counter[] => {
    const ofNetwork = { place: `from ${key.lookup(`address ${networkOf(address)}`)}`, slowing: ofAddress };
    if (user === undefined) return [ofNetwork];
    const id = browser === undefined ? undefined : browserId(user, browser);
    if (id !== undefined && known(tx, user).some((each) => each.id === id))
      return [{ place: `tries ${id}`, slowing: ofAccount }];
    return [{ place: `tries ${key.lookup(`sign-in ${user}`)}`, slowing: ofAccount }, ofNetwork];
  };
  const triesOf = (tx: ReadTx, { place, slowing }: Counter): Tries => {
    const { count, at, until } = (tx.get('signIns', place) as Tries | undefined) ?? NONE;
    const now = clock();
    // If the clock was set back, no time has passed.
    const passed = Math.max(0, now - at);
    return {
      count: Math.max(0, count - passed / slowing.forgets),
      at: now,
      until: until - Math.max(0, at - now),
    };
  };
  const waitOf = (tx: ReadTx, counters: readonly Counter[]): { waitSeconds: number } | undefined => {
    const until = Math.max(...counters.map((counter) => triesOf(tx, counter).until));
    return until > clock() ? { waitSeconds: Math.ceil((until - clock()) / 1000) } : undefined;
  };
  const put = (tx: WriteTx, { place }: Counter, tries: Tries): void => {
    if (tries.count > 0) tx.put('signIns', place, tries);
    else tx.remove('signIns', place);
  };

  return {
    newBrowser: () => randomBytes(32).toString('base64url'),
    /**
     * Counts a try before it is made; it stays counted unless it succeeds.
     * @param typed the name as typed; unknown names are slowed like known ones, and undefined counts by address alone
     * @param browser its long-lived cookie, if any
     * @returns the time to wait after too many tries; then this one was not counted
     */
    async before(
      typed: string | undefined,
      address: string,
      browser?: string,
    ): Promise<{ readonly waitSeconds: number } | undefined> {
      const user = nameOf(typed);
      const wait = directory.read((tx) => waitOf(tx, countersOf(tx, user, address, browser)));
      if (wait) return wait;
      return directory.transact((tx) => {
        const counters = countersOf(tx, user, address, browser);
        const waiting = waitOf(tx, counters);
        if (waiting) return waiting;
        for (const counter of counters) {
          const { count, at } = triesOf(tx, counter);
          put(tx, counter, { count: count + 1, at, until: at + delayAfter(count + 1, counter.slowing) });
        }
        return undefined;
      });
    },
    /** Uncounts a try that passed every factor, and remembers the browser. */
    succeeded: (typed: string | undefined, address: string, browser?: string) =>
      directory.transact((tx) => {
        const user = nameOf(typed);
        for (const counter of countersOf(tx, user, address, browser)) {
          const { count, at } = triesOf(tx, counter);
          put(tx, counter, { count: Math.max(0, count - 1), at, until: at });
        }
        if (user === undefined || browser === undefined) return;
        const id = browserId(user, browser);
        const others = known(tx, user).filter((each) => each.id !== id);
        tx.put('signIns', knownPlace(user), {
          browsers: [{ id, at: clock() }, ...others].slice(0, MAX_BROWSERS),
        } satisfies KnownBrowsers);
      }),
    forgetExpired: () =>
      directory.transact((tx) => {
        for (const { key: place, value } of tx.range('signIns')) {
          const { browsers, at, until } = value as Partial<Tries & KnownBrowsers>;
          const isOver = browsers
            ? browsers.every((each) => each.at + BROWSER_KNOWN <= clock())
            : Math.max(until ?? 0, (at ?? 0) + FORGOTTEN) <= clock();
          if (isOver) tx.remove('signIns', place);
        }
      }),
  };
}

const NONE: Tries = { count: 0, at: 0, until: 0 };
/** After this time no count is left: waits grow faster than tries are forgotten, so counts stay small. */
const FORGOTTEN = 24 * 60 * MINUTE;

function delayAfter(count: number, { free }: Slowing): number {
  return count <= free ? 0 : Math.min(MAX_WAIT, 1000 * 2 ** (count - free - 1));
}

/** Normalizes a name as the sign-in page does, so that spelling variants give no extra tries. */
function nameOf(typed: string | undefined): string | undefined {
  return typed?.trim().slice(0, 64).toLowerCase();
}

/** Returns the unit that counts as one client: an IPv4 address, or an IPv6 /64, which one customer has (RFC 6177). */
export function networkOf(address: string): string {
  if (address.startsWith('::ffff:')) return address.slice('::ffff:'.length);
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0');
  return [...groups, ...zeros, ...after].slice(0, 4).join(':');
}
