import { describe, expect, it } from 'vitest';
import { fhirPlace, loinc, resources, type Resource } from './support.js';

const { patient, encounter, laboratory, weight, pressure, request } = resources;

/** What is stored of one resource of the patient, sorted lines, and the reasons why nothing is. */
async function read(resource: Resource, person: object = {}): Promise<{ lines: string[]; told: string }> {
  const { load, statements } = await fhirPlace();
  const { report } = await load([{ ...patient, ...person }, encounter, resource]);
  const path = Object.keys(statements('p1')).find((each) => each.endsWith(`/${String(resource.id)}`));
  const { reasons = {}, omitted = {} } = report.resources[resource.resourceType] ?? {};
  return {
    lines: path === undefined ? [] : (statements('p1')[path] ?? []),
    told: [...Object.keys(reasons), ...Object.keys(omitted)].join('; '),
  };
}
const of = (lines: readonly string[], property: string): string[] =>
  lines.filter((line) => line.startsWith(`${property} `)).map((line) => line.slice(property.length + 1));

const result = (change: object): Resource => ({
  ...laboratory,
  referenceRange: undefined,
  interpretation: undefined,
  valueQuantity: undefined,
  ...change,
});
const amount = (value: unknown, unit = 'mmol/L', more: object = {}) => ({ value, unit, code: unit, ...more });

describe('a result of the laboratory', () => {
  it.each<[string, object, string]>([
    ['less than a number', { valueQuantity: amount(0.01, 'ng/mL', { comparator: '<' }) }, '<0.01 ng/mL'],
    [
      'less than a number of a kind',
      { valueQuantity: amount(0.27, 'ug/mL{FEU}', { comparator: '<' }) },
      '<0.27 µg/mL FEU',
    ],
    ['at least a number', { valueQuantity: amount(60, 'mL/min', { comparator: '>=' }) }, '>=60 mL/min'],
    ['a titer', { valueRatio: { numerator: { value: 1 }, denominator: { value: 128 } } }, '1:128'],
    [
      'a ratio with a bound',
      { valueRatio: { numerator: { value: 1 }, denominator: { value: 8, comparator: '>' } } },
      '1:>8',
    ],
    [
      'a ratio with units',
      { valueRatio: { numerator: { value: 3, unit: 'mg' }, denominator: { value: 2, unit: 'L' } } },
      '3 mg / 2 L',
    ],
    ['a range', { valueRange: { low: amount(5, '/[HPF]'), high: amount(10, '/[HPF]') } }, '5-10 /HPF'],
    ['a range with one end', { valueRange: { high: amount(10, '/[HPF]') } }, '<=10 /HPF'],
    ['a whole number', { valueInteger: 3 }, '3'],
    [
      'that of its components, one with a bound',
      {
        component: [
          { code: { text: 'Casts' }, valueQuantity: amount(2, '/[LPF]', { comparator: '<' }) },
          { code: { text: 'Crystals' }, valueString: 'none seen' },
        ],
      },
      'Casts: <2 /LPF; Crystals: none seen',
    ],
    ['not there', { dataAbsentReason: { text: 'Specimen clotted' } }, 'Specimen clotted'],
  ])('that is %s is words and no number', async (_, change, words) => {
    const { lines } = await read(result(change));
    expect([of(lines, 'value'), of(lines, 'unit')]).toEqual([[words], []]);
  });

  it('without any result is kept in words, and told', async () => {
    const { lines, told } = await read(result({}));
    expect(of(lines, 'type')).toEqual(['UnmappedLabResult']);
    expect(told).toContain('it has no result');
  });

  it.each([
    ['1.2E+2', '120'],
    ['5e-7', '0.0000005'],
    ['1.20E+1', '12.0'],
    ['-4.5e0', '-4.5'],
    ['95', '95'],
  ])('that is written as %s is %s', async (written, plain) => {
    const { load, statements } = await fhirPlace();
    const text = [patient, result({ valueQuantity: amount(4711) })]
      .map((resource) => JSON.stringify(resource).replace('4711,', `${written},`))
      .join('\n');
    await load(text);
    const lines = statements('p1')['lab_results/l1'] ?? [];
    expect([of(lines, 'value'), of(lines, 'unit')]).toEqual([[plain], ['mmol/L']]);
  });

  const interpreted = (...codings: [system: string, code: string][]) =>
    codings.map(([system, code]) => ({ coding: [{ system, code }] }));
  const R4 = 'http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation';
  it.each<[object[], string]>([
    [interpreted([R4, 'H'], [R4, 'HH']), 'critical'],
    [interpreted([R4, 'N'], [R4, 'LL'], [R4, 'L']), 'critical'],
    [interpreted(['http://hl7.org/fhir/v2/0078', 'HH']), 'critical'],
    [interpreted([R4, 'N'], [R4, 'H']), 'abnormal'],
    [[{ text: 'High' }], 'abnormal'],
    [interpreted([R4, 'N']), 'normal'],
  ])('has the gravest interpretation of %j', async (interpretation, grade) => {
    const { lines } = await read(result({ valueQuantity: amount(6.9), interpretation }));
    expect(lines).toContain(`code ${grade}`);
  });
});

