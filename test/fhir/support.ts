import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ImportReport } from '../../src/fhir/import-tally.js';
import { summaryLines, summaryOf } from '../../src/fhir/load-summary.js';
import { loadFhir, type FhirFileReport, type FhirLoadOptions } from '../../src/fhir/load-fhir.js';
import { MAPPING_FOLDER, readMapping } from '../../src/fhir/mapping.js';
import { loadOntology } from '../../src/model/ontology/directory.js';
import { namedNode, quad, type Term } from '../../src/rdf/terms.js';
import type { PrimaryStore } from '../../src/store/primary-store.js';
import { base, place } from '../records/support.js';

export const { ontology } = await loadOntology('ontology');
export const mapping = await readMapping(join('queries', MAPPING_FOLDER), ontology);

export type Resource = Record<string, unknown> & { resourceType: string };

/** A file of some text, or of a Bundle of some resources. */
export function fileOf(
  content: string | readonly Resource[],
  name = 'test.json',
): FhirLoadOptions['files'][number] {
  const text =
    typeof content === 'string'
      ? content
      : JSON.stringify({
          resourceType: 'Bundle',
          type: 'collection',
          entry: content.map((resource) => ({ resource })),
        });
  return {
    name,
    open: () => Readable.from([Buffer.from(text)], { objectMode: false }) as AsyncIterable<Uint8Array>,
  };
}

/** What an operator is told of the report of one file. */
export const linesOf = (fhir: ImportReport): string[] =>
  summaryLines(summaryOf([{ file: 'test.json', fhir }], mapping.losses));

/** Somewhere to load FHIR into. */
export async function fhirPlace(): Promise<{
  primary: PrimaryStore;
  load: (
    content: string | readonly Resource[],
    options?: Partial<FhirLoadOptions>,
  ) => Promise<FhirFileReport>;
  statements: (recordId: string) => Record<string, string[]>;
}> {
  const { primary } = await place();
  return {
    primary,
    load: async (content, options = {}) => {
      const [report] = await loadFhir({
        files: [fileOf(content)],
        primary,
        ontology,
        mapping,
        base,
        ...options,
      });
      if (!report) throw new Error('There is no report.');
      return report;
    },
    statements: (recordId) => statementsOf(primary, recordId),
  };
}

/** What is stored below a record, by path: lines `predicate object` of the statement and its components. */
export function statementsOf(primary: PrimaryStore, recordId: string): Record<string, string[]> {
  const start = `${base}/records/${recordId}/`;
  return Object.fromEntries(
    primary.names(start).map((name) => [
      name.slice(start.length),
      (primary.graph(name) ?? [])
        .filter(({ object }) => object.termType !== 'BlankNode')
        .map(({ predicate, object }) => `${shortOf(predicate.value)} ${shortOf(object.value)}`)
        .sort(),
    ]),
  );
}

/** Gives the statement of a MedicationStatement the name that it had before version 0.27, which is without its type. */
export async function underOldName(primary: PrimaryStore, recordId: string, id: string): Promise<void> {
  const start = `${base}/records/${recordId}/medications/`;
  const [name, former] = [`${start}MedicationStatement_${id}`, start + id];
  const named = (term: Term): Term => (term.value === name ? namedNode(former) : term);
  const quads = (primary.graph(name) ?? []).map((each) =>
    quad(named(each.subject), each.predicate, named(each.object)),
  );
  await primary.write({ replace: [{ name: former, quads }], remove: [name] });
}

