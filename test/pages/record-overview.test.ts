import { describe, expect, it } from 'vitest';
import { html } from '../../src/http/html/html.js';
import type { Latest } from '../../src/pages/record/latest-sheet.js';
import { recordOverview, type ShownKind } from '../../src/pages/record/overview-of-record.js';
import { shownValueOf } from '../../src/pages/record/results-table.js';
import { latestResults, type Result } from '../../src/pages/shown/results.js';
import type { ShownStatement } from '../../src/pages/shown/shown-statement.js';

const statement = {
  iri: 'http://a.example/records/1/medications/1',
  model: { shown: { until: [] } },
  kind: 'Medication',
  title: 'Aspirin',
  summary: () => [],
  isOver: false,
  quantities: [],
  rank: Infinity,
  codes: [],
} as unknown as ShownStatement;

/** The page of a record with a kind. */
function page(kind: Omit<ShownKind, 'name' | 'path'>, latest?: Latest): string {
  return recordOverview({
    basePath: '',
    record: '1',
    strip: html``,
    latest: latest ? [latest] : [],
    folded: [],
    current: latest ? [] : [{ name: 'Medications', path: '/all', ...kind }],
    person: [],
    isPartClosed: false,
    history: { statements: [] },
    ended: [],
    stays: [],
    kinds: [],
    apps: [],
    pathOf: () => undefined,
  }).text;
}

