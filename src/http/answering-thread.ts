import { Worker } from 'node:worker_threads';

/** A worker thread that answers messages one at a time, in order. */
export class AnsweringThread<Task, Made> {
  readonly #worker: Worker;
  readonly #waiting: { resolve: (made: Made) => void; reject: (error: unknown) => void }[] = [];
  #error: unknown;

  /**
   * @param entry the program of the thread, which posts one message for each that it gets
   * @param data its `workerData`
   * @param ended message of the error for waiting tasks when the thread ends
   */
  constructor(entry: URL, data: unknown, ended: string) {
    this.#worker = new Worker(entry, { workerData: data });
    this.#worker.on('message', (made: Made) => this.#waiting.shift()?.resolve(made));
    this.#worker.on('error', (error) => (this.#error = error));
    this.#worker.on('exit', () => {
      this.#error ??= new Error(ended);
      for (const { reject } of this.#waiting.splice(0)) reject(this.#error);
    });
  }

  get tasks(): number {
    return this.#waiting.length;
  }

  get isOver(): boolean {
    return this.#error !== undefined;
  }

  /** @param given buffers to transfer to the thread @throws the error that ended the thread */
  ask(task: Task, given: readonly ArrayBuffer[] = []): Promise<Made> {
    return new Promise((resolve, reject) => {
      if (this.#error !== undefined) return reject(this.#error as Error);
      // First, because it may throw: then nothing must wait for an answer.
      this.#worker.postMessage(task, given);
      this.#waiting.push({ resolve, reject });
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
