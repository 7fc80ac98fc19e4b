import type { DataDirectory, WriteTx } from '../disk/data-directory.js';
import { applyAlone, applyChange } from './apply.js';
import { LogWriter } from './change-log.js';
import { StaleRevision } from './graph-store.js';
import type { PreparedChange } from './prepare.js';

interface Waiting {
  readonly change: PreparedChange;
  readonly resolve: (revision: number) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Writes changes that wait at the same time in one transaction, one after the other in the order in which they came:
 * each is still a change of its own, with its own revision, and happens whole or not at all. Resolved when durable.
 */
export class GroupCommit {
  readonly #directory: DataDirectory;
  #waiting: Waiting[] = [];

  constructor(directory: DataDirectory) {
    this.#directory = directory;
  }

  /** @throws StaleRevision when an expectation no longer holds */
  write(change: PreparedChange): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ change, resolve, reject });
      // The first asks for the transaction; whoever comes before it begins is taken along.
      if (this.#waiting.length === 1) void this.#commit();
    });
  }

  async #commit(): Promise<void> {
    let group: Waiting[] | undefined;
    const outcomes: (() => void)[] = [];
    let faulty = false;
    try {
      await this.#directory.transact((tx) => {
        group = this.#take();
        try {
          writeAll(tx, group, outcomes);
        } catch (error) {
          faulty = true;
          throw error;
        }
      });
      for (const settle of outcomes) settle();
    } catch (error) {
      group ??= this.#take();
      // What one of them threw has undone all: alone, each meets its own fate.
      if (faulty && group.length > 1) for (const each of group) this.#alone(each);
      else for (const { reject } of group) reject(error);
    }
  }

  #take(): Waiting[] {
    const group = this.#waiting;
    this.#waiting = [];
    return group;
  }

  #alone({ change, resolve, reject }: Waiting): void {
    this.#directory.transact((tx) => applyAlone(tx, change)).then(resolve, reject);
  }
}

/** Writes all that can be written. @param outcomes receives what to tell each when that is durable */
function writeAll(tx: WriteTx, group: readonly Waiting[], outcomes: (() => void)[]): void {
  const log = new LogWriter(tx);
  for (const { change, resolve, reject } of group) {
    try {
      const revision = applyChange(tx, log, change);
      outcomes.push(() => resolve(revision));
    } catch (error) {
      if (!(error instanceof StaleRevision)) throw error;
      outcomes.push(() => reject(error));
    }
  }
  log.finish();
}
