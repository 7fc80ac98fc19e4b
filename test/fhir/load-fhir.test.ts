import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { everything, fhirPlace, linesOf, resources } from './support.js';

describe('loading FHIR R4', () => {
  it('makes a valid statement of one resource of each type', async () => {
    const { load, statements } = await fhirPlace();
    const { report, problems } = await load(everything);
    expect(problems).toEqual([]);
    expect(report.invalid).toEqual({});
    expect(report.unresolved).toEqual({});
    expect(Object.entries(report.resources).filter(([, { resources: all, mapped }]) => mapped < all)).toEqual(
      [],
    );
    expect(Object.keys(statements('p1')).sort()).toEqual([
      'allergies/a1',
      'allergies/a2',
      'clinical_notes/n1',
      'demographics',
      'documents/n2',
      'encounters/e1',
      'family_history/f1',
      'fulfillments/d1',
      'imaging_studies/x1',
      'immunizations/i1',
      'lab_panels/r1',
      'lab_results/l1',
      'lab_results/l2',
      'medications/MedicationStatement_m2',
      'medications/m1',
      'problems/c1',
      'procedures/o1',
      'social_history',
      'vital_sign_sets/v1',
      'vital_sign_sets/v2',
    ]);
  });

  it('keeps what the resources say', async () => {
    const { load, statements } = await fhirPlace();
    await load(everything);
    expect(statements('p1')).toMatchSnapshot();
  });

  it('changes nothing the second time', async () => {
    const { load, primary } = await fhirPlace();
    expect(await load(everything)).toMatchObject({ changed: true });
    const before = primary.revision('');
    expect(await load(everything)).toMatchObject({ changed: false, statements: 20 });
    expect(primary.revision('')).toBe(before);
  });

  it('says of a medication that was stopped, completed or is on hold that it was', async () => {
    const { load, statements } = await fhirPlace();
    const { request } = resources;
    const given = ['active', 'stopped', 'completed', 'on-hold', 'unknown', 'cancelled'];
    const { problems } = await load([
      resources.patient,
      ...given.map((status) => ({ ...request, id: status, status })),
      {
        ...request,
        resourceType: 'MedicationStatement',
        id: 'told',
        status: 'stopped',
        effectiveDateTime: '2015',
      },
    ]);
    expect(problems).toEqual([]);
    const said = Object.entries(statements('p1'))
      .filter(([path]) => path.startsWith('medications/'))
      .map(([path, text]) => [
        path.slice('medications/'.length),
        /"identifier (completed|stopped|onHold)"/u.exec(JSON.stringify(text))?.[1] ?? '',
      ]);
    expect(Object.fromEntries(said)).toEqual({
      active: '',
      stopped: 'stopped',
      completed: 'completed',
      'on-hold': 'onHold',
      unknown: '',
      MedicationStatement_told: 'stopped',
    });
  });

  it('ends when the store cannot be written, and goes on after a file that cannot be read', async () => {
    const { load, primary } = await fhirPlace();
    const failing = (syscall: string) => Object.assign(new Error(`EIO: i/o error, ${syscall}`), { syscall });
    const write = () => Promise.reject(failing('write'));
    const endpoint = {
      resourceType: 'Endpoint',
      id: 'e',
      status: 'active',
      connectionType: {
        system: 'http://terminology.hl7.org/CodeSystem/endpoint-connection-type',
        code: 'hl7-fhir-rest',
      },
      payloadType: [{ text: 'any' }],
      address: 'https://fhir.example.org/r4',
    };
    await expect(load([endpoint], { primary: { ...primary, write } })).rejects.toThrow(
      'EIO: i/o error, write',
    );
    const broken = () =>
      new Readable({
        read: function () {
          this.destroy(failing('read'));
        },
      });
    const report = await load([], { files: [{ name: 'broken.json', open: broken }] });
    expect(report.problems).toEqual([
      { line: null, reason: 'The file cannot be read: EIO: i/o error, read' },
    ]);
  });

  it('puts a later version in the place of an earlier one, and takes out what was entered in error', async () => {
    const { load, statements } = await fhirPlace();
    const { patient, condition } = resources;
    await load([patient, condition]);
    await load([{ ...condition, onsetDateTime: '2013' }]);
    expect(statements('p1')['problems/c1']).toContain('startDate 2013');
    await load([{ ...condition, verificationStatus: { coding: [{ code: 'entered-in-error' }] } }]);
    expect(statements('p1')).not.toHaveProperty('problems/c1');
  });

  it('counts what is taken out as a change of its record', async () => {
    const { load } = await fhirPlace();
    const { patient, condition } = resources;
    const error = { ...condition, verificationStatus: { coding: [{ code: 'entered-in-error' }] } };
    const taken = { records: ['p1'], statements: 0, changed: true };
    await load([patient, condition]);
    expect(await load([error])).toMatchObject({ ...taken, removed: 1 });
    expect(await load([error])).toMatchObject({ records: [], removed: 0, changed: false });
    await load([condition], { keepSource: true });
    // The resource that was kept of it goes, too.
    expect(await load([error])).toMatchObject({ ...taken, removed: 2 });
  });

  it.each([
    ['which a history begins with', 'history', [{ onsetDateTime: '2013' }, { onsetDateTime: '2012' }]],
    ['which other Bundles end with', 'collection', [{ onsetDateTime: '2012' }, { onsetDateTime: '2013' }]],
    [
      'which was updated last, where all say so',
      'collection',
      [
        { onsetDateTime: '2013', meta: { lastUpdated: '2024-01-02T00:00:00+01:00' } },
        { onsetDateTime: '2012', meta: { lastUpdated: '2024-01-01T22:59:59.999Z' } },
        { onsetDateTime: '2011', meta: { lastUpdated: '2023-05-01T00:00:00Z' } },
      ],
    ],
  ])('takes of several versions in one document the one %s', async (_, type, versions) => {
    const { load, statements, primary } = await fhirPlace();
    const { patient, condition } = resources;
    const entry = [patient, patient, ...versions.map((version) => ({ ...condition, ...version }))];
    const bundle = { resourceType: 'Bundle', type, entry: entry.map((resource) => ({ resource })) };
    const { report } = await load(JSON.stringify(bundle));
    expect(statements('p1')['problems/c1']).toContain('startDate 2013');
    const first = `Condition at line 1, entry ${type === 'collection' && versions.length === 2 ? 2 : 3}`;
    const omitted = {
      'another version of it counts': { count: versions.length - 1, example: first },
    };
    expect(report.resources).toEqual({
      Condition: { resources: versions.length, mapped: 1, example: first, omitted },
      Patient: { resources: 1, mapped: 1 },
    });
    const before = primary.revision('');
    expect(await load(JSON.stringify(bundle))).toMatchObject({ changed: false });
    expect(primary.revision('')).toBe(before);
  });

  it.each([
    [{ deceasedBoolean: true }, ['deceased true']],
    [{ deceasedBoolean: false }, []],
    [{ deceasedDateTime: '2020' }, ['deathdate 2020']],
  ])('knows that a patient has died, with the day or without: %o', async (deceased, expected) => {
    const { load, statements } = await fhirPlace();
    const { deceasedDateTime, ...patient } = resources.patient;
    const { report } = await load([{ ...patient, ...deceased }]);
    expect(statements('p1').demographics?.filter((line) => /^de(ceased|athdate)/.test(line))).toEqual(
      expected,
    );
    expect(Object.keys(report.unread).filter((path) => path.includes('deceased'))).toEqual([]);
  });

  it('takes the record id from the identifier system that is named', async () => {
    const { load, statements } = await fhirPlace();
    await load([resources.patient, resources.condition], { system: 'urn:oid:1.2.36.146.595.217.0.1' });
    expect(Object.keys(statements('4711'))).toEqual(['demographics', 'problems/c1']);
  });

  it('gives the record that is named to one patient alone', async () => {
    const { load, statements, primary } = await fhirPlace();
    const other = { ...resources.patient, id: 'p2', birthDate: '1999-09-09' };
    const { report } = await load([resources.patient, other], { recordId: '5' });
    expect(statements('5').demographics).toContain('bday 1950-02-03');
    expect(report.resources.Patient).toEqual({
      resources: 2,
      mapped: 1,
      example: 'Patient at line 1, entry 1',
      reasons: {
        'no record is known for its patient': { count: 1, example: 'Patient at line 1, entry 1' },
      },
    });
    expect(primary.names().filter((name) => name.includes('/records/p2'))).toEqual([]);
  });

  it('shows the latest smoking status, whatever the order and the file', async () => {
    const { load, statements } = await fhirPlace();
    const later = {
      ...resources.smoking,
      id: 's2',
      effectiveDateTime: '2020-01-01',
      valueCodeableConcept: { coding: [{ system: 'http://snomed.info/sct', code: '266919005' }] },
    };
    await load([resources.patient]);
    await load([later, resources.smoking].map((one) => JSON.stringify(one)).join('\n'));
    expect(statements('p1').social_history).toContain('code 266919005');
  });

  it('takes the smoking status out when its resource was entered in error, and no other', async () => {
    const { load, primary, statements } = await fhirPlace();
    const { patient, smoking } = resources;
    const later = { ...smoking, id: 's2', effectiveDateTime: '2020-01-01' };
    const wrong = { status: 'entered-in-error' };
    await load([patient, smoking]);
    // It says the same, and is another resource.
    await load([later]);
    expect(await load([{ ...smoking, ...wrong }])).toMatchObject({ removed: 0, changed: false });
    expect(await load([{ ...later, ...wrong }], { dry: true })).toMatchObject({ removed: 0 });
    expect(statements('p1')).toHaveProperty('social_history');
    expect(await load([{ ...later, ...wrong }])).toMatchObject({
      records: ['p1'],
      removed: 1,
      changed: true,
    });
    expect(statements('p1')).not.toHaveProperty('social_history');

    // What another resource says takes its place.
    await load([later]);
    const { removed } = await load([{ ...later, ...wrong }, smoking]);
    expect([removed, Object.keys(statements('p1'))]).toEqual([0, expect.arrayContaining(['social_history'])]);
    await load([{ ...later, ...wrong }]);
    expect(statements('p1')).toHaveProperty('social_history');

    // What something else has written is of no resource.
    const name = primary.names().find((each) => each.endsWith('/social_history')) ?? '';
    const quads = primary.graph(name) ?? [];
    await primary.write({ remove: [name] });
    await primary.write({ replace: [{ name, quads }] });
    expect(await load([{ ...smoking, ...wrong }])).toMatchObject({ removed: 0, changed: false });
  });

  it('shows no smoking status that a later file of the same load takes back', async () => {
    const { load, statements } = await fhirPlace();
    const { patient, smoking } = resources;
    await load([patient]);
    const wrong = { ...smoking, status: 'entered-in-error' };
    await load([smoking, wrong].map((one) => JSON.stringify(one)).join('\n'));
    expect(Object.keys(statements('p1'))).toEqual(['demographics']);
  });

  it('leaves out what the ontology does not allow, and says so without the values', async () => {
    const { load, statements } = await fhirPlace();
    const { report } = await load([{ ...resources.condition, onsetDateTime: 'last summer' }], {
      recordId: 'p1',
    });
    expect(Object.keys(statements('p1'))).toEqual(['unmapped/problems/c1']);
    expect(linesOf(report).join(' ')).toMatch(/Content was lost: +1 Problem: .*startDate/u);
    expect(linesOf(report).join(' ')).not.toContain('summer');
  });

  it('makes no record where all its statements are left out, and changes none that is there', async () => {
    const { load, primary } = await fhirPlace();
    const wrong = [{ ...resources.family, relationship: { text: 'mother' } }];
    const none = { records: [], statements: 0, changed: false };
    expect(await load(wrong, { recordId: 'p1' })).toMatchObject(none);
    expect(primary.names()).toEqual([]);
    await load([resources.patient]);
    const before = primary.revision('');
    expect(await load(wrong, { recordId: 'p1' })).toMatchObject(none);
    expect(primary.revision('')).toBe(before);
  });

  it('names the resource of which an older version still stands, since the newer one was left out', async () => {
    const { load, statements } = await fhirPlace();
    const { condition } = resources;
    await load([resources.patient]);
    const refused = { ...condition, onsetDateTime: '2005-06-14T25:00' };
    expect((await load([refused])).report.outdated).toEqual({});
    await load([condition]);
    const { report } = await load([{ ...condition, id: 'c2' }, refused]);
    expect(statements('p1')['problems/c1']).toContain('startDate 2014-02-10');
    expect(report.outdated).toEqual({
      'Condition/c1': { count: 1, example: 'Condition at line 1, entry 1' },
    });
    expect(linesOf(report)).toContain(
      '  1 Condition: an older version still stands, since the newer one was left out (first: test.json: Condition at line 1, entry 1, Condition/c1)',
    );
  });

  it('counts the elements that no query reads, the resources without a statement and the references to nothing', async () => {
    const { load } = await fhirPlace();
    await load([resources.patient]);
    const { report } = await load([
      { ...resources.condition, recorder: { display: 'A' }, encounter: { reference: 'Encounter/none' } },
      { resourceType: 'Claim', id: 'x' },
    ]);
    expect(report.unread).toEqual({
      'Condition.recorder': { count: 1, example: 'Condition at line 1, entry 0' },
    });
    const example = 'Claim at line 1, entry 1';
    const reasons = { 'no query takes resources of this type': { count: 1, example } };
    expect(report.resources.Claim).toEqual({ resources: 1, mapped: 0, example, reasons });
    expect(report.unresolved).toEqual({ Problem: { count: 1, example: 'line 1, entry 0' } });
  });

  it('keeps the digits of a quantity', async () => {
    const { load, statements } = await fhirPlace();
    await load([resources.patient]);
    await load(JSON.stringify(resources.laboratory).replace('"value":140,', '"value":140.00,'));
    expect(statements('p1')['lab_results/l1']).toContain('value 140.00');
  });

  it('stores nothing in a dry run', async () => {
    const { load, primary } = await fhirPlace();
    await load(everything, { dry: true });
    expect(primary.names()).toEqual([]);
  });
});
