import type { MappedBatch } from './batch-resource.js';

/**
 * Batches being mapped, and the one being stored: they are stored one after the other, in their order. Reading continues
 * at the same time, since storing is mostly waiting for the disk.
 */
export class BatchQueue {
  readonly #waiting: MappedBatch[] = [];
  #storing = Promise.resolve();

  constructor(private readonly store: (batch: MappedBatch) => Promise<void>) {}

  /**
   * Adds a batch, and stores those beyond the number that may wait. Without a batch it stores everything.
   * @throws what storing this one or an earlier one threw
   */
  async take(batch: MappedBatch, most: number): Promise<void> {
    this.#waiting.push(batch);
    while (this.#waiting.length > most) {
      await this.#storing;
      const next = this.#waiting.shift();
      if (next) this.#storing = this.store(next);
      // The next caller that awaits it gets the error.
      this.#storing.catch(() => undefined);
    }
    if (most === 0) await this.#storing;
  }

  /** Resolves when nothing is being stored any more, even after a failure. */
  async end(): Promise<void> {
    await this.#storing.catch(() => undefined);
  }
}
