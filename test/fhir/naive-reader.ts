/** An independent reading of bundles in plain JSON: what each list of a record has to hold. It shares no code with `src/fhir`. */

interface Coding {
  system?: string;
  code?: string;
}
/** A resource as JSON gives it; a test may look anywhere. */
// Each reader says which members it believes in; a wrong one shows as a difference in the counts.
export type Json = { [member: string]: Json } & { toString(): string };

const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const codeOf = (concept: Json | undefined, system: string): string | undefined =>
  (list(concept?.coding) as unknown as Coding[]).find((coding) => coding.system === system)?.code;
const text = (value: Json | undefined): string => (value === undefined ? '' : String(value));
const categoryIs = (resource: Json, code: string): boolean =>
  [resource.category]
    .flat()
    .some((category) => list(category?.coding).some((one) => text(one.code) === code));

const SNOMED = 'http://snomed.info/sct';
const LOINC = 'http://loinc.org';
const RXNORM = 'http://www.nlm.nih.gov/research/umls/rxnorm';

const vitals = new Set(
  '8302-2 8306-3 3141-9 29463-7 39156-5 8287-5 9843-4 8867-4 2710-2 2708-6 59408-5 9279-1 8310-5 8331-1 85354-9 55284-4'.split(
    ' ',
  ),
);

/** One line for each statement that a bundle asks for, by list: code and date, and for results the value. */
export function expectedLists(bundle: Json): Record<string, string[]> {
  const resources = list(bundle.entry).map(({ resource }) => resource as Json);
  const of = (type: string): Json[] => resources.filter((one) => text(one.resourceType) === type);
  const drugs = new Map(
    list(bundle.entry)
      .filter(({ resource }) => text(resource?.resourceType) === 'Medication')
      .map((entry) => [text(entry.fullUrl), entry.resource?.code]),
  );
  const laboratory = of('Observation').filter(
    (one) => categoryIs(one, 'laboratory') && codeOf(one.code, LOINC),
  );
  return {
    problems: of('Condition').map((one) => `${codeOf(one.code, SNOMED)} ${text(one.onsetDateTime)}`),
    encounters: of('Encounter').map((one) => text(one.period?.start)),
    procedures: of('Procedure').map(
      (one) => `${codeOf(one.code, SNOMED)} ${text(one.performedDateTime ?? one.performedPeriod?.start)}`,
    ),
    immunizations: of('Immunization').map(
      (one) => `${codeOf(one.vaccineCode, 'http://hl7.org/fhir/sid/cvx')} ${text(one.occurrenceDateTime)}`,
    ),
    medications: of('MedicationRequest').map((one) => {
      const drug = one.medicationCodeableConcept ?? drugs.get(text(one.medicationReference?.reference));
      const ended = new Map([
        ['completed', 'completed'],
        ['stopped', 'stopped'],
        ['on-hold', 'onHold'],
      ]).get(text(one.status));
      return `${codeOf(drug, RXNORM)} ${text(one.authoredOn)} ${ended ?? ''}`;
    }),
    lab_results: laboratory.map((one) => {
      const value = one.valueQuantity
        ? text(one.valueQuantity.value)
        : text(
            one.valueString ??
              one.valueCodeableConcept?.text ??
              list(one.valueCodeableConcept?.coding)[0]?.display,
          );
      return `${codeOf(one.code, LOINC)} ${text(one.effectiveDateTime)} ${value}`;
    }),
    lab_panels: of('DiagnosticReport')
      .filter((one) => categoryIs(one, 'LAB') && list(one.result).length > 0)
      .map((one) => String(list(one.result).length)),
    vital_sign_sets: of('Observation')
      .filter((one) => categoryIs(one, 'vital-signs') && vitals.has(codeOf(one.code, LOINC) ?? ''))
      .map((one) => text(one.effectiveDateTime)),
    // Synthea calls all notes but the last one superseded.
    clinical_notes: of('DocumentReference')
      .filter((one) => text(one.status) === 'current')
      .map((one) => text(one.date)),
    imaging_studies: of('ImagingStudy')
      .filter((one) => list(one.series).some(({ modality }) => ['CT', 'MR'].includes(text(modality?.code))))
      .map((one) => text(one.started)),
    demographics: of('Patient').map((one) => text(one.birthDate)),
  };
}

/** How many allergies of a bundle have a substance with a code that the record model takes. */
export function expectedAllergies(bundle: Json): number {
  return list(bundle.entry)
    .map(({ resource }) => resource as Json)
    .filter((one) => text(one.resourceType) === 'AllergyIntolerance')
    .filter((one) => codeOf(one.code, RXNORM) !== undefined || codeOf(one.code, SNOMED) !== undefined).length;
}