/** The text of the section of a kind on the page of a record. */
function section(kind: Omit<ShownKind, 'name' | 'path'>, latest?: Latest): string {
  const text = page(kind, latest);
  const end = text.indexOf('</section>');
  return text
    .slice(text.indexOf('<section'), end)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

it.each([
  //      statements total past isCut
  ['nothing', 0, 0, 0, false, 'Medications None recorded.'],
  ['what is past alone', 0, 2, 2, false, 'Medications None current. See 2 past'],
  ['all of it', 1, 1, 0, false, 'Medications Aspirin'],
  ['what lasts', 1, 3, 2, false, 'Medications Aspirin See all 3 (2 past)'],
  [
    'a part of it',
    2,
    9,
    3,
    true,
    'Medications Aspirin Aspirin Only the latest 2 are shown. See all 9 (3 past)',
  ],
] as const)(
  'says of a kind that is current, with %s, what is not shown',
  (_, shown, total, past, isCut, text) => {
    expect(section({ statements: Array.from({ length: shown }, () => statement), total, past, isCut })).toBe(
      text,
    );
  },
);

it('folds nothing that is current, and has what is social below the rest', () => {
  const model = { shown: { until: [], group: 'current' } } as unknown as ShownStatement['model'];
  const statements = Array.from({ length: 30 }, (_, at) => ({ ...statement, isSocial: at < 3, model }));
  const kind = { statements, total: 30, past: 0, isCut: false };
  const text = section(kind);
  expect([text.match(/Aspirin/gu)?.length, page(kind).includes('<details')]).toEqual([30, false]);
  expect(text).toMatch(/Social and other findings( Aspirin){3}$/u);
});

it.each([
  [6, false],
  [7, false],
  [8, true],
])('folds none of %i alone that are kept in words', (total, isFolded) => {
  const statements = Array.from({ length: total }, () => statement);
  const one = { name: 'Other medications', path: '/words', total, past: 0, isCut: false, statements };
  const text = section({ statements: [], total: 0, past: 0, isCut: false, unmapped: one });
  expect([text.match(/Aspirin/gu)?.length, text.includes('2 more')]).toEqual([total, isFolded]);
});

it.each([
  [0, 0, 'Medications None, except as text. Recorded as text only: Aspirin'],
  [0, 2, 'Medications None current. See 2 past Recorded as text only: Aspirin'],
  [1, 1, 'Medications Aspirin Recorded as text only: Aspirin'],
])('lists below a kind with %i of %i what is kept in words', (shown, total, text) => {
  const one = { name: 'Other medications', path: '/words', total: 1, past: 0, isCut: false };
  const statements = Array.from({ length: shown }, () => statement);
  const unmapped = { ...one, statements: [statement] };
  expect(section({ statements, total, past: total - shown, isCut: false, unmapped })).toBe(text);
});

it.each([
  [0, 'Medications None current.'],
  [1, 'Medications None current. See 1 past'],
])('lists with %i past nothing that is past in words either', (total, text) => {
  const unmapped = { name: 'In words', path: '/words', total: 2, past: 2, isCut: false, statements: [] };
  expect(section({ statements: [], total, past: total, isCut: false, unmapped })).toBe(
    `${text} Recorded as text only: none current. See 2 past`,
  );
});

describe('the latest results', () => {
  const result = (test: string, date: string, more: Partial<Result> = {}): Latest['results'][number] => ({
    latest: {
      iri: test,
      test,
      key: test,
      value: '5',
      unit: 'g',
      range: '',
      date,
      place: Infinity,
      isDrawn: false,
      ...more,
    },
    earlier: [],
    together: [],
    also: [],
    isOlder: false,
  });
  const high = { range: '1 to 4 g', flag: { letters: 'H', text: 'High', isCritical: false } };
  const all = { name: 'Results', path: '/results', total: 2, read: 2, isSet: false };
  const nothing = { statements: [], total: 0, past: 0, isCut: false };
  const latestOf = (results: Latest['results'], counts?: Partial<Latest>): Latest => ({
    ...all,
    tests: results.length,
    results,
    visited: undefined,
    newest: newestOf(results),
    besides: [],
    today: '2026-11-28',
    ...counts,
  });
  const shown = (results: Latest['results'], visited?: string, counts?: Partial<Latest>): string =>
    section(nothing, latestOf(results, { visited, ...counts }));
  const newestOf = (results: Latest['results']): string =>
    results
      .map(({ latest: { date } }) => date)
      .toSorted()
      .at(-1) ?? '';

  it('say how old they are, once for each day', () => {
    expect(shown([result('A', '2024-01-23T10:00:00Z'), result('B', '2024-01-23', high)])).toBe(
      'Latest results 23 Jan 2024 2 years ago A 5 g B 5 g H High normal 1 to 4 g Abnormal results first.',
    );
    expect(
      shown([result('A', '2026-11-01', high), result('B', '2020', high)], '2026-11-20', {
        total: 9,
        read: 9,
      }),
    ).toBe(
      'Latest results 1 Nov 2026 before the last visit A 5 g H High normal 1 to 4 g ' +
        '2020 about 6 years ago B 5 g H High normal 1 to 4 g Newest first. See all 9',
    );
  });

  it('say how many tests there are, and of how many entries', () => {
    const results = [result('A', '2026-11-20', high)];
    expect(shown(results, undefined, { tests: 21, total: 300, read: 300 })).toMatch(
      / 1 of 21 tests\. See all 300$/,
    );
    expect(shown(results, undefined, { total: 4000, read: 1000 })).toMatch(
      / 1 of 1 tests from the latest 1000 results\. See all 4000$/,
    );
  });

  it('name what is newer, where none of it has a row', () => {
    const results = [result('A', '2026-11-20', high)];
    const newer = (newest: string): string =>
      shown(results, undefined, { newest, besides: [result('B', newest), result('C', newest, high)] });
    expect(newer('2026-11-21T10:00:00Z')).toContain(
      'Latest results Newer, on 21 Nov 2026 : B 5 g C 5 g H High 20 Nov 2026 A 5 g',
    );
    expect(newer('2026-11-20T23:00:00Z')).toContain(
      'normal 1 to 4 g Also on 20 Nov 2026 : B 5 g C 5 g H High',
    );
  });

  it('name some that are newer and in words, and are called newest first only with the newest', () => {
    const numbers = ['A', 'B'].map((test, at) =>
      result(test, `2023-02-1${at}`, { place: at, isDrawn: true }),
    );
    const newer = Array.from({ length: 12 }, (_, at) =>
      result(`Dipstick ${at}`, '2024-02-22', { value: String(at), isDrawn: true }),
    );
    const words = ['Odor of Urine', 'Clarity', 'Turbid', 'Yeast'].map((test, at) =>
      result(test, '2024-02-22', { value: `word ${at}` }),
    );
    const { results, ...counts } = latestResults(
      [...words, ...newer, ...numbers].map(({ latest }) => latest),
      2,
    );
    expect(results.map(({ latest }) => latest.test)).toEqual(['B', 'A']);
    const text = shown([...results], undefined, counts);
    expect(text).toMatch(/Newer, on 22 Feb 2024 : Clarity word 1 g Dipstick 0 0 g .* 6 more results/);
    for (const each of ['Odor of Urine word 0', 'Turbid word 2']) expect(text).toContain(each);
    expect(text).not.toContain('Yeast');
    expect(page(nothing, latestOf([...results], counts))).toMatch(
      /<a href="\/results\?by=day">6 more results<\/a>/u,
    );
    expect(text).not.toContain('Newest first');
  });

  it('have a few more rows for what is of the newest day and has a place, and name the rest of that day', () => {
    const of = (date: string, tests: readonly string[], from: number) =>
      tests.map((test, at) => result(test, date, { place: from + at }).latest);
    const results = [
      ...of('2023-04-04', ['INR', 'troponin', 'D-dimer', 'CRP', 'bilirubin', 'albumin'], 10),
      result('zinc', '2023-04-04').latest,
      ...of('2020-01-01', ['potassium', 'sodium', 'creatinine'], 0),
      ...of('2020-01-01', ['lipids'], 30),
    ];
    const { results: taken, besides, ...counts } = latestResults(results, 3);
    expect(taken.map(({ latest }) => latest.test)).toEqual([
      ...['INR', 'troponin', 'D-dimer', 'CRP'],
      ...['potassium', 'sodium', 'creatinine'],
    ]);
    expect(besides.map(({ latest }) => latest.test)).toEqual(['bilirubin', 'albumin', 'zinc']);
    expect(shown([...taken], undefined, { ...counts, besides })).toMatch(
      / CRP 5 g Also on 4 Apr 2023 : bilirubin 5 g albumin 5 g zinc 5 g 1 Jan 2020 .*potassium/,
    );
  });

  it('have what was abnormal before marked', () => {
    const earlier = { ...result('A', '2024-05-03', { ...high, value: '9' }).latest };
    expect(shown([{ ...result('A', '2026-11-20', { range: '1 to 6 g' }), earlier: [earlier] }])).toContain(
      'was 9 H High on 3 May 2024',
    );
  });

  it('are one of each test, with the one before, and none that must be noticed is left out', () => {
    const critical = { flag: { letters: 'LL', text: 'Critically low', isCritical: true } };
    const results = [
      ...['A', 'A', 'A', 'B', 'C'].map((test) => result(test, '2026')),
      result('D', '2020', high),
      result('E', '2019', critical),
    ].map(({ latest }, at) => ({ ...latest, iri: String(at) }));
    const taken = (most: number) =>
      latestResults(results, most).results.map(({ latest, earlier }) => latest.iri + (earlier[0]?.iri ?? ''));
    expect([taken(3), taken(1), latestResults(results, 1).tests]).toEqual([['01', '5', '6'], ['5', '6'], 5]);
  });

  it('begin with those that have a place, and leave out those that are far older than the newest', () => {
    const results = [
      result('urine', '2024-02-22'),
      result('potassium', '2023-02-12', { place: 4 }),
      result('haemoglobin', '2023-02-12', { place: 1 }),
      result('head', '2004-11-14'),
      result('old and high', '2004-11-14', high),
    ].map(({ latest }) => latest);
    const taken = (most: number) => latestResults(results, most).results.map(({ latest }) => latest.test);
    expect(taken(9)).toEqual(['urine', 'haemoglobin', 'potassium', 'old and high']);
    expect(taken(2)).toEqual(['haemoglobin', 'old and high']);
  });

  it('come newest first, and abnormal first only within a day', () => {
    const critical = { ...high, flag: { letters: 'HH', text: 'Critically high', isCritical: true } };
    const results = [
      result('BNP', '2019-05-01', critical),
      result('sodium', '2022-03-01T08:00:00Z', { place: 1 }),
      result('potassium', '2022-03-01T09:00:00Z', { ...high, place: 2 }),
    ].map(({ latest }) => latest);
    const { results: taken, newest, besides } = latestResults(results, 9);
    expect(taken.map(({ latest }) => latest.test)).toEqual(['potassium', 'sodium', 'BNP']);
    expect([newest, besides]).toEqual(['2022-03-01T09:00:00Z', []]);
    expect(shown(taken)).toMatch(/ Newest first, and abnormal results first within a day\.$/);
  });

  it('of a set have each its place, and what is far older than the newest comes below', () => {
    const results = [
      result('weight', '2023-02-12', { place: 4 }),
      result('heart rate', '2023-01-13', { place: 2 }),
      result('blood pressure', '2023-02-01', { place: 1 }),
      result('height', '2023-01-12', { place: 5 }),
      result('oxygen saturation', '2020-03', { ...high, place: 3 }),
    ].map(({ latest }) => latest);
    const { results: taken } = latestResults(results, 9, true);
    expect(taken.map(({ latest: { test }, isOlder }) => [test, isOlder])).toEqual([
      ['blood pressure', false],
      ['heart rate', false],
      ['weight', false],
      ['oxygen saturation', true],
      ['height', true],
    ]);
    expect(latestResults(results, 2, true).results.map(({ latest }) => latest.test)).toEqual([
      'blood pressure',
      'oxygen saturation',
    ]);
    const text = shown(taken, undefined, { isSet: true });
    expect(text).toMatch(/ weight 5 g 12 Feb 2023 .* Older oxygen saturation 5 g H High Mar 2020 /);
    expect(text).not.toContain('first');
    expect(shown(taken, undefined, { isSet: true, tests: 9 })).toContain('5 of 9 measurements.');
    expect(shown(taken, undefined, { read: 1, tests: 9 })).toContain(
      '5 of 9 tests from the latest 1 results.',
    );
  });

  it('have one row of a substance, of the latest, and name it as it was measured in another specimen', () => {
    const results = [
      result('Sodium', '2024-03-02'),
      result('Creatinine in Serum or Plasma', '2024-03-01', { substance: 'creatinine', value: '2.6' }),
      result('Creatinine in Blood', '2020-06-03', { ...high, substance: 'creatinine', value: '1.05' }),
    ].map(({ latest }) => latest);
    const { results: taken, tests } = latestResults(results, 1);
    expect([tests, taken.map(({ latest, also, earlier }) => [latest.test, also.length, earlier])]).toEqual([
      2,
      [['Creatinine in Serum or Plasma', 1, []]],
    ]);
    expect(shown(taken)).toContain(
      'Creatinine in Serum or Plasma 2.6 g also Creatinine in Blood : 1.05 H High on 3 Jun 2020',
    );
  });

  it('have all values of one moment, none of which is called the one before', () => {
    const results = [
      result('Saturation', '2024-04-08T02:22:00Z', { value: '81.7', iri: 'a' }),
      result('Saturation', '2024-04-08T02:22:00Z', { ...high, value: '80.1', iri: 'b' }),
      result('Saturation', '2024-04-07', { value: '92', iri: 'c' }),
      result('Saturation', '2024-04-07', { value: '76', iri: 'd' }),
      result('Saturation', '2024-04-06', { value: '95', iri: 'e' }),
    ].map(({ latest }) => latest);
    expect(shown([...latestResults(results, 1).results])).toContain(
      'Saturation 80.1 g H High and 81.7 g (two readings) · normal 1 to 4 g · was 92 and 76 on 7 Apr 2024',
    );
  });

  it('have the number as it was recorded in the title of a rounded one', () => {
    const { latest } = result('Temperature', '2024-02-22', { value: '37.5', exact: '37.521', unit: '°C' });
    expect(html`${shownValueOf(latest)}`.text).toBe('<span title="Recorded as 37.521 °C">37.5</span>');
  });

  it('say once that no range tells high from normal', () => {
    expect(shown([result('A', '2026-11-20'), result('B', '2026-11-20')], '2026-11-20')).toBe(
      'Latest results 20 Nov 2026 A 5 g B 5 g No normal ranges are recorded, so high and low values are not marked.',
    );
  });
});