describe('the normal range of a result', () => {
  const range = (low: number | undefined, high: number | undefined, more: object = {}) => ({
    ...(low === undefined ? {} : { low: amount(low) }),
    ...(high === undefined ? {} : { high: amount(high) }),
    ...more,
  });
  const type = (code: string) => ({
    type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/referencerange-meaning', code }] },
  });
  const sex = (text: string) => ({ appliesTo: [{ text }] });
  const age = (low: number | undefined, high: number | undefined, code: string) => ({
    age: {
      ...(low === undefined ? {} : { low: { value: low, code } }),
      ...(high === undefined ? {} : { high: { value: high, code } }),
    },
  });
  const bounds = async (...referenceRange: object[]): Promise<{ bounds: string[]; notes: string }> => {
    const { lines } = await read(result({ valueQuantity: amount(4), referenceRange }));
    return {
      bounds: of(lines, 'value').filter((value) => value !== '4'),
      notes: of(lines, 'notes').join(' '),
    };
  };

  it.each<[string, object[], string[], string]>([
    [
      'the normal one after a critical one',
      [range(2.5, 6.5, type('critical')), range(3.5, 5.1)],
      ['3.5', '5.1'],
      '2.5-6.5 mmol/L (critical)',
    ],
    ['none where one is therapeutic', [range(2, 3, type('therapeutic'))], [], '2-3 mmol/L (therapeutic)'],
    [
      'that of the own sex',
      [range(13, 17, sex('male')), range(11, 15, sex('female'))],
      ['11', '15'],
      '13-17 mmol/L for male',
    ],
    ['none where it is for the other sex', [range(13, 17, sex('male'))], [], 'for male'],
    [
      'that of adults',
      [range(14, 22, age(0, 28, 'd')), range(12, 16, age(18, undefined, 'a'))],
      ['12', '16'],
      '14-22 mmol/L, age from 0 days up to 28 days',
    ],
    ['none where it is for newborns', [range(14, 22, age(0, 28, 'd'))], [], 'up to 28 days'],
    ['none with an upper end alone', [range(undefined, 5)], [], '<=5 mmol/L'],
    ['none with a lower end alone', [range(60, undefined)], [], '>=60 mmol/L'],
    ['none of two that are alike', [range(3, 5), range(3.5, 5.5)], [], '3.5-5.5 mmol/L'],
    ['the one that there is', [range(3.5, 5.1)], ['3.5', '5.1'], ''],
  ])('is %s', async (_, ranges, expected, note) => {
    const { bounds: shown, notes } = await bounds(...ranges);
    expect(shown.sort()).toEqual([...expected].sort());
    expect(notes).toContain(note);
  });

  it('is for an infant on the day of the result', async () => {
    const ranges = [range(14, 22, age(0, 28, 'd')), range(10, 13, age(1, 12, 'mo'))];
    const resource = result({ valueQuantity: amount(4), referenceRange: ranges });
    for (const [birthDate, expected] of [
      ['2018-12-20', ['14', '22']],
      ['2018-06-20', ['10', '13']],
    ] as const) {
      const { lines } = await read(resource, { birthDate });
      expect(of(lines, 'value').filter((value) => value !== '4')).toEqual(expected);
    }
  });
});

