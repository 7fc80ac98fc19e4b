import { describe, expect, it } from 'vitest';
import { fhirPlace, linesOf, resources, rxnorm, snomed, type Resource } from './support.js';

const { patient, condition, request, taken, allergy, laboratory, weight, procedure, immunization, imaging } =
  resources;
const icd10 = (code: string, display: string) => ({
  coding: [{ system: 'http://hl7.org/fhir/sid/icd-10', code, display }],
});
const atc = (code: string) => ({ coding: [{ system: 'http://www.whocc.no/atc', code }], text: 'Aspirin' });
const diabetes = { ...condition, code: icd10('E11.9', 'Type 2 diabetes') };

const ucum = (value: number, code: string) => ({
  value,
  unit: code,
  code,
  system: 'http://unitsofmeasure.org',
});

/** What one load stores of some resources of the patient, without the demographics, and what it says. */
async function loaded(...all: readonly Resource[]) {
  const { load, statements } = await fhirPlace();
  const { report } = await load([patient, ...all]);
  return {
    kept: Object.fromEntries(Object.entries(statements('p1')).filter(([path]) => path !== 'demographics')),
    report,
  };
}
/** The lines of one property. */
const of = (lines: readonly string[] = [], property: string): string[] =>
  lines.filter((line) => line.startsWith(`${property} `)).map((line) => line.slice(property.length + 1));

describe('a resource that cannot become a statement of its class', () => {
  it('is kept in its words, with its codes as texts, its status, its date and the reason', async () => {
    const { kept, report } = await loaded({
      ...diabetes,
      code: { ...diabetes.code, text: 'Diabetes, since my <b>“youth”</b>' },
      verificationStatus: { coding: [{ code: 'X1' }, { code: 'provisional' }] },
      severity: { text: 'mild' },
    });
    expect(kept).toEqual({
      'unmapped/problems/c1': [
        'belongsTo p1',
        'date 2014-02-10',
        'notes Severity: mild; Found by chance.',
        'recordedCode icd-10|E11.9 (Type 2 diabetes)',
        'recordedStatus active, X1, provisional',
        'title Diabetes, since my <b>“youth”</b>',
        'type UnmappedProblem',
        'whyUnmapped none of their codes is SNOMED CT, and others such as ICD-10 have no place',
      ],
    });
    expect(report.statements).toEqual({ Demographics: 1, UnmappedProblem: 1 });
    expect(linesOf(report).slice(0, 3)).toEqual([
      'Content was lost:',
      '  1 of 1 Condition: none of their codes is SNOMED CT, and others such as ICD-10 have no place (first: test.json: Condition at line 1, entry 1)',
      'Kept in words, as unmapped: 1 Condition.',
    ]);
  });

  it.each<[string, Resource, string, string[]]>([
    [
      'an order of a drug with a code of ATC alone',
      { ...request, medicationCodeableConcept: atc('B01AC06') },
      'unmapped/medications/m1',
      ['Aspirin', 'One every morning.'],
    ],
    [
      'a drug that a contained resource names',
      { ...taken, contained: [{ resourceType: 'Medication', id: 'drug', code: atc('B01AC06') }] },
      'unmapped/medications/MedicationStatement_m2',
      ['Aspirin', 'As needed.'],
    ],
    [
      'an allergy in words',
      { ...allergy, code: { text: 'bee stings' } },
      'unmapped/allergies/a1',
      ['bee stings', 'Reaction: Anaphylaxis; Severity: severe; Criticality: high'],
    ],
    [
      'an allergy of which nothing says how severe it is',
      { ...allergy, criticality: undefined, reaction: undefined },
      'unmapped/allergies/a1',
      ['Peanut'],
    ],
    [
      'a result without a LOINC code',
      { ...laboratory, code: { text: 'Salt' } },
      'unmapped/lab_results/l1',
      ['Salt', '140 mmol/L; Interpretation: N; Reference range 135-145 mmol/L'],
    ],
    [
      'a vital sign that is less than a number',
      { ...weight, valueQuantity: { value: 5, comparator: '<', unit: 'lb' } },
      'unmapped/vital_sign_sets/v1',
      ['Body weight', '<5 lb'],
    ],
    [
      'a score, whose unit says nothing',
      { ...weight, code: { text: 'Pain' }, valueQuantity: ucum(3, '{score}') },
      'unmapped/vital_sign_sets/v1',
      ['Pain', '3'],
    ],
    [
      'a result in a unit that is written as a code',
      {
        ...laboratory,
        code: { text: 'Cells' },
        valueQuantity: ucum(7.4, '10*3/uL'),
        referenceRange: undefined,
      },
      'unmapped/lab_results/l1',
      ['Cells', '7.4 10³/µL; Interpretation: N'],
    ],
    [
      'a procedure without a SNOMED CT code',
      { ...procedure, code: { text: 'Stitches' } },
      'unmapped/procedures/o1',
      ['Stitches'],
    ],
    [
      'an X-ray',
      { ...imaging, series: [{ modality: { code: 'DX' } }], modality: [{ code: 'DX' }] },
      'unmapped/imaging_studies/x1',
      ['CT of the head', 'Modality: DX'],
    ],
  ])('is kept: %s', async (_, resource, path, words) => {
    const { kept, report } = await loaded(resource);
    expect(Object.keys(kept)).toEqual([path]);
    expect([...of(kept[path], 'title'), ...of(kept[path], 'notes')]).toEqual(words);
    expect(report.kept).toEqual({ [resource.resourceType]: expect.objectContaining({ count: 1 }) });
    expect(report.meaning).toEqual({});
  });

  it.each<[string, Resource, string]>([
    [
      'a procedure that was not done',
      { ...procedure, status: 'not-done', code: { text: 'Stitches' } },
      'Not done: Stitches',
    ],
    [
      'a vaccine that was not given',
      { ...immunization, vaccineCode: { text: 'Flu shot' } },
      'Not given: Flu shot',
    ],
    ['no known allergy', { ...allergy, code: { text: 'NKDA (latex)' } }, 'No allergy known: NKDA (latex)'],
    [
      'no known allergy in words',
      { ...allergy, code: { text: 'No known latex allergy' } },
      'No known latex allergy',
    ],
  ])('says first that it is negated: %s', async (_, resource, title) => {
    const { kept } = await loaded(resource);
    expect(Object.values(kept).flatMap((lines) => of(lines, 'title'))).toEqual([title]);
  });

  const verified = (code: string) => ({ verificationStatus: { coding: [{ code }] } });
  it.each<[string, Resource]>([
    ['entered in error', { ...diabetes, ...verified('entered-in-error') }],
    ['entered in error, in words', { ...diabetes, verificationStatus: { text: 'Entered in error' } }],
    ['refuted', { ...diabetes, ...verified('refuted') }],
    ['ruled out by its category', { ...diabetes, category: [{ text: 'ruled out' }] }],
    [
      'an order entered in error',
      { ...request, status: 'entered-in-error', medicationCodeableConcept: atc('A') },
    ],
    [
      'an order with a status that there is not',
      { ...request, status: 'Error', medicationCodeableConcept: atc('A') },
    ],
    ['what is not to be given', { ...request, doNotPerform: true, medicationCodeableConcept: atc('A') }],
    ['a proposal', { ...request, intent: 'proposal', medicationCodeableConcept: atc('A') }],
    [
      'a drug that was entered in error',
      {
        ...taken,
        contained: [
          {
            resourceType: 'Medication',
            id: 'drug',
            status: 'entered-in-error',
            code: rxnorm('1', 'Aspirin'),
          },
        ],
      },
    ],
    ['an allergy that is over', { ...allergy, clinicalStatus: { text: 'Resolved' }, code: { text: 'bees' } }],
    ['a result about somebody else', { ...laboratory, focus: [{ reference: 'Patient/p2' }] }],
    ['a result entered in error', { ...laboratory, status: 'entered-in-error', code: { text: 'Salt' } }],
    [
      'something that can say the opposite',
      { ...diabetes, modifierExtension: [{ url: 'urn:x', valueBoolean: true }] },
    ],
    [
      'a code that can say the opposite',
      { ...diabetes, code: { ...diabetes.code, modifierExtension: [{ url: 'urn:x' }] } },
    ],
  ])('is not kept where it is %s', async (_, resource) => {
    expect((await loaded(resource)).kept).toEqual({});
  });
});

