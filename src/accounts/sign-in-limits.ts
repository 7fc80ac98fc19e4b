import { randomBytes } from 'node:crypto';
import type { ReadTx, WriteTx } from '../disk/data-directory.js';
import { networkOf } from './network-of.js';
import type { Vault } from './vault.js';

/** How tries are slowed: some are free, then the wait doubles, and each try is forgotten after a while. */
interface Slowing {
  readonly free: number;
  /** After how many milliseconds one try is forgotten. */
  readonly forgets: number;
}

const MINUTE = 60 * 1000;
/** The longest wait after a try, in milliseconds. */
const LONGEST_WAIT = 15 * MINUTE;

/** Tries for one account from browsers that are strange to it, wherever they are: at most some 150 a day. */
const ofAccount: Slowing = { free: 5, forgets: 10 * MINUTE };
/** Tries from one address, whatever the account: many people may sit behind it. */
const ofAddress: Slowing = { free: 40, forgets: 10 * 1000 };

/** How long a browser is known after it signed in, and how many are known of an account. */
const BROWSER_KNOWN = 400 * 24 * 60 * MINUTE;
const MOST_BROWSERS = 20;

/**
 * How often somebody may try to sign in, counted for all processes of a data directory and over restarts. Guessing is
 * as slow from many addresses as from one, and nobody can lock out the owner of an account: a browser that has signed in
 * to it before has a count of its own, which strangers cannot add to.
 */
export interface SignInLimits {
  /**
   * Counts a try before it is made; a try that is never reported as successful stays counted.
   * @param user the name as it was typed, of an account or not: both are slowed alike
   * @param address of the client
   * @param browser its long-lived cookie, where it sent one
   * @returns how long to wait, when there were too many tries; that one was not counted
   */
  before(
    user: string,
    address: string,
    browser?: string,
  ): Promise<{ readonly waitSeconds: number } | undefined>;
  /** Takes back a try that was right in every factor, and knows the browser from now on. */
  succeeded(user: string, address: string, browser?: string): Promise<void>;
  /** A new random value for the cookie of a browser that has none. */
  newBrowser(): string;
  /** Removes what no longer slows anybody; to be called now and then. */
  forgetExpired(): Promise<void>;
}

interface Tries {
  /** Those that were not forgotten at `at`. */
  readonly count: number;
  readonly at: number;
  /** Until when the next one waits. */
  readonly until: number;
}

interface KnownBrowsers {
  readonly browsers: readonly { readonly id: string; readonly at: number }[];
}

interface Counter {
  readonly place: string;
  readonly slowing: Slowing;
}

/** The sign-in limits of a data directory. What was typed as a name may be a password, so keys are keyed digests. */
export function signInLimits({ directory, key, clock }: Vault): SignInLimits {
  const browserId = (user: string, browser: string): string => key.lookup(`browser ${user} ${browser}`);
  const knownPlace = (user: string): string => `known ${key.lookup(`sign-in ${user}`)}`;

  const known = (tx: ReadTx, user: string): KnownBrowsers['browsers'] => {
    const stored = tx.get('signIns', knownPlace(user)) as KnownBrowsers | undefined;
    return (stored?.browsers ?? []).filter(({ at }) => clock() < at + BROWSER_KNOWN);
  };
  /** What counts this try: the browser where the account knows it, else the account and the address. */
  const countersOf = (tx: ReadTx, user: string, address: string, browser?: string): readonly Counter[] => {
    const id = browser === undefined ? undefined : browserId(user, browser);
    if (id !== undefined && known(tx, user).some((each) => each.id === id))
      return [{ place: `tries ${id}`, slowing: ofAccount }];
    return [
      { place: `tries ${key.lookup(`sign-in ${user}`)}`, slowing: ofAccount },
      { place: `from ${key.lookup(`address ${networkOf(address)}`)}`, slowing: ofAddress },
    ];
  };
  const triesOf = (tx: ReadTx, { place, slowing }: Counter): Tries => {
    const { count, at, until } = (tx.get('signIns', place) as Tries | undefined) ?? NONE;
    const now = clock();
    // Where the clock was set back meanwhile, no time has passed.
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
    async before(typed, address, browser) {
      const user = nameOf(typed);
      // Whoever has to wait costs no write.
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
    succeeded: (typed, address, browser) =>
      directory.transact((tx) => {
        const user = nameOf(typed);
        for (const counter of countersOf(tx, user, address, browser)) {
          const { count, at } = triesOf(tx, counter);
          put(tx, counter, { count: Math.max(0, count - 1), at, until: at });
        }
        if (browser === undefined) return;
        const id = browserId(user, browser);
        const others = known(tx, user).filter((each) => each.id !== id);
        tx.put('signIns', knownPlace(user), {
          browsers: [{ id, at: clock() }, ...others].slice(0, MOST_BROWSERS),
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
/** After this long without a try no count is left: as waits grow faster than tries are forgotten, counts stay small. */
const FORGOTTEN = 24 * 60 * MINUTE;

/** Doubles from a second on. */
function delayAfter(count: number, { free }: Slowing): number {
  return count <= free ? 0 : Math.min(LONGEST_WAIT, 1000 * 2 ** (count - free - 1));
}

/** As the sign-in page reads a name: long ones and capitals give no tries more. */
function nameOf(typed: string): string {
  return typed.trim().slice(0, 64).toLowerCase();
}
