import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { Problem } from '../../model/problem.js';

const WAITING = 256;

/** Milliseconds that the next query waits at most. */
const MAX_PAUSE = 20;

/** Milliseconds of queries in one turn of the event loop. */
const MAX_TURN = 4;

/** Rejects an entry of the caller with the most entries in a full queue. */
export class QueueFull extends Problem {
  constructor() {
    super('unavailable', 'Too many requests wait for the store; try again.', { retryAfter: 1 });
  }
}

interface QueuedQuery {
  readonly start: () => Promise<void>;
  readonly refuse: (reason: Problem) => void;
}

/**
 * Runs queries one at a time, for some milliseconds per turn of the event loop, so that their answers share writes to
 * the access log. While cached answers also go out, only one query runs per turn, taking at most half of the time.
 * Callers take turns, so one app's slow searches delay another's list by one query. A full queue drops entries of the
 * caller that has the most.
 */
export class QueryQueue {
  readonly #limit: number;
  /** By call and app, in the order of their turns; empty queues are removed. */
  readonly #queues = new Map<string, QueuedQuery[]>();
  #waiting = 0;
  #busy = false;
  #passed = false;
  readonly #clock: () => number;

  /** @param limit of waiting queries @param clock milliseconds, for tests */
  constructor(limit = WAITING, clock = () => performance.now()) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /**
   * Runs `work` when its turn comes.
   * @param turn identifies the caller: a call, an app, or both
   * @throws QueueFull when the queue is full, unless another caller has more entries
   */
  run<T>(turn: string, work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= this.#limit && !this.#makeRoom(turn)) return Promise.reject(new QueueFull());
    return new Promise((resolve, reject) => {
      const start = async (): Promise<void> => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error as Error);
        }
      };
      const waiting = { start, refuse: reject };
      const queue = this.#queues.get(turn);
      if (queue) queue.push(waiting);
      else this.#queues.set(turn, [waiting]);
      this.#waiting++;
      if (!this.#busy) void this.#runAll();
    });
  }

  get length(): number {
    return this.#waiting;
  }

  pass(): void {
    this.#passed = true;
  }

  /** Drops the last entry of the caller with the most. @returns false if that is the given one */
  #makeRoom(turn: string): boolean {
    const most = [...this.#queues.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    if (most.length <= (this.#queues.get(turn)?.length ?? 0) + 1) return false;
    most.pop()?.refuse(new QueueFull());
    this.#waiting--;
    return true;
  }

  async #runAll(): Promise<void> {
    this.#busy = true;
    let longest = MAX_TURN;
    while (this.#waiting > 0) {
      const start = this.#clock();
      this.#passed = false;
      do await this.#take()?.start();
      while (this.#waiting > 0 && !this.#passed && this.#clock() - start < longest);
      await nextTurn();
      longest = this.#passed ? 0 : MAX_TURN;
      const pause = this.#passed ? Math.min(this.#clock() - start, MAX_PAUSE) : 0;
      if (pause >= 1) await wait(pause);
    }
    this.#busy = false;
  }

  #take(): QueuedQuery | undefined {
    const [first] = this.#queues;
    if (!first) return undefined;
    const [turn, queue] = first;
    const task = queue.shift();
    this.#queues.delete(turn);
    if (queue.length > 0) this.#queues.set(turn, queue);
    this.#waiting--;
    return task;
  }
}