function shortOf(iri: string): string {
  return iri.replace(/^http\S*[#/](?=[^#/]+$)/u, '');
}

const subject = { reference: 'Patient/p1' };
const coding = (system: string, code: string, display: string) => ({
  coding: [{ system, code, display }],
  text: display,
});
export const snomed = (code: string, display: string) => coding('http://snomed.info/sct', code, display);
export const loinc = (code: string, display: string) => coding('http://loinc.org', code, display);
export const rxnorm = (code: string, display: string) =>
  coding('http://www.nlm.nih.gov/research/umls/rxnorm', code, display);

/** One resource of each type, all of the patient `p1`. */
export const resources = {
  patient: {
    resourceType: 'Patient',
    id: 'p1',
    identifier: [
      { system: 'urn:oid:1.2.36.146.595.217.0.1', value: '4711', type: { text: 'Hospital number' } },
    ],
    name: [
      { use: 'maiden', family: 'Older', given: ['Ann'] },
      { use: 'official', family: 'Vale', given: ['Ann', 'Rose'], prefix: ['Dr.'] },
    ],
    gender: 'female',
    birthDate: '1950-02-03',
    deceasedDateTime: '2020-01-02T03:04:05Z',
    telecom: [
      { system: 'phone', value: '555-1', use: 'home' },
      { system: 'email', value: 'ann@example.org' },
    ],
    address: [
      {
        use: 'home',
        line: ['1 Road', 'Flat 2'],
        city: 'Town',
        state: 'ST',
        postalCode: '00001',
        country: 'US',
      },
    ],
    communication: [{ language: { coding: [{ code: 'en-US' }] }, preferred: true }],
  },
  practitioner: {
    resourceType: 'Practitioner',
    id: 'doc',
    identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '99' }],
    name: [{ family: 'House', given: ['Greg'], prefix: ['Dr.'] }],
  },
  organization: { resourceType: 'Organization', id: 'org', name: 'Hill Clinic', address: [{ city: 'Town' }] },
  encounter: {
    resourceType: 'Encounter',
    id: 'e1',
    status: 'finished',
    class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'IMP' },
    type: [snomed('185345009', 'Encounter for symptom')],
    reasonCode: [snomed('49727002', 'Cough')],
    subject,
    period: { start: '2019-01-01T10:00:00Z', end: '2019-01-03T10:00:00Z' },
    participant: [{ individual: { reference: 'Practitioner?identifier=http://hl7.org/fhir/sid/us-npi|99' } }],
    serviceProvider: { reference: 'Organization/org', display: 'Hill' },
  },
  condition: {
    resourceType: 'Condition',
    id: 'c1',
    subject,
    code: snomed('44054006', 'Type 2 diabetes mellitus'),
    clinicalStatus: {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code: 'active' }],
    },
    onsetDateTime: '2014-02-10',
    encounter: { reference: 'Encounter/e1' },
    note: [{ text: 'Found by chance.' }],
  },
  allergy: {
    resourceType: 'AllergyIntolerance',
    id: 'a1',
    patient: subject,
    code: snomed('762952008', 'Peanut'),
    type: 'allergy',
    category: ['food'],
    criticality: 'high',
    recordedDate: '2001-05-06',
    reaction: [{ manifestation: [snomed('39579001', 'Anaphylaxis')], severity: 'severe' }],
  },
  noAllergy: {
    resourceType: 'AllergyIntolerance',
    id: 'a2',
    patient: subject,
    code: snomed('716186003', 'No known allergy'),
    recordedDate: '2001-05-06',
  },
  request: {
    resourceType: 'MedicationRequest',
    id: 'm1',
    status: 'active',
    intent: 'order',
    subject,
    medicationCodeableConcept: rxnorm('314076', 'lisinopril 10 MG Oral Tablet'),
    authoredOn: '2015-01-01',
    requester: { reference: 'Practitioner/doc' },
    dosageInstruction: [
      {
        text: 'One every morning.',
        timing: { repeat: { frequency: 1, period: 1, periodUnit: 'd' } },
        doseAndRate: [{ doseQuantity: { value: 1, unit: 'tablet', code: '{tablet}' } }],
      },
    ],
  },
  dispense: {
    resourceType: 'MedicationDispense',
    id: 'd1',
    status: 'completed',
    subject,
    authorizingPrescription: [{ reference: 'MedicationRequest/m1' }],
    medicationCodeableConcept: rxnorm('314076', 'lisinopril 10 MG Oral Tablet'),
    whenHandedOver: '2015-01-02',
    daysSupply: { value: 90, unit: 'd' },
    quantity: { value: 90, code: '{tablet}' },
    performer: [{ actor: { reference: 'Organization/org' } }],
  },
  taken: {
    resourceType: 'MedicationStatement',
    id: 'm2',
    status: 'completed',
    subject,
    medicationReference: { reference: '#drug' },
    contained: [
      { resourceType: 'Medication', id: 'drug', code: rxnorm('243670', 'Aspirin 81 MG Oral Tablet') },
    ],
    effectivePeriod: { start: '2010-01-01', end: '2010-02-01' },
    dosage: [{ text: 'As needed.' }],
  },
  laboratory: {
    resourceType: 'Observation',
    id: 'l1',
    status: 'final',
    category: [{ coding: [{ code: 'laboratory' }] }],
    subject,
    code: loinc('2951-2', 'Sodium'),
    performer: [{ display: 'Town laboratory' }],
    effectiveDateTime: '2019-01-01',
    valueQuantity: { value: 140, unit: 'mmol/L', system: 'http://unitsofmeasure.org', code: 'mmol/L' },
    referenceRange: [{ low: { value: 135, code: 'mmol/L' }, high: { value: 145, code: 'mmol/L' } }],
    interpretation: [
      {
        coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation', code: 'N' }],
      },
    ],
  },
  narrative: {
    resourceType: 'Observation',
    id: 'l2',
    status: 'preliminary',
    category: [{ coding: [{ code: 'laboratory' }] }],
    subject,
    code: loinc('5778-6', 'Color of Urine'),
    effectiveDateTime: '2019-01-01',
    valueCodeableConcept: snomed('371254008', 'Brown'),
  },
  panel: {
    resourceType: 'DiagnosticReport',
    id: 'r1',
    status: 'final',
    category: [{ coding: [{ code: 'LAB' }] }],
    subject,
    code: loinc('24323-8', 'Panel'),
    performer: [{ display: 'Dr. Gale Hooper' }, { display: 'Town laboratory' }],
    result: [{ reference: 'Observation/l1' }, { reference: 'Observation/l2' }],
  },
  weight: {
    resourceType: 'Observation',
    id: 'v1',
    status: 'final',
    category: [{ coding: [{ code: 'vital-signs' }] }],
    subject,
    encounter: { reference: 'Encounter/e1' },
    code: loinc('29463-7', 'Body weight'),
    effectiveDateTime: '2019-01-01',
    valueQuantity: { value: 150, unit: 'lb', code: '[lb_av]' },
  },
  pressure: {
    resourceType: 'Observation',
    id: 'v2',
    status: 'final',
    category: [{ coding: [{ code: 'vital-signs' }] }],
    subject,
    encounter: { reference: 'Encounter/e1' },
    code: loinc('85354-9', 'Blood pressure'),
    effectiveDateTime: '2019-01-01',
    component: [
      { code: loinc('8480-6', 'Systolic'), valueQuantity: { value: 120, code: 'mm[Hg]' } },
      { code: loinc('8462-4', 'Diastolic'), valueQuantity: { value: 80, code: 'mm[Hg]' } },
    ],
  },
  smoking: {
    resourceType: 'Observation',
    id: 's1',
    status: 'final',
    category: [{ coding: [{ code: 'social-history' }] }],
    subject,
    code: loinc('72166-2', 'Tobacco smoking status'),
    effectiveDateTime: '2019-01-01',
    valueCodeableConcept: snomed('8517006', 'Ex-smoker'),
  },
  procedure: {
    resourceType: 'Procedure',
    id: 'o1',
    status: 'completed',
    subject,
    code: snomed('80146002', 'Appendectomy'),
    performedPeriod: { start: '1990-01-01', end: '1990-01-01' },
    performer: [{ actor: { reference: 'Practitioner/doc' } }],
  },
  immunization: {
    resourceType: 'Immunization',
    id: 'i1',
    status: 'not-done',
    statusReason: {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActReason', code: 'PATOBJ' }],
    },
    patient: subject,
    vaccineCode: coding('http://hl7.org/fhir/sid/cvx', '140', 'Influenza'),
    occurrenceDateTime: '2018-10-01',
  },
  family: {
    resourceType: 'FamilyMemberHistory',
    id: 'f1',
    status: 'completed',
    patient: subject,
    relationship: coding('http://terminology.hl7.org/CodeSystem/v3-RoleCode', 'FTH', 'father'),
    bornDate: '1920',
    condition: [
      { code: snomed('22298006', 'Myocardial infarction') },
      { code: snomed('44054006', 'Diabetes') },
    ],
  },
  note: {
    resourceType: 'DocumentReference',
    id: 'n1',
    status: 'current',
    subject,
    type: loinc('34117-2', 'History and physical note'),
    date: '2019-01-01T10:00:00Z',
    author: [{ reference: 'Practitioner/doc' }],
    content: [
      {
        attachment: {
          contentType: 'text/plain; charset=utf-8',
          data: Buffer.from('All is well.').toString('base64'),
        },
      },
    ],
  },
  scan: {
    resourceType: 'DocumentReference',
    id: 'n2',
    status: 'current',
    subject,
    date: '2019-01-01T10:00:00Z',
    content: [
      { attachment: { contentType: 'application/pdf', url: 'Binary/b1', title: 'Discharge letter' } },
    ],
  },
  binary: {
    resourceType: 'Binary',
    id: 'b1',
    contentType: 'application/pdf',
    data: Buffer.from('%PDF-').toString('base64'),
  },
  imaging: {
    resourceType: 'ImagingStudy',
    id: 'x1',
    status: 'available',
    subject,
    started: '2019-01-02',
    description: 'CT of the head',
    series: [
      {
        modality: { system: 'http://dicom.nema.org/resources/ontology/DCM', code: 'CT' },
        description: 'Axial',
      },
    ],
  },
} satisfies Record<string, Resource>;

export const everything: readonly Resource[] = Object.values(resources);
