import { isRecordId } from '../records/identifiers.js';
import { isObject, partsOf, type FhirResource } from './fhir-resources.js';

/** How the records of patients are found. */
export interface RecordIdOptions {
  /** The record of the one patient of the files. */
  readonly recordId?: string | undefined;
  /** The identifier system whose value is the record id; else it is the id of the patient. */
  readonly system?: string | undefined;
}

/** Which record each patient has. */
export class RecordIds {
  readonly #byPatient = new Map<string, string>();
  /** The one patient whose record was named: two people must not become one. */
  #only: string | undefined;

  constructor(private readonly options: RecordIdOptions) {}

  /** Looks at the identifiers of a patient, before its record is asked for. */
  learn({ iri, value }: FhirResource): void {
    const { recordId, system } = this.options;
    // The first in the file: what queries give has no order.
    if (recordId !== undefined) this.#only ??= iri;
    if (system === undefined || !Array.isArray(value.identifier)) return;
    for (const each of value.identifier as unknown[]) {
      if (!isObject(each) || each.system !== system || typeof each.value !== 'string') continue;
      if (isRecordId(each.value)) this.#byPatient.set(iri, each.value);
    }
  }

  /** The records of some patients as they are known now, whatever is learnt later. */
  known(patients: Iterable<string>): (patient: string) => string | undefined {
    const { recordId, system } = this.options;
    if (recordId !== undefined || system === undefined) return (patient) => this.of(patient);
    const records = new Map(Array.from(patients, (patient) => [patient, this.of(patient)]));
    return (patient) => (records.has(patient) ? records.get(patient) : this.of(patient));
  }

  /** The record of a patient; undefined when nothing says which. */
  of(patient: string): string | undefined {
    const { recordId, system } = this.options;
    if (recordId !== undefined) {
      this.#only ??= patient;
      return patient === this.#only ? recordId : undefined;
    }
    if (system !== undefined) return this.#byPatient.get(patient);
    const id = partsOf(patient)?.id;
    return id !== undefined && isRecordId(id) ? id : undefined;
  }
}
