import type { FhirBatches, MappedBatch } from './fhir-batch.js';
import { documentsOf, UnreadableFile } from './fhir-resources.js';
import type { FhirLoadOptions } from './load-fhir.js';
import type { RecordIds } from './record-ids.js';

/**
 * Looks ahead for patients, and for what others refer to: what is about a patient may come before it. Most loads have it
 * the other way round, so the files are read a second time only where something is missing.
 */
export class ForeseenPatients {
  #foreseen: Promise<void> | undefined;

  constructor(
    private readonly options: Pick<FhirLoadOptions, 'files' | 'recordId'>,
    private readonly ids: RecordIds,
    private readonly batches: FhirBatches,
  ) {}

  /** Learns of all patients of the load where a batch is about one whose record is not known. */
  async lookFor({ resources, recordOf }: MappedBatch): Promise<void> {
    // Who is not the one patient of a named record has none.
    if (this.options.recordId !== undefined) return;
    const patients = new Set(Array.from(resources.values(), ({ patient }) => patient));
    const isMissing = [...patients].some((each) => each !== undefined && recordOf(each, each) === undefined);
    if (isMissing) await this.readAll();
  }

  /** Learns of everything that comes later, once. */
  async readAll(): Promise<void> {
    await (this.#foreseen ??= this.#readAll());
  }

  async #readAll(): Promise<void> {
    for (const file of this.options.files) {
      if (file.isOnce) continue;
      try {
        for await (const { resources } of documentsOf(file))
          for (const resource of resources) {
            this.batches.foresee(resource);
            if (resource.type === 'Patient' && !resource.isDeleted && this.options.recordId === undefined)
              this.ids.foresee(resource);
          }
      } catch (error) {
        // It is told when its resources are read.
        if (!(error instanceof UnreadableFile)) throw error;
      }
    }
  }
}
