import { describe, expect, it } from 'vitest';
import { fhirPlace, resources, snomed, type Resource } from './support.js';

const { patient, practitioner, condition, allergy, noAllergy, request, taken, encounter, smoking, note } =
  resources;

/** What some resources of the patient become, by path, and what is told of those of a type that become nothing. */
async function read(...content: readonly Resource[]): Promise<{
  made: Record<string, string[]>;
  demographics: string[] | undefined;
  told: (type: string) => string;
}> {
  const { load, statements } = await fhirPlace();
  const hasPatient = content.some(({ resourceType }) => resourceType === 'Patient');
  const { report } = await load(hasPatient ? content : [patient, ...content]);
  const { demographics, ...made } = statements('p1');
  return {
    made,
    demographics,
    told: (type) => {
      const { reasons = {}, omitted = {} } = report.resources[type] ?? {};
      return [...Object.keys(reasons), ...Object.keys(omitted)].join('; ');
    },
  };
}

/** No statement is made of a resource, and the report says why. */
async function expectLeftOut(resource: Resource, reason: string): Promise<void> {
  const { made, told } = await read(resource);
  expect(made).toEqual({});
  expect(told(resource.resourceType)).toContain(reason);
}

const coded = (...codes: readonly (readonly [system: string, code: string])[]) => ({
  coding: codes.map(([system, code]) => ({ system, code })),
});
const LOCAL = ['urn:local', 'X1'] as const;
const VERIFICATION = 'http://terminology.hl7.org/CodeSystem/condition-ver-status';
const CLINICAL = 'http://terminology.hl7.org/CodeSystem/condition-clinical';
const voids: [string, unknown, string][] = [
  ['in one coding', coded([VERIFICATION, 'entered-in-error']), 'entered in error'],
  ['in the second coding', coded(LOCAL, [VERIFICATION, 'entered-in-error']), 'entered in error'],
  ['as the text of STU3', 'entered-in-error', 'entered in error'],
  ['in words alone', { text: 'Entered in Error' }, 'entered in error'],
  ['as refuted in the second coding', coded(LOCAL, [VERIFICATION, 'refuted']), 'refuted'],
  ['as refuted in words', { text: 'Refuted' }, 'refuted'],
];

describe('what was entered in error or refuted', () => {
  it.each(voids)('is no problem, where it is said %s', async (_, verificationStatus, reason) => {
    await expectLeftOut({ ...condition, verificationStatus }, reason);
  });

  it.each(voids)('is no allergy, where it is said %s', async (_, verificationStatus, reason) => {
    await expectLeftOut({ ...allergy, verificationStatus }, reason);
    await expectLeftOut({ ...noAllergy, verificationStatus }, reason);
  });

  it.each<[string, object, string]>([
    ['was superseded', { status: 'superseded' }, 'superseded'],
    ['was entered in error', { status: 'entered-in-error' }, 'entered in error'],
    ['leads to what was entered in error', { docStatus: 'entered-in-error' }, 'entered in error'],
  ])('is no document, where it %s', async (_, change, reason) => {
    await expectLeftOut({ ...note, ...change }, reason);
    await expectLeftOut({ ...resources.scan, ...change }, reason);
  });
});

