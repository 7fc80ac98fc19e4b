import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { AccessLog } from './access-log/access-log.js';
import type { Accounts } from './accounts/accounts.js';
import { timeOfAging } from './disk/aging.js';
import type { DataDirectory } from './disk/data-directory.js';
import { refreshDocuments } from './disk/reseal-documents.js';
import { faultFacts } from './metrics/fault-facts.js';
import { sweepHistory } from './store/sweep-history.js';

const HOUR = 60 * 60 * 1000;

/**
 * Runs chores at once and every ten minutes, unless those of before still run; one that fails keeps no other from its
 * turn.
 * @returns what stops it
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

/** What is removed for its age by the one process that holds the data directory. */
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
      const [now, told] = [await timeOfAging(directory, Date.now()), Date.now()];
      if (now < told - HOUR)
        log.warn(
          { hours: Math.round((told - now) / HOUR) },
          'the clock has leapt ahead since this container last ran: look whether it is right; what it makes too old is removed in a day',
        );
      await accessLog.maintain({ days, now });
    },
    async () => void (await sweepHistory(directory, await timeOfAging(directory, Date.now()))),
  ];
}

/** Tokens that are removed for their age, by each process that answers. */
export function tokenChores(
  directory: DataDirectory,
  { purgeExpired, purgeAnalystTokens }: Pick<Accounts, 'purgeExpired' | 'purgeAnalystTokens'>,
): (() => Promise<void>)[] {
  return [purgeExpired, purgeAnalystTokens].map(
    (purge) => async () => purge(await timeOfAging(directory, Date.now())),
  );
}

/** What a gateway does for the store that it shares with others. */
export function sharedChores(directory: DataDirectory, accessLog: AccessLog): (() => Promise<void>)[] {
  const { shared } = directory;
  if (!shared) return [];
  let dataKey: number | undefined;
  return [
    async () => {
      // Files that are copies were sealed anew in the store when the data key was changed.
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

/** What was opened, closed again in the opposite order. */
export class Closing {
  readonly #steps: (() => Promise<void> | void)[] = [];

  add(step: () => Promise<void> | void): void {
    this.#steps.push(step);
  }

  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) await step();
  }
}
