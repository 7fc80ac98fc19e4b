import { Problem } from '../../problem.js';

/** How many answers may wait for their query. */
const WAITING = 256;

/** However long a query took, the next one waits no longer than so many milliseconds. */
const LONGEST_PAUSE = 20;

interface Waiting {
  readonly start: () => Promise<void>;
}

/**
 * Runs queries one at a time and at most one in a turn of the event loop, so that whatever needs none is answered in
 * between; while such answers go out, queries take no more than half of the time. Those that wait take turns by call:
 * however many slow searches wait, a list waits for one of them.
 */
export class QueryQueue {
  readonly #limit: number;
  /** Calls in the order of their turns; one without anything waiting is not there. */
  readonly #queues = new Map<string, Waiting[]>();
  #waiting = 0;
  #busy = false;
  /** Whether an answer without a query went out since the last query began. */
  #passed = false;

  /** @param limit how many may wait */
  constructor(limit = WAITING) {
    this.#limit = limit;
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
      if (!this.#busy) this.#next();
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

  #next(): void {
    const [turn] = this.#queues;
    this.#busy = turn !== undefined;
    if (!turn) return;
    const [call, queue] = turn;
    const task = queue.shift();
    // The call goes to the end of the round.
    this.#queues.delete(call);
    if (queue.length > 0) this.#queues.set(call, queue);
    this.#waiting--;
    const start = performance.now();
    this.#passed = false;
    void task?.start().finally(() => {
      // In this turn whatever came meanwhile is answered.
      setImmediate(() => {
        const pause = this.#passed ? Math.min(performance.now() - start, LONGEST_PAUSE) : 0;
        if (pause >= 1) setTimeout(() => this.#next(), pause);
        else this.#next();
      });
    });
  }
}
