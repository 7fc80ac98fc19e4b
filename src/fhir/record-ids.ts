import { isObject } from '../rdf/json-object.js';
import { isRecordId } from '../records/identifiers.js';
import { partsOf, type FhirResource } from './fhir-resources.js';

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

/** As much of a Patient as says which record it has. */
type Patient = Pick<FhirResource, 'iri' | 'id' | 'value'>;

/** What was known before everything that is read. */
const FORESEEN = -1;

/** Which record each patient has. */
export class RecordIds {
  /** What patients said, one after the other, and in which moment; of one moment what they said last. */
  readonly #byPatient = new Map<string, { record: string; readonly since: number }[]>();
  /** Patients that said nothing of a record. */
  readonly #silent = new Set<string>();
  /** Records that were found in the container: each resource asks several times. */
  readonly #stored = new Set<string>();
  /** It ends whenever somebody asks for what is known. */
  #moment = 0;
  /** The one patient whose record was named: two people must not become one. */
  #only: string | undefined;

  /** @param isStored whether there is a record: its patient need not be loaded with what is about it */
  constructor(
    private readonly options: RecordIdOptions,
    private readonly isStored: (recordId: string) => boolean = () => false,
  ) {}

  /** Looks at a patient, before its record is asked for. */
  learn(patient: Patient): void {
    // The first in the file: what queries give has no order.
    if (this.options.recordId !== undefined) this.#only ??= patient.iri;
    this.#look(patient, this.#moment);
  }

  /** Looks at a patient that comes later; until then its record is known in all moments. */
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
    const said = this.#byPatient.get(patient)?.findLast(({ since }) => since <= until)?.record;
    if (said !== undefined || system !== undefined) return said;
    const { type, id = '' } = partsOf(patient) ?? {};
    if (type !== 'Patient' || !isRecordId(id)) return undefined;
    if (!this.#stored.has(id) && !this.isStored(id)) return undefined;
    this.#stored.add(id);
    return id;
  }

  /** Why the record of a patient is not known. */
  whyUnknown(patient: string): string {
    const { recordId, system } = this.options;
    const reason = 'no record is known for its patient';
    if (recordId !== undefined || system === undefined || !this.#silent.has(patient)) return reason;
    return `${reason}, which has no identifier of ${system} that can be the id of a record`;
  }
}

/** What the identifiers of a patient say that are of a system. */
function identifiersOf({ identifier }: FhirResource['value'], system: string): string[] {
  if (!Array.isArray(identifier)) return [];
  return (identifier as unknown[]).flatMap((each) =>
    isObject(each) && each.system === system && typeof each.value === 'string' ? [each.value] : [],
  );
}
