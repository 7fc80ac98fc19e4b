import { describe, expect, it } from 'vitest';
import { idOfPath, pathOfId } from '../../../src/fhir/out/export-names.js';
import { place } from '../../records/support.js';
import { everything, fhirPlace, resources, type Resource } from '../support.js';
import { differences, exported, resourcesOf, sentAndLoaded } from './support.js';

const {
  patient,
  condition,
  allergy,
  procedure,
  immunization,
  laboratory,
  panel,
  narrative,
  encounter,
  request,
} = resources;

const icd10 = {
  coding: [{ system: 'http://hl7.org/fhir/sid/icd-10', code: 'E11.9', display: 'Diabetes (type 2)' }],
};

/** What goes out of a record that has some resources of the patient, after them. */
async function sent(...all: readonly Resource[]) {
  const { load, primary, statements } = await fhirPlace();
  await load([patient, ...all]);
  return { out: await exported(primary, 'p1'), statements: statements('p1') };
}

describe('what came in as FHIR', () => {
  it('keeps texts with separators of lines and paragraphs', async () => {
    const text = 'No chest pain .\u2028Not allergic .\u2029$& again';
    const { out } = await sent({ ...condition, note: [{ text }] });
    const [found] = out.filter(({ resourceType }) => resourceType === 'Condition');
    expect(found?.['note']).toEqual([{ text }]);
  });

  it('goes out, and gives the same statements when it comes in again', async () => {
    const { out, statements } = await sent(...everything);
    const again = await sentAndLoaded(out, 'p1');
    // What no query exports; and the prescriber of a dispensing.
    expect(differences(statements, again.statements)).toEqual({
      'family_history/f1': ['- all'],
      'fulfillments/d1': [
        '- family-name House',
        '- given-name Greg',
        '- honorific-prefix Dr.',
        '- npiNumber 99',
        '- type Name',
        '- type Provider',
      ],
      'imaging_studies/x1': ['- all'],
    });
    expect(again.report.meaning).toEqual({});
  });

  it('goes out with its type and id, codes, status and dates', async () => {
    const { out } = await sent(...everything);
    const named = new Set(out.map(({ resourceType, id }) => `${String(resourceType)}/${String(id)}`));
    const whole = everything.map(({ resourceType, id }) => `${resourceType}/${id}`);
    // Practitioners and organizations go out within what names them; a Binary belongs to its document, under its name.
    expect(whole.filter((each) => !named.has(each))).toEqual([
      'Practitioner/doc',
      'Organization/org',
      'FamilyMemberHistory/f1',
      'Binary/b1',
      'ImagingStudy/x1',
    ]);
    const { clinicalStatus, onsetDateTime, encounter: met } = condition;
    const sentCondition = out.find(({ id }) => id === 'c1');
    expect(sentCondition).toMatchObject({
      clinicalStatus,
      onsetDateTime,
      encounter: met,
      code: condition.code,
    });
    expect(sentCondition).not.toHaveProperty('verificationStatus');
    const attachment = { contentType: 'application/pdf', url: 'Binary/p1..documents..n2.23binary', size: 5 };
    expect(out.find(({ id }) => id === 'n2')).toMatchObject({ content: [{ attachment }] });
    expect(out.find(({ id }) => id === 'p1..documents..n2.23binary')).toEqual({
      resourceType: 'Binary',
      id: 'p1..documents..n2.23binary',
      contentType: 'application/pdf',
      securityContext: { reference: 'Patient/p1', type: 'Patient' },
      data: resources.binary.data,
    });
  });

  it('goes out with the status that it had, where the record model has a nearest one or none', async () => {
    const { weight, smoking, dispense } = resources;
    const all: Resource[] = [
      { ...encounter, status: 'in-progress' },
      { ...laboratory, status: 'amended' },
      { ...narrative, status: 'registered' },
      { ...panel, status: 'corrected' },
      { ...panel, id: 'r2', status: 'partial' },
      { ...weight, status: 'amended' },
      { ...smoking, status: 'corrected' },
      { ...procedure, status: 'on-hold' },
      request,
      { ...dispense, status: 'in-progress' },
    ];
    const { out } = await sent(...all);
    const statuses = (of: readonly Resource[]) =>
      Object.fromEntries(of.map(({ resourceType, id, status }) => [`${resourceType}/${String(id)}`, status]));
    expect(statuses(out as Resource[])).toMatchObject(statuses(all));
    // The name of a report says it no longer.
    expect(out.find(({ id }) => id === 'r2')?.['code']).toEqual(panel.code);
  });

  it('says doubt, an effect that is less, and a risk as codes', async () => {
    const status = (code: string) => ({ coding: [{ code }] });
    const rash = { coding: [{ system: 'http://snomed.info/sct', code: '271807003', display: 'Rash' }] };
    const { out } = await sent(
      { ...condition, verificationStatus: status('differential') },
      {
        ...allergy,
        verificationStatus: status('unconfirmed'),
        clinicalStatus: status('active'),
        reaction: undefined,
      },
      { ...allergy, id: 'a3', criticality: 'high', reaction: [{ manifestation: [rash], severity: 'mild' }] },
      { ...immunization, status: 'completed', isSubpotent: true },
      { ...resources.taken, status: 'stopped', effectivePeriod: { start: '2010-01-01' } },
      { ...condition, id: 'c9', code: icd10, clinicalStatus: status('resolved'), note: undefined },
    );
    const named = (id: string) => out.find((each) => each.id === id);
    expect(named('c1')).toMatchObject({
      verificationStatus: { coding: [{ code: 'differential' }] },
      code: condition.code,
    });
    expect(named('a1')).toMatchObject({
      verificationStatus: { coding: [{ code: 'unconfirmed' }] },
      criticality: 'high',
    });
    expect(named('a1')).not.toHaveProperty('reaction');
    // A risk is not how severe the reaction was.
    expect(named('a3')).toMatchObject({ criticality: 'high', reaction: [{ manifestation: [rash] }] });
    expect(JSON.stringify(named('a3'))).not.toMatch(/severe/iu);
    expect(named('i1')).toMatchObject({ isSubpotent: true, vaccineCode: immunization.vaccineCode });
    // Not a period that goes on.
    expect(named('m2')).toMatchObject({ status: 'stopped', effectiveDateTime: '2010-01-01' });
    expect(named('c9')).toMatchObject({ clinicalStatus: { coding: [{ code: 'resolved' }] } });
    expect(named('c9')).not.toHaveProperty('note');
  });

  const unclear: [string, Resource[]][] = [
    ['doubt', [encounter, { ...condition, verificationStatus: { coding: [{ code: 'provisional' }] } }]],
    [
      'a clinical status that is not known',
      [
        encounter,
        { ...condition, clinicalStatus: { text: 'odd' } },
        { ...allergy, clinicalStatus: { text: 'odd' } },
      ],
    ],
    [
      'a day of the record',
      [
        encounter,
        { ...condition, onsetDateTime: undefined, recordedDate: '2014-01-01' },
        {
          ...immunization,
          occurrenceDateTime: undefined,
          occurrenceString: 'as a child',
          recorded: '2014-01-01',
        },
      ],
    ],
    ['a negation', [{ ...procedure, status: 'not-done' }, immunization]],
    [
      'a status that is not known',
      [
        encounter,
        narrative,
        { ...encounter, id: 'e2', status: 'unknown' },
        laboratory,
        { ...laboratory, status: 'unknown' },
        { ...panel, status: 'unknown' },
      ],
    ],
  ];
  it.each(unclear)('says %s as it did, and no more', async (_, all) => {
    const { out, statements } = await sent(...all);
    expect(differences(statements, (await sentAndLoaded(out, 'p1')).statements)).toEqual({});
  });
});