describe('a vital sign', () => {
  const parts = (systolic: object, diastolic: object) => [
    { code: loinc('8480-6', 'Systolic'), valueQuantity: amount(120, 'mm[Hg]', systolic) },
    { code: loinc('8462-4', 'Diastolic'), valueQuantity: amount(80, 'mm[Hg]', diastolic) },
  ];

  it.each<[string, Resource, string]>([
    [
      'its value',
      { ...weight, valueQuantity: amount(150, '[lb_av]', { comparator: '>' }) },
      'its value is less or more',
    ],
    [
      'its systolic value',
      { ...pressure, component: parts({ comparator: '>' }, {}) },
      'its systolic or diastolic value is less or more',
    ],
    [
      'its diastolic value',
      { ...pressure, component: parts({}, { comparator: '<' }) },
      'its systolic or diastolic value is less or more',
    ],
  ])('is kept in words with the reason where %s has a bound', async (_, resource, reason) => {
    const { lines, told } = await read(resource);
    expect(of(lines, 'type')).toEqual(['UnmappedVitalSignSet']);
    expect(told).toContain(reason);
  });

  it('with an exponent is the number that it says', async () => {
    const { load, statements } = await fhirPlace();
    const exponents = JSON.stringify({ ...pressure, component: parts({}, {}) }).replace(
      '"value":120',
      '"value":1.2E+2',
    );
    await load(
      [patient, encounter].map((resource) => JSON.stringify(resource)).join('\n') + `\n${exponents}`,
    );
    expect(of(statements('p1')['vital_sign_sets/v2'] ?? [], 'value').sort()).toEqual(['120', '80']);
  });
});

describe('a dosage', () => {
  const dose = [{ doseQuantity: { value: 15, unit: 'mg', code: 'mg' } }];
  const timing = (repeat: object) => ({ timing: { repeat } });
  const once = (period: number, periodUnit: string, more: object = {}) =>
    timing({ frequency: 1, period, periodUnit, ...more });

  it.each<[string, object[], string]>([
    [
      'methotrexate once a week, in days',
      [{ doseAndRate: dose, ...once(7, 'd') }],
      '15 mg once every 7 days',
    ],
    ['every 8 hours', [{ doseAndRate: dose, ...once(8, 'h') }], '15 mg once every 8 hours'],
    [
      '1 to 4 times a day',
      [{ doseAndRate: dose, ...once(1, 'd', { frequencyMax: 4 }) }],
      '15 mg 1 to 4 times a day',
    ],
    [
      'once in 1 to 3 days',
      [{ doseAndRate: dose, ...once(1, 'd', { periodMax: 3 }) }],
      '15 mg once every 1 to 3 days',
    ],
    [
      'as needed, with a text',
      [{ text: 'One tablet for pain', asNeededBoolean: true, ...once(1, 'd') }],
      'One tablet for pain, once a day, as needed',
    ],
    [
      'as needed for a reason',
      [{ doseAndRate: dose, asNeededCodeableConcept: { text: 'headache' }, ...once(1, 'd') }],
      '15 mg once a day, as needed for headache',
    ],
    [
      'on a day of the week',
      [{ doseAndRate: dose, ...once(1, 'wk', { dayOfWeek: ['mon'] }) }],
      '15 mg once a week on Mondays',
    ],
    [
      'tapering',
      [
        {
          sequence: 1,
          doseAndRate: dose,
          ...once(1, 'd', { boundsDuration: { value: 5, unit: 'days', code: 'd' } }),
        },
        {
          sequence: 2,
          doseAndRate: [{ doseQuantity: { value: 5, unit: 'mg', code: 'mg' } }],
          ...once(1, 'd'),
        },
      ],
      '15 mg once a day, for 5 days; then 5 mg once a day',
    ],
    [
      'of one, of what is not said',
      [{ doseAndRate: [{ doseQuantity: { value: 1 } }], ...once(4, 'h') }],
      'Take 1, once every 4 hours',
    ],
    [
      'with a text and every 8 hours',
      [{ text: 'With food', ...once(8, 'h') }],
      'With food, once every 8 hours',
    ],
  ])('%s is words and no frequency', async (_, dosageInstruction, words) => {
    const { lines } = await read({ ...request, dosageInstruction });
    expect(of(lines, 'instructions')).toEqual([words]);
    expect(of(lines, 'unit').filter((unit) => unit.startsWith('/'))).toEqual([]);
    if (dosageInstruction.length > 1) expect(of(lines, 'unit')).toEqual([]);
  });

  it('of one dose and one frequency is two numbers', async () => {
    const dosageInstruction = [
      {
        text: 'Two in the evening',
        doseAndRate: dose,
        ...timing({ frequency: 2, period: 1, periodUnit: 'd' }),
      },
    ];
    const { lines } = await read({ ...request, dosageInstruction });
    expect(of(lines, 'instructions')).toEqual(['Two in the evening']);
    expect([of(lines, 'value').sort(), of(lines, 'unit').sort()]).toEqual([
      ['15', '2'],
      ['/d', 'mg'],
    ]);
  });

  it('that is not there is told as that', async () => {
    const { lines } = await read({ ...request, dosageInstruction: undefined });
    expect(of(lines, 'instructions')).toEqual(['No instructions are recorded.']);
  });
});
