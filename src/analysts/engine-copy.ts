import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { WorkingSet } from '../store/working-set.js';
import type { Bounds, Outcome } from './analyst-engine.js';
import type { Failure, ThreadData, ThreadNews, ThreadOrder, ThreadQuery } from './thread-messages.js';

/** Bytes of the image that are sent and compared at a time. */
const SLICE_BYTES = 1024 * 1024;
const ZEROS = Buffer.alloc(SLICE_BYTES);
/** Megabytes of JavaScript heap for a thread, which holds the text of an answer. */
const HEAP_MB = 512;
/** Megabytes for new objects: rows of an answer are short-lived. */
const YOUNG_HEAP_MB = 8;
const MAX_CHUNKS_AHEAD = 4;
/** Megabytes of stack: the engine recurses for each level of a query. */
const STACK_MB = 4;

/** A copy of a working set in a thread, for one query at a time. Only ending the thread can stop the engine. */
export class EngineCopy {
  readonly #worker: Worker;
  readonly #turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  /** Resolves when the copy is complete. @throws Error when the thread ended before */
  readonly ready: Promise<void>;
  /** Resolves when the thread has ended and freed its memory. */
  readonly ended: Promise<void>;
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
      resourceLimits: {
        maxOldGenerationSizeMb: HEAP_MB,
        maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
        stackSizeMb: STACK_MB,
      },
      // Output of a thread may quote queries, which must not reach the log.
      stdout: true,
      stderr: true,
    });
    this.ready = new Promise((resolve, reject) => {
      this.#hear = () => {
        this.#isReady = true;
        resolve();
      };
      this.#broke = ({ message }) => reject(new Error(message));
    });
    this.ready.catch(() => undefined);
    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#isAlive = false;
        this.#release();
        this.#broke({ kind: 'limit', limit: 'memory', message: ENDED });
        resolve();
      });
    });
    // The exit handler reports it; the error may quote the query.
    this.#worker.on('error', () => undefined);
    this.#worker.on('message', (news: ThreadNews) => this.#hear(news));
    // Synchronously, so that the source cannot change meanwhile.
    for (let at = 0; at < bytes.byteLength; at += SLICE_BYTES) {
      const view = bytes.subarray(at, at + SLICE_BYTES);
      // The engine reserves more memory than it uses; unused pages are skipped.
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

  get isFree(): boolean {
    return this.#isAlive && this.#isReady && !this.#isBusy;
  }

  /** Resolves when the copy is free again, or has ended. */
  released(): Promise<void> {
    if (!this.#isBusy || !this.#isAlive) return Promise.resolve();
    return new Promise((resolve) => void this.#tellFree.push(resolve));
  }

  update(sparql: string): void {
    this.#tell({ update: sparql });
  }

  load(nquads: Uint8Array): void {
    // Each thread gets its own copy: posting would clone the whole underlying buffer. Buffer.slice does not copy.
    const bytes = new Uint8Array(nquads);
    this.#tell({ nquads: bytes }, [bytes.buffer]);
  }

  /**
   * Runs a query until the answer begins. The copy is free again once the body is read or destroyed.
   * @param spent milliseconds of its time that are over
   */
  async run(query: ThreadQuery, { timeout, delivery, signal }: Bounds, spent = 0): Promise<Outcome> {
    this.#isBusy = true;
    const outcome = await new Promise<Outcome>((resolve) => {
      const end = (failure: Failure): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        this.terminate();
        resolve({ failure });
      };
      const timer = setTimeout(() => end(tooLong(timeout)), timeout - spent);
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
        Atomics.store(this.#turns, 0, MAX_CHUNKS_AHEAD);
        this.#tell({ query });
      }
    });
    if ('failure' in outcome) this.#release();
    return outcome;
  }

  terminate(): void {
    this.#isAlive = false;
    void this.#worker.terminate();
  }

  /** Returns the chunks on demand. Ends the thread if the reader stops early or takes too long. */
  #body(delivery: number, signal: AbortSignal): Readable {
    let isDone = false;
    const abort = (): void => void body.destroy(new Error('The query was ended.'));
    const timer = setTimeout(abort, delivery);
    let taken = 0;
    const body = new Readable({
      // Chunks are strings: transferred bytes would take long to be garbage-collected.
      objectMode: true,
      highWaterMark: MAX_CHUNKS_AHEAD,
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
      // Destroying the body also ends the thread: a partial answer must not continue.
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

export const tooLong = (timeout: number): Failure => ({
  kind: 'limit',
  limit: 'time',
  message: `The query took longer than ${timeout / 1000} s and was stopped; ask for less, or filter earlier.`,
});
