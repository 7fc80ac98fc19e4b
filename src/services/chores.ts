import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { AccessLog } from '../access/log/access-log.js';
import type { Accounts } from '../access/accounts/accounts.js';
import { timeOfAging } from '../store/disk/clock.js';
import type { DataDirectory } from '../store/disk/data-directory.js';
import { refreshDocuments } from '../store/disk/reseal.js';
import { faultFacts } from '../http/fault-facts.js';
import { sweepHistory } from '../store/sweep-history.js';

const HOUR = 60 * 60 * 1000;

/**
 * Runs chores now and every ten minutes, unless the previous run is still going. A failing chore does not stop the
 * others.
 * @returns a function that stops it
 */
export function nowAndThen(log: Logger, ...chores: readonly (() => Promise<void>)[]): () => Promise<void> {
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    for (const chore of chores) {
      try {
        await chore();
      } catch (error) {
        log.error(faultFacts(error), 'a chore could not be done and is tried again in ten minutes');
      }
    }
  };
  const start = (): void => void (running ??= run().finally(() => (running = undefined)));
  start();
  const timer = setInterval(start, 10 * 60 * 1000);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

const WALK_REST = 15;

/** Walks all pages in the background. @returns `damage` rejects on damage and otherwise stays pending */
export function walkPages(
  log: Logger,
  directory: DataDirectory,
): { readonly damage: Promise<never>; readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  const start = performance.now();
  const walk = directory.checkPages({ rest: WALK_REST, signal: stopping.signal }).then((pages) => {
    log.info({ pages, ms: Math.round(performance.now() - start) }, 'the pages of the store file are sound');
  });
  const damage = walk.then(
    () => new Promise<never>(() => undefined),
    (error: unknown) => {
      if (stopping.signal.aborted) return new Promise<never>(() => undefined);
      log.fatal({ error: String(error) }, 'the store file cannot be served: the container stops');
      throw error;
    },
  );
  // Callers may ignore it; avoid an unhandled rejection.
  damage.catch(() => undefined);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await walk.catch(() => undefined);
  };
  return { damage, stop };
}

/** Removal by age, done by the one process that holds the data directory. */
export function agingChores(
  log: Logger,
  {
    directory,
    accessLog,
    days,
  }: { directory: DataDirectory; accessLog: Pick<AccessLog, 'maintain'>; days: number },
): (() => Promise<void>)[] {
  return [
    async () => {
      const [now, clockTime] = [await timeOfAging(directory, Date.now()), Date.now()];
      if (now < clockTime - HOUR)
        log.warn(
          { hours: Math.round((clockTime - now) / HOUR) },
          'the clock has leapt ahead since this container last ran: look whether it is right; what it makes too old is removed in a day',
        );
      await accessLog.maintain({ days, now });
    },
    async () => void (await sweepHistory(directory, await timeOfAging(directory, Date.now()))),
  ];
}

/** Removal of expired tokens, done by each process that answers. */
export function tokenChores(
  directory: DataDirectory,
  {
    purgeExpired,
    purgeAnalystTokens,
    smart,
  }: Pick<Accounts, 'purgeExpired' | 'purgeAnalystTokens' | 'smart'>,
): (() => Promise<void>)[] {
  return [purgeExpired, purgeAnalystTokens, smart.purge].map(
    (purge) => async () => purge(await timeOfAging(directory, Date.now())),
  );
}

/** Maintenance of a shared store, done by each gateway. */
export function sharedChores(directory: DataDirectory, accessLog: AccessLog): (() => Promise<void>)[] {
  const { shared } = directory;
  if (!shared) return [];
  let dataKey: number | undefined;
  return [
    async () => {
      // A change of the data key has sealed the store's documents again; refresh the copies.
      if (directory.hasOthers || dataKey === directory.dataKeys.current) return;
      const { current } = directory.dataKeys;
      await refreshDocuments(directory);
      dataKey = current;
    },
    () => shared.prune(),
    () => {
      const { chain, entries, hash } = accessLog.checkpoint();
      return shared.anchor(chain, hostname(), entries, hash);
    },
  ];
}

/** Closes what was opened, in reverse order. */
export class Closing {
  readonly #steps: (() => Promise<void> | void)[] = [];

  add(step: () => Promise<void> | void): void {
    this.#steps.push(step);
  }

  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) await step();
  }
}