describe('what is kept in words', () => {
  it('goes out with its codes and text, and is kept in the same words again', async () => {
    const { out, statements } = await sent(
      { ...condition, code: { ...icd10, text: 'Sugar' }, clinicalStatus: undefined },
      { ...allergy, code: { text: 'bee stings' } },
      { ...procedure, status: 'not-done', code: { text: 'Bypass' } },
      { ...immunization, vaccineCode: { text: 'Flu' } },
      { ...request, medicationCodeableConcept: { text: 'Some drug' } },
      { ...laboratory, code: { text: 'Salt' } },
    );
    const again = differences(statements, (await sentAndLoaded(out, 'p1')).statements);
    // R4 asks for a status of each allergy; what a result was is a note.
    expect(again).toEqual({
      'unmapped/allergies/a1': ['+ recordedStatus active'],
      'unmapped/lab_results/l1': [
        '- whyUnmapped their codes are not LOINC',
        '+ whyUnmapped it has no result; their codes are not LOINC',
      ],
    });
    expect(out.find(({ id }) => id === 'c1')).toMatchObject({ code: { ...icd10, text: 'Sugar' } });
    const absent = { coding: [{ code: 'unknown' }], text: 'bee stings' };
    expect(out.find(({ id }) => id === 'a1')).toMatchObject({ code: absent });
  });
});

describe('a statement that did not come in as FHIR', () => {
  it('goes out without a guess: what R4 requires is unknown, and a negation is one only where a code says so', async () => {
    const { load, primary } = await place();
    await load(
      'a.ttl',
      `_:r a sp:MedicalRecord .
       _:d a sp:Demographics ; sp:belongsTo _:r ; foaf:gender "female" ; v:n [ a v:Name ; v:given-name "A" ; v:family-name "B" ] ;
         sp:medicalRecordNumber [ a sp:Code ; dcterms:title "T" ; sp:system "Here" ; dcterms:identifier "7" ] .
       _:p a sp:Procedure ; sp:belongsTo _:r ; dcterms:date "1990" ;
         sp:procedureName [ a sp:CodedValue ; dcterms:title "Not done: Appendectomy" ; sp:code <http://purl.bioontology.org/ontology/SNOMEDCT/80146002> ] .
       <http://purl.bioontology.org/ontology/SNOMEDCT/80146002> a sp:Code, spcode:SNOMED, spcode:Procedure ; dcterms:title "Appendectomy" ; sp:system "http://purl.bioontology.org/ontology/SNOMEDCT/" ; dcterms:identifier "80146002" .`,
      { recordId: '7' } as never,
    );
    const [procedureOut] = resourcesOf(primary, '7').filter(
      ({ resourceType }) => resourceType === 'Procedure',
    );
    expect(procedureOut).toMatchObject({
      status: 'unknown',
      code: {
        text: 'Not done: Appendectomy',
        coding: [{ system: 'http://snomed.info/sct', code: '80146002' }],
      },
    });
  });

  it.each(['1000001/problems/hypertension', 'a_b~c/unmapped/lab_results/x.y#weight', `1/${'x'.repeat(80)}`])(
    'has an id in the alphabet of FHIR, which leads back where it is short: %s',
    (path) => {
      const id = idOfPath(path);
      expect(id).toMatch(/^[A-Za-z0-9.-]{1,64}$/u);
      expect(pathOfId(id)).toBe(path.length < 64 ? path : undefined);
    },
  );
});
