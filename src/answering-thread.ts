import { Worker } from 'node:worker_threads';

/** A thread that answers one message after the other, in the order in which it is asked. */
export class AnsweringThread<Task, Made> {
  readonly #worker: Worker;
  readonly #waiting: { resolve: (made: Made) => void; reject: (error: unknown) => void }[] = [];
  #error: unknown;

  /**
   * @param entry its program, which posts one message for each that it gets
   * @param data what that finds as `workerData`
   * @param ended what is said to who waits when it ends by itself
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

  /** How many tasks it has been given and not answered. */
  get tasks(): number {
    return this.#waiting.length;
  }

  /** Whether it has ended, and answers nothing any more. */
  get isOver(): boolean {
    return this.#error !== undefined;
  }

  /**
   * @param given buffers that are the thread's own from now on
   * @throws whatever ended the thread
   */
  ask(task: Task, given: readonly ArrayBuffer[] = []): Promise<Made> {
    return new Promise((resolve, reject) => {
      if (this.#error !== undefined) return reject(this.#error as Error);
      // First: who could not be asked waits for nothing.
      this.#worker.postMessage(task, given);
      this.#waiting.push({ resolve, reject });
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