describe('over time, an unmapped statement', () => {
  const updated = (resource: Resource, day: number): Resource => ({
    ...resource,
    meta: { lastUpdated: `2024-01-0${day}T00:00:00Z` },
  });

  it('gives way to a version that maps, comes back, and goes with a deletion', async () => {
    const { load, statements } = await fhirPlace();
    const paths = () => Object.keys(statements('p1')).filter((path) => path !== 'demographics');
    await load([patient, updated(diabetes, 1)]);
    expect(paths()).toEqual(['unmapped/problems/c1']);
    const { removed } = await load([patient, updated(condition, 2)]);
    expect([removed, paths()]).toEqual([1, ['problems/c1']]);
    await load([patient, updated(diabetes, 3)]);
    expect(paths()).toEqual(['unmapped/problems/c1']);
    await load([
      patient,
      updated({ ...diabetes, ...{ verificationStatus: snomed('723510000', 'Error') } }, 4),
    ]);
    expect(paths()).toEqual([]);
    await load([patient, updated(diabetes, 5)]);
    await load(
      JSON.stringify({
        resourceType: 'Bundle',
        type: 'history',
        entry: [{ request: { method: 'DELETE', url: 'Condition/c1' } }],
      }),
    );
    expect(paths()).toEqual([]);
  });

  it('is one after loading again, which changes nothing and reports the same', async () => {
    const { load, statements } = await fhirPlace();
    const all = [patient, diabetes, { ...request, medicationCodeableConcept: atc('A') }];
    const { report } = await load(all);
    const before = statements('p1');
    const again = await load(all);
    expect([again.changed, again.report, statements('p1')]).toEqual([false, report, before]);
  });

  it('has its source where sources are kept, and loses it with the statement', async () => {
    const { load, statements } = await fhirPlace();
    await load([patient, diabetes], { keepSource: true });
    const sources = () => of(statements('p1')['unmapped/problems/c1'], 'wasDerivedFrom');
    expect(sources()).toEqual([expect.stringMatching(/^fhir-/u)]);
    await load([patient, { ...diabetes, verificationStatus: { text: 'void' } }], { keepSource: true });
    expect(Object.keys(statements('p1')).filter((path) => path.startsWith('documents/'))).toHaveLength(1);
  });

  it('is not put in the place of an older version that stands, as before', async () => {
    const { load, statements } = await fhirPlace();
    await load([patient, condition]);
    const { report } = await load([patient, { ...condition, onsetDateTime: undefined }]);
    expect(Object.keys(report.outdated)).toEqual(['Condition/c1']);
    expect(Object.keys(statements('p1'))).toEqual(['demographics', 'problems/c1']);
  });
});