describe('a problem', () => {
  it.each<[string, object, string]>([
    ['unconfirmed', { coding: [{ system: VERIFICATION, code: 'unconfirmed' }] }, ' (unconfirmed)'],
    ['provisional', { coding: [{ system: VERIFICATION, code: 'provisional' }] }, ' (provisional)'],
    [
      'one of a differential diagnosis',
      { coding: [{ system: VERIFICATION, code: 'differential' }] },
      ' (differential diagnosis)',
    ],
    ['of a status that nobody knows', coded(LOCAL), ' (unconfirmed)'],
    ['confirmed', coded(LOCAL, [VERIFICATION, 'confirmed']), ''],
  ])('says in its name that it is %s', async (_, verificationStatus, doubt) => {
    const { made } = await read({ ...condition, verificationStatus });
    expect(made['problems/c1']).toContain(`title Type 2 diabetes mellitus${doubt}`);
  });

  it.each<[string, object, string]>([
    ['resolved', { clinicalStatus: coded([CLINICAL, 'resolved']) }, 'Resolved'],
    ['resolved without a system', { clinicalStatus: { coding: [{ code: 'resolved' }] } }, 'Resolved'],
    ['resolved in STU3', { clinicalStatus: 'resolved' }, 'Resolved'],
    ['resolved in words', { clinicalStatus: { text: 'Resolved' } }, 'Resolved'],
    [
      'active in one coding and resolved in another',
      { clinicalStatus: coded(['urn:local', 'active'], [CLINICAL, 'resolved']) },
      'Resolved',
    ],
    ['over at an age', { abatementAge: { value: 40, code: 'a' } }, 'Resolved'],
    ['in remission', { clinicalStatus: coded([CLINICAL, 'remission']) }, 'Inactive'],
    ['a relapse', { clinicalStatus: coded([CLINICAL, 'relapse']) }, 'Active'],
  ])('that is %s has that status', async (_, change, status) => {
    const { made } = await read({ ...condition, ...change });
    const titles = ['Active', 'Inactive', 'Resolved'].map((title) => `title ${title}`);
    const shown = new Set(made['problems/c1']?.filter((line) => titles.includes(line)));
    expect([...shown]).toEqual([`title ${status}`]);
  });
});

describe('an allergy', () => {
  const anaphylaxis = { manifestation: [snomed('39579001', 'Anaphylaxis')], severity: 'severe' };
  const rash = { manifestation: [snomed('271807003', 'Rash')], severity: 'mild' };

  it.each([
    coded(['http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical', 'resolved']),
    coded(LOCAL, ['http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical', 'inactive']),
    'resolved',
    { text: 'Resolved' },
  ])('that is over is none: %j', async (clinicalStatus) => {
    await expectLeftOut({ ...allergy, clinicalStatus }, 'over');
    await expectLeftOut({ ...noAllergy, clinicalStatus }, 'over');
  });

  it('says in its name that it is not confirmed', async () => {
    const verificationStatus = coded(['urn:x', 'unconfirmed']);
    const { made } = await read({ ...allergy, verificationStatus }, { ...noAllergy, verificationStatus });
    expect(made['allergies/a1']).toContain('title Peanut (unconfirmed)');
    expect(made['allergies/a2']?.join()).toMatch(/title [^,]* \(unconfirmed\)/u);
  });

  it.each<[string, object, string, string]>([
    [
      'the worst reaction',
      { criticality: 'low', reaction: [rash, anaphylaxis] },
      'Severe',
      'Anaphylaxis, Rash',
    ],
    ['a high criticality', { criticality: 'high', reaction: [rash] }, 'Severe', 'Rash'],
    [
      'a reaction that is worse than a low criticality',
      { criticality: 'low', reaction: [anaphylaxis] },
      'Severe',
      'Anaphylaxis',
    ],
    [
      'anaphylaxis that has no severity',
      { criticality: undefined, reaction: [rash, { ...anaphylaxis, severity: undefined }] },
      'Severe',
      'Anaphylaxis, Rash',
    ],
    [
      'several manifestations',
      {
        criticality: undefined,
        reaction: [
          { manifestation: [snomed('271807003', 'Rash'), { text: 'Wheezing' }], severity: 'moderate' },
        ],
      },
      'Moderate',
      'Rash, Wheezing',
    ],
  ])('is as severe as %s', async (_, change, severity, reactions) => {
    const { made } = await read({ ...allergy, ...change });
    const severities = ['Mild', 'Moderate', 'Severe'].map((title) => `title ${title}`);
    expect([...new Set(made['allergies/a1']?.filter((line) => severities.includes(line)))]).toEqual([
      `title ${severity}`,
    ]);
    expect(made['allergies/a1']).toContain(`title ${reactions}`);
  });

  it('is called a risk where its criticality alone says how bad it is', async () => {
    const rashOf = (severity?: string) => [{ ...rash, severity }];
    const changes = [
      { criticality: 'low', reaction: undefined },
      { criticality: 'high', reaction: rashOf() },
      { criticality: 'high', reaction: rashOf('moderate') },
      { criticality: 'low', reaction: rashOf('mild') },
    ];
    const { made } = await read(...changes.map((change, at) => ({ ...allergy, id: `r${at}`, ...change })));
    const severities = /title (Mild|Moderate|.*risk.*)/u;
    const said = changes.map((_, at) =>
      (made[`allergies/r${at}`] ?? []).filter((line) => severities.test(line) && line !== 'title Mild'),
    );
    expect(said).toEqual([
      ['title Severity not recorded; recorded as low risk'],
      ['title Severity not recorded; recorded as high risk'],
      ['title Recorded as high risk'],
      [],
    ]);
  });
});

