import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../shared-data.js';
import { fhirPlace, linesOf, loinc, resources, snomed, type Resource } from './support.js';

const { patient, encounter, condition, allergy, request, dispense, taken, laboratory, weight, panel } =
  resources;

/**
 * What becomes of an input, in lines: `+` and what is stored, `-` and what is not, with the end of the path of the
 * statement before it; `!` and what is told, `!-` and what is not.
 */
type Case = [name: string, input: string | readonly Resource[], ...expected: string[]];

async function expectCase([, input, ...expected]: Case): Promise<void> {
  const { load, primary, statements } = await fhirPlace();
  const file = typeof input === 'string' ? (sharedData('fhir-cases', input) ?? '') : undefined;
  const { report } = await load(
    file === undefined ? (input as readonly Resource[]) : readFileSync(file, 'utf8'),
  );
  const records = new Set(
    primary.names('http://chart.test/records/').map((name) => name.split('/')[4] ?? ''),
  );
  const stored = [...records].flatMap((record) =>
    Object.entries(statements(record)).flatMap(([path, lines]) =>
      path.startsWith('unmapped/') ? [] : lines.map((line) => `${record}/${path}: ${line}`),
    ),
  );
  const told = linesOf(report).join('\n');
  for (const line of expected) {
    const [sign = '', ...words] = line.split(' ');
    const text = words.join(' ');
    const found = sign.startsWith('!')
      ? told.includes(text)
      : stored.some((each) => `/${each}`.includes(`/${text}`));
    expect([line, found, found ? '' : [...stored, told].join('\n')]).toEqual([
      line,
      !sign.endsWith('-'),
      expect.anything(),
    ]);
  }
}

