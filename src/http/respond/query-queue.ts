import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { Problem } from '../../problem.js';

/** How many answers may wait for their query. */
const WAITING = 256;

/** However long queries took, the next one waits no longer than so many milliseconds. */
const LONGEST_PAUSE = 20;

/** After so many milliseconds of queries the event loop turns, whoever waits. */
const LONGEST_TURN = 4;

interface Waiting {
  readonly start: () => Promise<void>;
}

/**
 * Runs queries one at a time, and some milliseconds of them in a turn of the event loop: their answers share what is
 * done once in a turn, such as the writing of the access log. Answers that need no query go out in between; while there
 * are such, one query runs in a turn, and queries take no more than half of the time. Those that wait take turns by
 * call: however many slow searches wait, a list waits for one of them.
 */
export class QueryQueue {
  readonly #limit: number;
  /** Calls in the order of their turns; one without anything waiting is not there. */
  readonly #queues = new Map<string, Waiting[]>();
  #waiting = 0;
  #busy = false;
  /** Whether an answer without a query went out since this turn of queries began. */
  #passed = false;
  readonly #clock: () => number;

  /** @param limit how many may wait @param clock milliseconds since any moment, for tests */
  constructor(limit = WAITING, clock = () => performance.now()) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /**
   * Runs `work` when its turn comes.
   * @param call whose turn it is, the IRI of the call
   * @throws Problem unavailable, with Retry-After, when too many wait already
   */
  run<T>(call: string, work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= this.#limit) {
      return Promise.reject(
        new Problem('unavailable', 'Too many requests wait for the store; try again.', {
          headers: { 'Retry-After': '1' },
        }),
      );
    }
    return new Promise((resolve, reject) => {
      const start = async (): Promise<void> => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error as Error);
        }
      };
      const queue = this.#queues.get(call);
      if (queue) queue.push({ start });
      else this.#queues.set(call, [{ start }]);
      this.#waiting++;
      if (!this.#busy) void this.#runAll();
    });
  }

  /** How many wait. */
  get length(): number {
    return this.#waiting;
  }

  /** Says that an answer went out that needed no query. */
  pass(): void {
    this.#passed = true;
  }

  async #runAll(): Promise<void> {
    this.#busy = true;
    let longest = LONGEST_TURN;
    while (this.#waiting > 0) {
      const start = this.#clock();
      this.#passed = false;
      do await this.#take()?.start();
      while (this.#waiting > 0 && !this.#passed && this.#clock() - start < longest);
      // In this turn whatever came meanwhile is answered.
      await nextTurn();
      longest = this.#passed ? 0 : LONGEST_TURN;
      const pause = this.#passed ? Math.min(this.#clock() - start, LONGEST_PAUSE) : 0;
      if (pause >= 1) await wait(pause);
    }
    this.#busy = false;
  }

  /** The next one of the call whose turn it is; the call goes to the end of the round. */
  #take(): Waiting | undefined {
    const [turn] = this.#queues;
    if (!turn) return undefined;
    const [call, queue] = turn;
    const task = queue.shift();
    this.#queues.delete(call);
    if (queue.length > 0) this.#queues.set(call, queue);
    this.#waiting--;
    return task;
  }
}
