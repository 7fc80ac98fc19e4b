import type { MappedBatch } from './fhir-batch.js';

/**
 * Batches that are being mapped, and the one that is being stored: they are stored one after the other, in their order.
 * Reading goes on meanwhile, since to store is, for a good part, to wait for the disk.
 */
export class BatchQueue {
  readonly #waiting: MappedBatch[] = [];
  #storing = Promise.resolve();

  constructor(private readonly store: (batch: MappedBatch) => Promise<void>) {}

  /**
   * Takes a batch, and stores those that are more than may wait; with none, everything is stored when it resolves.
   * @throws what storing this one or an earlier one threw
   */
  async take(batch: MappedBatch, most: number): Promise<void> {
    this.#waiting.push(batch);
    while (this.#waiting.length > most) {
      await this.#storing;
      const next = this.#waiting.shift();
      if (next) this.#storing = this.store(next);
      // The next caller that waits for it gets the error.
      this.#storing.catch(() => undefined);
    }
    if (most === 0) await this.#storing;
  }

  /** Resolves when nothing is being stored any more, also when that has failed. */
  async end(): Promise<void> {
    await this.#storing.catch(() => undefined);
  }
}
