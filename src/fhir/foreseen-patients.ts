import type { MappedBatch } from './fhir-batch.js';
import { documentsOf, UnreadableFile } from './fhir-resources.js';
import type { FhirLoadOptions } from './load-fhir.js';
import type { RecordIds } from './record-ids.js';

/**
 * Looks ahead for patients: what is about a patient may come before it. Most loads have it the other way round, so the
 * files are read a second time only where a patient is missing.
 */
export class ForeseenPatients {
  #foreseen: Promise<void> | undefined;

  constructor(
    private readonly options: Pick<FhirLoadOptions, 'files' | 'recordId'>,
    private readonly ids: RecordIds,
  ) {}

  /** Learns of all patients of the load where a batch is about one whose record is not known. */
  async lookFor({ resources, recordOf }: MappedBatch): Promise<void> {
    // Who is not the one patient of a named record has none.
    if (this.options.recordId !== undefined) return;
    const patients = new Set(Array.from(resources.values(), ({ patient }) => patient));
    const isMissing = [...patients].some((each) => each !== undefined && recordOf(each) === undefined);
    if (isMissing) await (this.#foreseen ??= this.#readAll());
  }

  async #readAll(): Promise<void> {
    for (const { open, isOnce } of this.options.files) {
      if (isOnce) continue;
      try {
        for await (const { resources } of documentsOf(open))
          for (const resource of resources) if (resource.type === 'Patient') this.ids.foresee(resource);
      } catch (error) {
        // It is told when its resources are read.
        if (!(error instanceof UnreadableFile)) throw error;
      }
    }
  }
}
