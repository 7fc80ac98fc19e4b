import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { WorkingSet } from '../store/working-set.js';
import type {
  AnswerHead,
  Failure,
  ThreadData,
  ThreadNews,
  ThreadOrder,
  ThreadQuery,
} from './thread-messages.js';

/** Bytes of the image that are sent at once, and looked at together. */
const SLICE = 1024 * 1024;
const ZEROS = Buffer.alloc(SLICE);
/** Megabytes that the JavaScript of a thread may take, for the text of an answer. */
const HEAP = 512;
/** Megabytes of what it has just made, most of it garbage: the rows of an answer, of which each lives for a moment. */
const YOUNG = 8;
/** Chunks that are on their way at most. */
const AHEAD = 4;
/** Megabytes of stack: the engine goes down a level for each level of a query. */
const STACK = 4;

/** What came of a query. */
export type Outcome = { readonly head: AnswerHead; readonly body: Readable } | { readonly failure: Failure };

/** What a query is bounded by from outside. */
export interface Bounds {
  /** Milliseconds until its answer begins. */
  readonly timeout: number;
  /** Milliseconds until whoever asked has taken all of it. */
  readonly delivery: number;
  /** Ends it, and its thread; the reason is a sentence. */
  readonly signal: AbortSignal;
}

/**
 * A copy of a filled working set, in a thread of its own, which runs one query at a time. A query that goes over a bound
 * takes its thread with it: nothing else stops the engine.
 */
export class EngineCopy {
  readonly #worker: Worker;
  readonly #turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #ready: Promise<void>;
  readonly #ended: Promise<void>;
  #isAlive = true;
  #isReady = false;
  #isBusy = false;
  #tellFree: (() => void)[] = [];
  #hear: (news: ThreadNews) => void = () => undefined;
  #broke: (failure: Failure) => void = () => undefined;

  constructor(source: WorkingSet, data: Omit<ThreadData, 'image' | 'turns'>) {
    const { bytes, store, values } = source.image;
    const image = { store, values, size: bytes.byteLength };
    const workerData: ThreadData = { ...data, image, turns: this.#turns };
    this.#worker = new Worker(new URL('./engine-thread.js', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP, maxYoungGenerationSizeMb: YOUNG, stackSizeMb: STACK },
      // Nothing of a query may reach the log by way of what a thread prints.
      stdout: true,
      stderr: true,
    });
    this.#ready = new Promise((resolve, reject) => {
      this.#hear = () => {
        this.#isReady = true;
        resolve();
      };
      this.#broke = ({ message }) => reject(new Error(message));
    });
    this.#ready.catch(() => undefined);
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#isAlive = false;
        this.#release();
        this.#broke({ kind: 'limit', limit: 'memory', message: ENDED });
        resolve();
      });
    });
    // The exit that follows says it; the error may quote the query.
    this.#worker.on('error', () => undefined);
    this.#worker.on('message', (news: ThreadNews) => this.#hear(news));
    // All in this turn: nothing can change the source meanwhile.
    for (let at = 0; at < bytes.byteLength; at += SLICE) {
      const view = bytes.subarray(at, at + SLICE);
      // An engine takes more than it uses; what it never wrote to costs nothing.
      if (Buffer.compare(view, ZEROS.subarray(0, view.byteLength)) === 0) continue;
      const slice = view.slice();
      this.#tell({ slice, at }, [slice.buffer]);
    }
    this.#tell({ isWhole: true });
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Whether it can take a query. */
  get isFree(): boolean {
    return this.#isAlive && this.#isReady && !this.#isBusy;
  }

  /** Resolves when the copy is made. @throws Error when its thread ended before */
  ready(): Promise<void> {
    return this.#ready;
  }

  /** Resolves when it can take a query again, or never will. */
  released(): Promise<void> {
    if (!this.#isBusy || !this.#isAlive) return Promise.resolve();
    return new Promise((resolve) => void this.#tellFree.push(resolve));
  }

  /** Does what was done to the source, in the same order. */
  update(sparql: string): void {
    this.#tell({ update: sparql });
  }

  load(nquads: Uint8Array): void {
    // A copy of its own for each thread: what is posted is cloned with all that its buffer holds. A Buffer's slice is none.
    const bytes = new Uint8Array(nquads);
    this.#tell({ nquads: bytes }, [bytes.buffer]);
  }

  /**
   * Runs a query. It resolves when the answer begins; the copy is free again when its body is read to the end, or
   * destroyed.
   */
  async run(query: ThreadQuery, { timeout, delivery, signal }: Bounds): Promise<Outcome> {
    this.#isBusy = true;
    const outcome = await new Promise<Outcome>((resolve) => {
      const end = (failure: Failure): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        this.terminate();
        resolve({ failure });
      };
      const timer = setTimeout(() => end(tooLong(timeout)), timeout);
      const abort = (): void => end({ kind: 'ended', message: String(signal.reason) });
      signal.addEventListener('abort', abort);
      this.#broke = end;
      this.#hear = (news) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        this.#broke = () => undefined;
        if ('failure' in news) {
          if (news.isBroken) this.terminate();
          resolve({ failure: news.failure });
        } else if ('head' in news) {
          resolve({ head: news.head, body: this.#body(delivery, signal) });
        }
      };
      if (signal.aborted) abort();
      else {
        Atomics.store(this.#turns, 0, AHEAD);
        this.#tell({ query });
      }
    });
    if ('failure' in outcome) this.#release();
    return outcome;
  }

  /** Ends the thread, whatever it does. */
  terminate(): void {
    this.#isAlive = false;
    void this.#worker.terminate();
  }

  /** Resolves when the thread has ended and given its memory back. */
  ended(): Promise<void> {
    return this.#ended;
  }

  /** The chunks as they are asked for. Who stops in between, or takes too long, ends the thread. */
  #body(delivery: number, signal: AbortSignal): Readable {
    let isDone = false;
    const abort = (): void => void body.destroy(new Error('The query was ended.'));
    const timer = setTimeout(abort, delivery);
    let taken = 0;
    const body = new Readable({
      // Chunks come as strings: bytes that were sent would wait long to be collected.
      objectMode: true,
      highWaterMark: AHEAD,
      read: () => {
        Atomics.add(this.#turns, 0, taken);
        Atomics.notify(this.#turns, 0);
        taken = 0;
      },
      destroy: (error, callback) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        if (!isDone) this.terminate();
        callback(error);
      },
    });
    signal.addEventListener('abort', abort);
    this.#broke = () => void body.destroy(new Error(ENDED));
    this.#hear = (news) => {
      // Which ends the thread: what is half sent goes no further.
      if ('failure' in news) return void body.destroy(new Error(news.failure.message));
      if ('chunk' in news) {
        taken++;
        body.push(news.chunk);
      } else if ('isWhole' in news) {
        isDone = true;
        this.#release();
        body.push(null);
      }
    };
    return body;
  }

  #release(): void {
    this.#isBusy = false;
    for (const tell of this.#tellFree.splice(0)) tell();
  }

  #tell(order: ThreadOrder, transfer: ArrayBuffer[] = []): void {
    if (this.#isAlive) this.#worker.postMessage(order, transfer);
  }
}

const ENDED = 'The query needs more memory than one may take; ask for less, or group and filter earlier.';

const tooLong = (timeout: number): Failure => ({
  kind: 'limit',
  limit: 'time',
  message: `The query took longer than ${timeout / 1000} s and was stopped; ask for less, or filter earlier.`,
});