/** The inputs of the review beside the project. */
const files: Case[] = [
  [
    'what is less or more than a number',
    '01-comparator.ndjson',
    '+ c01-trop: value <0.01 ng/mL',
    '+ c01-egfr: value >=60 mL/min/1.73 m²',
    '- c01-spo2: ',
    '! its value is less or more than a number',
  ],
  [
    'bounds of a blood pressure, and a dose with less than its effect',
    '01b-comparator-in-component.ndjson',
    '- vital_sign_sets/',
    '! its systolic or diastolic value is less or more',
    '+ p9i: title 140 (subpotent dose)',
  ],
  [
    'entered in error in any coding',
    '03-verification-status.ndjson',
    '- problems/',
    '- allergies/',
    '! 3 Condition (entered in error), 1 AllergyIntolerance (entered in error), 1 Condition (refuted)',
    '! since these are of another version',
  ],
  [
    'a smoking status with issued alone',
    '04a-smoking-issued-only.ndjson',
    '+ social_history: code 449868002',
  ],
  [
    'a history that ends with a deletion',
    '05-history-deleted.json',
    '- problems/',
    '! 1 Condition (deleted)',
  ],
  ['a soft-deleted resource', '05b-soft-deleted.ndjson', '- problems/', '! 1 Condition (deleted)'],
  [
    'names that are over',
    '06-name-period.ndjson',
    '+ h2c06/demographics: family-name Brandvold',
    '+ h2c06b/demographics: family-name Oberholzer',
    '+ h2c06c/demographics: family-name Ottersund',
    '!- name',
  ],
  ['an old name of a practitioner', '06b-practitioner-old-name.ndjson', '+ p30e: family-name Presently'],
  [
    'a contained resource with # in its id',
    '07-contained-hash.ndjson',
    '- c07-hash: ',
    '! 1 Medication: no RxNorm code of the drug is known',
  ],
  [
    'numbers with an exponent',
    '08-scientific-notation.ndjson',
    '+ c08-e: value 120',
    '+ c08-neg: value 0.0000005',
    '+ c08-zeros: value 13.00',
    '+ c08-bp: value 120',
  ],
  ['a plain glucose', '08b-plain-glucose.ndjson', '+ c08-plain: value 95', '!- lost'],
  [
    'the range that is meant for the patient',
    '10-reference-range.ndjson',
    '+ c10: value 3.5',
    '+ c10: notes Reference range 2.5-6.5 mmol/L (critical)',
    '- c10: value 6.5',
    '+ c10-sex: value 12.0',
    '- c10-sex: value 13.5',
  ],
  [
    'ranges for others, for a therapy, with one end',
    '10b-ranges.ndjson',
    '+ p7-treat: notes Reference range 2.0-3.0 INR (treatment)',
    '- p7-treat: value 2.0',
    '- p7-age: value 14',
    '+ p7-one: notes Reference range <=5 mg/L',
    '+ p7-interp: code critical',
  ],
  [
    'a control character',
    '11-control-characters.ndjson',
    '+ c11: notes first line\uFFFDsecond line\uFFFDend',
    '! became U+FFFD',
  ],
  [
    'control characters everywhere',
    '11b-control-characters-everywhere.ndjson',
    '+ p5a: title Penicillin\uFFFD',
    '+ p5m: instructions Take one\uFFFDdaily',
    '! 1 Demographics: characters that XML does not have',
  ],
  [
    'a merged patient',
    '16-merged-patient.ndjson',
    '!- Patient.link',
    '+ h2c16-new/problems/c16: title Asthma',
    '- h2c16-old/problems',
    '+ h2c16-old/demographics: replacedBy h2c16-new',
    '+ h2c16-new/demographics: replaces h2c16-old',
    '! 1 Patient.active: the record is not in use any more',
  ],
  ['a charset', '23-attachments.ndjson', '+ c23-latin: label text/plain; charset=iso-8859-1'],
  [
    'the worst reaction',
    '24-allergy-severity.ndjson',
    '+ c24-second: title Anaphylaxis, Rash',
    '+ c24-second: title Severe',
    '! 1 AllergyIntolerance (over)',
  ],
  [
    'half a blood pressure',
    '25-bp-one-component.ndjson',
    '- vital_sign_sets/',
    '! a part of it has no value',
  ],
  [
    'versions, the newest first',
    '27-versions-newest-first.ndjson',
    '- problems/',
    '+ c27-lab: value 4.1',
    '- c27-lab: value 7.1',
  ],
  ['versions in Bundles', '27b-versions-in-bundles.ndjson', '+ p4c: value 4.1', '- p4c: value 7.1'],
  ['a UUID in two letter cases', '28-urn-uuid-case.json', '- problems/', '! Condition.subject is missing'],
  [
    'times of a dosage',
    '29-timing.ndjson',
    '+ c29-8h: instructions 1 tbl once every 8 hours',
    '+ c29-range: instructions 1 to 4 times a day',
    '- c29-range: unit /d',
    '+ c29-pmax: instructions once every 1 to 3 days',
  ],
  [
    'dosages one after the other',
    '29b-dosages.ndjson',
    '+ p31: instructions 60 mg daily for 5 days, once a day; then 20 mg daily',
    '- p31: value 60',
    '+ p31c: instructions one tablet, once a week, as needed',
    '+ p31d: title Status not known',
    '- p31e: ',
  ],
  [
    'a patient without a birth date, or without a name',
    '30-no-birth-date.ndjson',
    '+ c30: title Asthma',
    '!- v:bday',
    '+ h2c30/demographics: family-name Brandvold',
    '! must have exactly 1 of v:family-name, it has 0',
  ],
  [
    'days that the calendar does not have',
    '31-far-dates.ndjson',
    '- c31-feb30: ',
    '+ c31-open: endDate 9999-12-31',
    '! must have exactly 1 of sp:startDate, it has 0',
  ],
  [
    'kinds of results',
    '33-value-types.ndjson',
    '+ c33-ratio: value 1:128',
    '+ c33-range: value 5-10',
    '+ c33-int: value 92',
    '+ c33-comp: value 2951-2: 140 mmol/L',
  ],
  [
    'one id of two types',
    '34-same-id-two-types.ndjson',
    '+ medications/1001: title Warfarin sodium 5 MG oral tablet',
    '+ MedicationStatement_1001: title Aspirin 81 MG oral tablet',
  ],
  [
    'what matters among usual results',
    '36-among-noise.ndjson',
    '+ p21-lt: value <20 mg/dL',
    '- p21-no: ',
    '! 1 MedicationRequest (not to be given)',
  ],
  [
    'one concept under two names of SNOMED CT',
    '37-two-snomed-systems.ndjson',
    '+ p2-same: title Asthma',
    '+ p2-diff: title Asthma',
  ],
];

const told = (change: object): Resource[] => [patient, { ...condition, ...change }];
const result = (change: object): Resource[] => [patient, { ...laboratory, ...change }];
const range = (unit: string) => ({
  referenceRange: [{ low: { value: 63, unit }, high: { value: 100, unit } }],
});

