import type { MappedBatch } from './batch-resource.js';
import type { FhirBatches } from './fhir-batch.js';
import { documentsOf, UnreadableFile } from './fhir-resources.js';
import type { FhirLoadOptions } from './load-fhir.js';
import type { RecordIds } from './record-ids.js';

/**
 * Looks ahead for patients and other targets of references, which may come after the resources about them. Most loads
 * have them first, so the files are read a second time only if something is missing.
 */
export class ForeseenPatients {
  #foreseen: Promise<void> | undefined;

  constructor(
    private readonly options: Pick<FhirLoadOptions, 'files' | 'recordId'>,
    private readonly ids: RecordIds,
    private readonly batches: FhirBatches,
  ) {}

  /** Reads all patients of the load if a batch is about one whose record is unknown. */
  async lookFor({ resources, recordOf }: MappedBatch): Promise<void> {
    // If the record was named, other patients have none.
    if (this.options.recordId !== undefined) return;
    const patients = new Set(Array.from(resources.values(), ({ patient }) => patient));
    const isMissing = [...patients].some((each) => each !== undefined && recordOf(each, each) === undefined);
    if (isMissing) await this.readAll();
  }

  /** Reads everything that comes later, once. */
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
        // The error is reported when its resources are read.
        if (!(error instanceof UnreadableFile)) throw error;
      }
    }
  }
}
