import { isObject } from '../rdf/json-object.js';
import { isRecordId } from '../records/identifiers.js';
import type { FhirResource } from './fhir-resources.js';
import { partsOf } from './resource-names.js';

/** How to find the records of patients. */
export interface RecordIdOptions {
  /** The record of the one patient of the files. */
  readonly recordId?: string | undefined;
  /** The identifier system whose value is the record id; without it, the record id is the id of the patient. */
  readonly system?: string | undefined;
}

/** Whether records have the ids of their patients, all from one server. */
export const recordsHaveIds = ({ recordId, system }: RecordIdOptions): boolean =>
  recordId === undefined && system === undefined;

/** The part of a Patient that decides its record. */
type Patient = Pick<FhirResource, 'iri' | 'id' | 'value'>;

/** The moment of patients that come later, before all others. */
const FORESEEN = -1;

/** The record of each patient. */
export class RecordIds {
  /** The records that patients stated, with the moments; only the last one of each moment. */
  readonly #byPatient = new Map<string, { record: string; readonly since: number }[]>();
  /** Patients without a record id. */
  readonly #silent = new Set<string>();
  /** Records found in the container: each resource asks several times. */
  readonly #stored = new Set<string>();
  /** The current moment, which ends when somebody asks for the records known now. */
  #moment = 0;
  /** The patient whose record was named: two people must not become one. */
  #only: string | undefined;

  /** @param isStored whether a record exists: then its patient need not be in the load */
  constructor(
    private readonly options: RecordIdOptions,
    private readonly isStored: (recordId: string) => boolean = () => false,
  ) {}

  /** Reads a patient, before anything asks for its record. */
  learn(patient: Patient): void {
    // The first in the file: query results have no order.
    if (this.options.recordId !== undefined) this.#only ??= patient.iri;
    this.#look(patient, this.#moment);
  }

  /** Reads a patient that comes later; until then its record counts for all moments. */
  foresee(patient: Patient): void {
    this.#look(patient, FORESEEN);
  }

  #look({ iri, id, value }: Patient, since: number): void {
    const { system } = this.options;
    const said = system === undefined ? [id] : identifiersOf(value, system);
    const records = said.filter(isRecordId);
    for (const record of records) this.#say(iri, record, since);
    if (records.length === 0) this.#silent.add(iri);
  }

  #say(patient: string, record: string, since: number): void {
    const said = this.#byPatient.get(patient) ?? [];
    const same = said.find((each) => each.since === since);
    if (same) same.record = record;
    else if (since === FORESEEN) said.unshift({ record, since });
    else said.push({ record, since });
    this.#byPatient.set(patient, said);
  }

  /** Returns the records of patients as known now; later changes do not affect it. */
  known(): (patient: string) => string | undefined {
    const until = this.#moment++;
    return (patient) => this.of(patient, until);
  }

  /** Returns the record of a patient; undefined if unknown at the end of a moment. */
  of(patient: string, until = this.#moment): string | undefined {
    const { recordId, system } = this.options;
    if (recordId !== undefined) {
      this.#only ??= patient;
      return patient === this.#only ? recordId : undefined;
    }
    const said = this.#byPatient.get(patient)?.findLast(({ since }) => since <= until)?.record;
    if (said !== undefined || system !== undefined) return said;
    const { type, id = '' } = partsOf(patient) ?? {};
    if (type !== 'Patient' || !isRecordId(id)) return undefined;
    if (!this.#stored.has(id) && !this.isStored(id)) return undefined;
    this.#stored.add(id);
    return id;
  }

  /** Returns why the record of a patient is unknown. */
  whyUnknown(patient: string): string {
    const { recordId, system } = this.options;
    const reason = 'no record is known for its patient';
    if (recordId !== undefined || system === undefined || !this.#silent.has(patient)) return reason;
    return `${reason}, which has no identifier of ${system} that can be the id of a record`;
  }
}

/** Returns the values of a patient's identifiers in a system. */
function identifiersOf({ identifier }: FhirResource['value'], system: string): string[] {
  if (!Array.isArray(identifier)) return [];
  return (identifier as unknown[]).flatMap((each) =>
    isObject(each) && each.system === system && typeof each.value === 'string' ? [each.value] : [],
  );
}