/** What has been seen in other exports. */
const quirks: Case[] = [
  [
    'methotrexate once in seven days',
    [
      patient,
      {
        ...request,
        dosageInstruction: [
          {
            doseAndRate: [{ doseQuantity: { value: 15, unit: 'mg' } }],
            timing: { repeat: { frequency: 1, period: 7, periodUnit: 'd' } },
          },
        ],
      },
    ],
    '+ m1: instructions 15 mg once every 7 days',
    '- m1: unit /d',
  ],
  ['test data', told({ meta: { security: [{ code: 'HTEST' }] } }), '! Condition: it is test data'],
  ['what the sender shortened', told({ meta: { tag: [{ code: 'SUBSETTED' }] } }), '! Condition.meta.tag'],
  [
    'other rules',
    told({ implicitRules: 'urn:rules' }),
    '- c1: ',
    '! Condition.implicitRules can change what it says',
  ],
  [
    'a narrative that says more',
    told({ text: { status: 'additional', div: '<div/>' } }),
    '! Condition.text.status',
  ],
  ['a narrative that says the same', told({ text: { status: 'generated', div: '<div/>' } }), '!- text'],
  [
    'a result with two codes of LOINC',
    result({ code: { coding: [...loinc('2951-2', 'Sodium').coding, ...loinc('2947-0', 'Other').coding] } }),
    '+ l1: code 2951-2',
    '- l1: code 2947-0',
  ],
  ['a code with a space behind it', result({ code: loinc('2345-7 ', 'Glucose') }), '+ l1: code 2345-7'],
  ['a range in the unit of the result', result(range('mmol/L')), '+ l1: value 100'],
  [
    'a range in another unit',
    result(range('mg/dL')),
    '- l1: value 100',
    '+ l1: notes Reference range 63-100 mg/dL',
  ],
  [
    'an interpretation that begins like another',
    result({ interpretation: [{ text: 'Normal range exceeded' }] }),
    '- l1: code normal',
    '+ l1: notes Interpretation: Normal range exceeded',
  ],
  [
    'conditions of a relative as text',
    [
      patient,
      {
        ...resources.family,
        condition: [{ code: { text: 'Gout' } }, { code: snomed('44054006', 'Diabetes') }],
      },
    ],
    '+ f1: title father (also: Gout)',
    '+ f1: title Diabetes',
  ],
  [
    'a relative in two systems',
    [
      patient,
      {
        ...resources.family,
        relationship: {
          coding: [...resources.family.relationship.coding, ...snomed('9947008', 'Natural father').coding],
        },
      },
    ],
    '+ f1: code 9947008',
    '- f1: code 66839005',
  ],
  [
    'a language in two systems',
    [
      {
        ...patient,
        communication: [
          {
            language: {
              coding: [
                { system: 'urn:ietf:bcp:47', code: 'en' },
                { system: 'urn:local', code: '1' },
              ],
            },
          },
        ],
      },
    ],
    '+ demographics: preferredLanguage en',
    '+ demographics: family-name Vale',
  ],
  [
    'a former name alone',
    [{ ...patient, name: [{ use: 'old', family: 'Vale', given: ['Ann'] }] }],
    '+ demographics: family-name Vale',
    '! Patient.name.use: there is no other name',
  ],
  [
    'a unit and a code that contradict each other',
    result({
      valueQuantity: { value: 95, unit: 'mg/dL', system: 'http://unitsofmeasure.org', code: 'mmol/L' },
    }),
    '+ l1: value 95 mg/dL (coded as mmol/L)',
    '- l1: unit ',
    '! Observation.valueQuantity[unit]: its unit and the code of its unit contradict each other',
  ],
  [
    'a unit that is written otherwise than its code',
    result({
      valueQuantity: { value: 95, unit: 'mcg/dl', system: 'http://unitsofmeasure.org', code: 'ug/dL' },
    }),
    '+ l1: unit ug/dL',
    '!- contradict',
  ],
  [
    'a dispensing of another drug than was ordered',
    [
      patient,
      request,
      {
        ...dispense,
        medicationCodeableConcept: {
          coding: [{ system: 'http://www.nlm.nih.gov/research/umls/rxnorm', code: '855332' }],
        },
      },
    ],
    '- d1: ',
    '! 1 of 1 MedicationDispense: it is another drug than was ordered, which has no place',
  ],
  [
    'a dispensing of the drug that was ordered',
    [patient, request, { ...dispense, medicationCodeableConcept: request.medicationCodeableConcept }],
    '+ d1: ',
  ],
  [
    'a gender that FHIR does not have',
    [{ ...patient, gender: 'M' }],
    '+ demographics: gender unknown',
    '! Patient.gender[?]: its value is none that FHIR R4 has there, and is left out',
  ],
  [
    'a condition that its category rules out',
    told({ category: [{ text: 'Ruled out' }] }),
    '- c1: ',
    '! its category says that it was entered in error or refuted',
  ],
  [
    'a condition that its stage rules out',
    told({ stage: [{ summary: { coding: [{ code: '1', display: 'Ruled out by biopsy' }] } }] }),
    '- c1: ',
    '! its stage says that it was entered in error or refuted',
  ],
  [
    'one bad date among good ones',
    told({ onsetDateTime: '2015-02-03', abatementDateTime: '2016-02-31' }),
    '+ c1: startDate 2015-02-03',
    '- c1: endDate',
    '! Condition.abatementDateTime[?]: its value is none that FHIR R4 has there, and is left out',
  ],
  [
    'a bad date of a beginning, where the record has a day',
    told({ onsetDateTime: '2015-02-31', recordedDate: '2020-01-01' }),
    '+ c1: startDate 2020-01-01',
    '+ c1: notes Found by chance.; The start is the day of the record',
    '! Condition.onsetDateTime[?]',
  ],
  [
    'a name alone that is over',
    [{ ...patient, name: [{ family: 'Vale', given: ['Ann'], period: { end: '2001-01-01' } }] }],
    '+ demographics: family-name Vale',
    '! Patient.name.period: there is no other name than a former one',
  ],
  [
    'an encounter of a status that is not known',
    [patient, { ...encounter, status: 'unknown' }],
    '+ e1: title Inpatient encounter (status not known)',
  ],
  [
    'a panel that is not final',
    [patient, laboratory, { ...panel, status: 'partial' }],
    '+ r1: title Panel (partial)',
  ],
  [
    'a vaccination of a day that is not known',
    [
      patient,
      {
        ...resources.immunization,
        status: 'completed',
        occurrenceDateTime: undefined,
        occurrenceString: 'as a child',
        recorded: '2020-01-01',
      },
    ],
    '+ i1: title Influenza (as a child; the date is that of the record)',
  ],
  [
    'a problem of which only the record has a day',
    told({ onsetDateTime: undefined, recordedDate: '2020-01-01' }),
    '+ c1: notes Found by chance.; The start is the day of the record',
  ],
  [
    'a dispensing that was stopped',
    [patient, request, { ...dispense, status: 'stopped' }],
    '- d1: ',
    '! it does not say that all of it was handed over',
  ],
  [
    'at least so many tablets',
    [patient, request, { ...dispense, quantity: { value: 90, comparator: '>=' } }],
    '- d1: value 90',
    '! MedicationDispense.quantity.comparator',
  ],
  [
    'a drug that was not taken, in DSTU2',
    [patient, { ...taken, wasNotTaken: true }],
    '- MedicationStatement_m2: ',
    '! it says that it was not taken',
  ],
  [
    'a vital sign that is not final',
    [patient, encounter, { ...weight, status: 'preliminary' }],
    '- v1: ',
    '! it is not final',
  ],
  [
    'a note on a vital sign',
    [patient, encounter, { ...weight, note: [{ text: 'With a cast' }] }],
    '+ v1: value 68.0388555',
    '! Observation.note: a note on it is not kept',
  ],
  [
    'the smoking status of somebody else',
    [patient, { ...resources.smoking, focus: [{ reference: 'Patient/other' }] }],
    '- social_history: ',
    '! it is about somebody else',
  ],
  [
    'an allergy that nobody graded',
    [patient, { ...allergy, criticality: undefined, reaction: [{ manifestation: [{ text: 'Rash' }] }] }],
    '- a1: ',
    '! must have exactly 1 of sp:severity',
  ],
];

describe('public reports', () => {
  it.skipIf(sharedData('fhir-cases') === undefined).each(files)('%s', (...row) => expectCase(row));
});

describe('quirks of exports', () => {
  it.each(quirks)('%s', (...row) => expectCase(row));
});

it('contacts that have no place, and former addresses, are told', async () => {
  const { load, statements } = await fhirPlace();
  const telecom = [{ system: 'phone', value: '1' }, { system: 'fax', value: '2' }, { value: '3' }];
  const address = [
    { use: 'old', city: 'Before' },
    { use: 'home', city: 'Now' },
  ];
  const { report } = await load([{ ...patient, telecom, address }]);
  expect(
    statements('p1')
      .demographics?.filter((line) => /^(?:value|locality) /u.test(line))
      .sort(),
  ).toEqual(['locality Now', 'value 1']);
  expect(report.unread).toMatchObject({ 'Patient.telecom[…]': {}, 'Patient.address[…]': {} });
});
