import { isRecordId } from '../records/identifiers.js';
import { isObject, partsOf, type FhirResource } from './fhir-resources.js';

/** How the records of patients are found. */
export interface RecordIdOptions {
  /** The record of the one patient of the files. */
  readonly recordId?: string | undefined;
  /** The identifier system whose value is the record id; else it is the id of the patient. */
  readonly system?: string | undefined;
}

/** Whether records have the ids of their patients, which are those of one server. */
export const recordsHaveIds = ({ recordId, system }: RecordIdOptions): boolean =>
  recordId === undefined && system === undefined;

/** Which record each patient has. */
export class RecordIds {
  /** What identifiers said, one after the other, and in which moment; of one moment what they said last. */
  readonly #byPatient = new Map<string, { record: string; readonly since: number }[]>();
  /** It ends whenever somebody asks for what is known. */
  #moment = 0;
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
      if (isRecordId(each.value)) this.#say(iri, each.value);
    }
  }

  #say(patient: string, record: string): void {
    const said = this.#byPatient.get(patient);
    const last = said?.at(-1);
    if (!said) this.#byPatient.set(patient, [{ record, since: this.#moment }]);
    else if (last?.since === this.#moment) last.record = record;
    else said.push({ record, since: this.#moment });
  }

  /** The records of patients as they are known now, whatever is learnt later. */
  known(): (patient: string) => string | undefined {
    const until = this.#moment++;
    return (patient) => this.of(patient, until);
  }

  /** The record of a patient; undefined when nothing has said which by the end of a moment. */
  of(patient: string, until = this.#moment): string | undefined {
    const { recordId, system } = this.options;
    if (recordId !== undefined) {
      this.#only ??= patient;
      return patient === this.#only ? recordId : undefined;
    }
    if (system !== undefined)
      return this.#byPatient.get(patient)?.findLast(({ since }) => since <= until)?.record;
    const id = partsOf(patient)?.id;
    return id !== undefined && isRecordId(id) ? id : undefined;
  }
}