describe('what is only shown of somebody else', () => {
  it('is kept as the name of the clinician, and with their resource it is the clinician', async () => {
    const shown = (reference: string) => ({ reference, display: 'Dr. Gale Hooper' });
    const unknown = [
      { ...note, author: [shown('Practitioner/gone')] },
      { ...request, requester: shown('Practitioner/gone') },
      { ...encounter, participant: [{ individual: shown('Practitioner/gone') }] },
    ];
    const names = ({ made }: Awaited<ReturnType<typeof read>>) =>
      Object.values(made).map((lines) => lines.filter((line) => /^(provider|family)/u.test(line)));
    expect(names(await read(...unknown))).toEqual(unknown.map(() => ['providerName Dr. Gale Hooper']));
    const known = names(await read(practitioner, { ...note, author: [shown('Practitioner/doc')] }));
    expect(known.flat().some((line) => line.startsWith('providerName'))).toBe(false);
  });

  it('is of a visit its type and its reason, in their words', async () => {
    const { made } = await read({
      ...encounter,
      type: [snomed('185345009', 'Encounter for symptom')],
      reasonCode: [{ text: 'Cough' }],
    });
    expect(made['encounters/e1']).toEqual(
      expect.arrayContaining(['visitType Encounter for symptom', 'visitReason Cough']),
    );
  });
});

describe('a modifier', () => {
  const modifierExtension = [{ url: 'urn:opposite', valueBoolean: true }];

  it.each<[string, object, string]>([
    ['says what is not to be given', { doNotPerform: true }, 'not to be given'],
    ...['proposal', 'plan', 'option'].map((intent): [string, object, string] => [
      `is the intent ${intent}`,
      { intent },
      'only proposed',
    ]),
    ['is one that nobody reads', { modifierExtension }, 'MedicationRequest.modifierExtension'],
  ])('that %s keeps a medication out of the record', async (_, change, reason) => {
    await expectLeftOut({ ...request, ...change }, reason);
  });

  it('keeps a drug that was not taken out of the record', () =>
    expectLeftOut({ ...taken, status: 'not-taken' }, 'not taken'));

  it.each<[string, Resource]>([
    ['problem', { ...condition, modifierExtension }],
    ['problem, for its name', { ...condition, code: { ...condition.code, modifierExtension } }],
    ['allergy', { ...allergy, modifierExtension }],
  ])('that nobody reads leaves no %s', async (_, resource) => {
    await expectLeftOut(resource, resource.resourceType);
  });

  it('of a patient leaves no demographics', async () => {
    const { demographics, told } = await read({ ...patient, modifierExtension });
    expect(demographics).toBeUndefined();
    expect(told('Patient')).toContain('Patient.modifierExtension can change what it says');
  });

  it('inside an element leaves out that element alone', async () => {
    const [dosage] = request.dosageInstruction;
    const { made } = await read({ ...request, dosageInstruction: [{ ...dosage, modifierExtension }] });
    expect(made['medications/m1']).not.toContain('unit /d');
    expect(made['medications/m1']).toContain(
      'instructions How it is taken is recorded, but cannot be shown here.',
    );
  });
});

