import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { Problem } from '../../problem.js';

/** How many answers may wait for their query. */
const WAITING = 256;

/** However long queries took, the next one waits no longer than so many milliseconds. */
const LONGEST_PAUSE = 20;

/** After so many milliseconds of queries the event loop turns, whoever waits. */
const LONGEST_TURN = 4;

/** Refuses who has most in a full queue. */
export class QueueFull extends Problem {
  constructor() {
    super('unavailable', 'Too many requests wait for the store; try again.', {
      headers: { 'Retry-After': '1' },
    });
  }
}

interface Waiting {
  readonly start: () => Promise<void>;
  readonly refuse: (reason: Problem) => void;
}

/**
 * Runs queries one at a time, and some milliseconds of them in a turn of the event loop: their answers share what is
 * done once in a turn, such as the writing of the access log. Answers that need no query go out in between; while there
 * are such, one query runs in a turn, and queries take no more than half of the time. Those that wait take turns by
 * call and by app: however many slow searches wait, or lists of another app, a list waits for one of them. Nobody fills
 * the queue for others: when it is full, who has most in it makes room.
 */
export class QueryQueue {
  readonly #limit: number;
  /** In the order of their turns, by who or what takes them; one without anything waiting is not there. */
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
   * @param turn whose turn it takes: a call, an app, or both
   * @throws QueueFull when too many wait already, or others do who have fewer waiting
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

  /** How many wait. */
  get length(): number {
    return this.#waiting;
  }

  /** Says that an answer went out that needed no query. */
  pass(): void {
    this.#passed = true;
  }

  /** Refuses the last one of those who have most waiting. @returns false when these are who asks for room */
  #makeRoom(turn: string): boolean {
    const most = [...this.#queues.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
    if (most.length <= (this.#queues.get(turn)?.length ?? 0) + 1) return false;
    most.pop()?.refuse(new QueueFull());
    this.#waiting--;
    return true;
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

  /** The next one of those whose turn it is; they go to the end of the round. */
  #take(): Waiting | undefined {
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