describe('the smoking status', () => {
  const status = (id: string, code: string, when: object): Resource => ({
    ...smoking,
    id,
    effectiveDateTime: undefined,
    ...when,
    valueCodeableConcept: snomed(code, id),
  });
  const never = (when: object): Resource => status('never', '266919005', when);
  const daily = (when: object): Resource => status('daily', '449868002', when);

  it.each<[string, object, object]>([
    ['has issued alone', { issued: '2021-05-01T10:00:00Z' }, { issued: '2020-05-01T10:00:00Z' }],
    [
      'is later by its offset',
      { effectiveDateTime: '2021-05-01T20:00:00-08:00' },
      { effectiveDateTime: '2021-05-02T01:00:00Z' },
    ],
    [
      'is later by a period',
      { effectivePeriod: { start: '2021-05-02' } },
      { effectiveDateTime: '2021-05-01' },
    ],
    ['is the more exact one of a year', { effectiveDateTime: '2021-03' }, { effectiveDateTime: '2021' }],
  ])('is the latest, which %s', async (_, later, earlier) => {
    for (const content of [
      [daily(later), never(earlier)],
      [never(earlier), daily(later)],
    ]) {
      const { made } = await read(...content);
      expect(made.social_history?.filter((line) => line.startsWith('identifier'))).toEqual([
        'identifier 449868002',
      ]);
    }
  });

  it('of an earlier day is told as that', async () => {
    const { told } = await read(
      daily({ issued: '2021-05-01T10:00:00Z' }),
      never({ issued: '2020-01-01T00:00:00Z' }),
    );
    expect(told('Observation')).toContain('a later one counts');
    await expectLeftOut(never({}), 'it has no date');
  });
});

describe('a name', () => {
  it.each<[string, object[]]>([
    [
      'not over',
      [
        { use: 'official', family: 'Former', given: ['A'], period: { end: '2012-06-01' } },
        { use: 'official', family: 'Current', given: ['A'], period: { start: '2012-06-01' } },
      ],
    ],
    [
      'usual where the official one is over',
      [
        { use: 'official', family: 'Former', given: ['A'], period: { end: '2001' } },
        { use: 'usual', family: 'Current', given: ['A'] },
      ],
    ],
    [
      'without a use where the other is old',
      [
        { use: 'old', family: 'Former', given: ['A'] },
        { family: 'Current', given: ['A'] },
      ],
    ],
    [
      'not to come',
      [
        { use: 'official', family: 'Later', given: ['A'], period: { start: '2999-01-01' } },
        { use: 'usual', family: 'Current', given: ['A'] },
      ],
    ],
  ])('of a patient is the one that is %s', async (_, name) => {
    const { demographics } = await read({ ...patient, name });
    expect(demographics?.filter((line) => line.startsWith('family-name'))).toEqual(['family-name Current']);
  });

  it('of a practitioner is none that is old', async () => {
    const name = [
      { use: 'old', family: 'Former', given: ['Greg'] },
      { use: 'official', family: 'House', given: ['Greg'] },
    ];
    const { made } = await read({ ...practitioner, name }, encounter);
    expect(made['encounters/e1']).toContain('family-name House');
    expect(made['encounters/e1']).not.toContain('family-name Former');
  });
});

it('takes as medical record numbers neither passports nor other identifiers of a type that says so', async () => {
  const { load, statements } = await fhirPlace();
  const typed = (value: string, ...codes: string[]) => ({
    value,
    system: 'urn:some',
    type: {
      coding: codes.map((code) => ({ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code })),
    },
  });
  const numbersOf = async (...identifier: object[]): Promise<[string[] | undefined, boolean]> => {
    const { report } = await load([{ ...patient, identifier }]);
    const lines = statements('p1').demographics?.filter((line) => line.startsWith('identifier '));
    return [lines?.sort(), 'Patient.identifier[…]' in report.unread];
  };
  const other = [typed('123-45', 'SS'), typed('D1', 'DL'), typed('P1', 'PPN')];
  const untyped = { value: 'b', type: { text: 'Hospital number' } };
  expect(await numbersOf(typed('a', 'MR'), untyped, { value: 'c' })).toEqual([
    ['identifier a', 'identifier b', 'identifier c'],
    false,
  ]);
  expect(await numbersOf(typed('a', 'XX', 'MR'), ...other)).toEqual([['identifier a'], true]);
  expect(await numbersOf(typed('a', 'PI'))).toEqual([['identifier a'], false]);
  expect(await numbersOf(...other)).toEqual([['identifier p1'], true]);
});
