import { expect, it } from 'vitest';
import { resultsTable, type ResultsTable } from '../../src/pages/record/results-table.js';
import type { Result } from '../../src/pages/shown/results.js';

const result = (test: string, at: number, more: Partial<Result> = {}): Result => ({
  iri: `${test}${at}`,
  test,
  key: test,
  value: String(at),
  unit: 'g',
  range: '',
  date: `20${String(99 - at).padStart(2, '0')}-01-01`,
  place: Infinity,
  isDrawn: false,
  ...more,
});

const page: ResultsTable = {
  name: 'Lab results',
  path: '/results',
  trendsPath: '/trends',
  results: [],
  read: 0,
  total: 0,
  isSet: false,
  by: 'test',
  filter: '',
  offset: 0,
  pathOf: () => undefined,
};
const table = (more: Partial<ResultsTable>): string => resultsTable({ ...page, ...more }).text;
const textOf = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

it('looks in all results for a name, and keeps it in its links', () => {
  const results = [
    ...Array.from({ length: 1200 }, (_, at) => result('Sodium', at % 90)),
    ...Array.from({ length: 600 }, (_, at) => result('Cholesterol in LDL', at % 90)),
  ];
  const html = table({ results, by: 'day', filter: 'cholesterol' });
  expect(textOf(html)).toContain('600 of 1800 results match “cholesterol”. 1 to 500 of 600 results.');
  expect(html).toMatch(/href="\/results\?by=day&amp;q=cholesterol&amp;offset=500" rel="next"/);
  const next = table({ results, by: 'day', filter: 'cholesterol', offset: 500 });
  expect(next.match(/data-column="Result"/gu)).toHaveLength(100);
  expect(next).not.toContain('Sodium');
  expect(next).toMatch(/q=cholesterol&amp;offset=0" rel="prev"/);
});

it('counts of a test all earlier results, and shows the newest of all', () => {
  const results = Array.from({ length: 700 }, (_, at) =>
    result(at % 2 === 0 ? 'Sodium' : 'Potassium', at, {
      date: new Date(-at * 86_400_000).toISOString().slice(0, 10),
    }),
  );
  const text = textOf(table({ results }));
  expect(text.match(/349 earlier/gu)).toHaveLength(2);
  expect(text).not.toContain('1 to ');
});

it('lists of what has a trend ten earlier results, and leads to the others; of all else it lists each', () => {
  const all = (isDrawn: boolean) => [...Array(16).keys()].map((at) => result('INR', at, { isDrawn }));
  const drawn = table({ results: all(true) });
  expect([drawn.match(/<li /gu)?.length, textOf(drawn)]).toEqual([
    10,
    expect.stringContaining('10 of 15. See all in the trend'),
  ]);
  expect(drawn).toContain('<a href="/trends?of=INR">See all in the trend</a>');
  const inWords = table({ results: all(false).map((each) => ({ ...each, unit: '%' })) });
  expect([inWords.match(/<li /gu)?.length, inWords.includes('See all')]).toEqual([15, false]);
  expect(inWords).toMatch(/: 15%/u);
  expect(table({ results: all(true).slice(0, 11) })).not.toContain('See all');
});

it('has all values of one moment in the row of a test, none of which is earlier', () => {
  const date = '2024-04-08T02:22:00Z';
  const results = [1, 2].map((at) => result('Saturation', at, { date })).concat(result('Saturation', 90));
  expect(textOf(table({ results }))).toMatch(/ 1 and 2 g 8 Apr 2024 \(two readings\) 1 earlier/);
});

it('calls what is measured in sets measurements', () => {
  const text = textOf(table({ results: [result('Heart rate', 1)], isSet: true }));
  expect(text).toMatch(/By measurement By day .* Measurement Result Unit/);
  expect(text).not.toMatch(/\btests?\b/iu);
});

it('says where it does not hold all', () => {
  expect(textOf(table({ read: 5000, total: 7000 }))).toContain(
    'Only the latest 5000 of 7000 are listed and searched here.',
  );
  expect(textOf(table({ read: 70, total: 70 }))).not.toContain('Only');
});

it.each([
  // Days are the latest first, tests by what is looked for first, and both then by their names.
  ['day', ['Sodium', 'Iron', 'Zinc', 'Potassium', 'Copper']],
  ['test', ['Potassium', 'Sodium', 'Copper', 'Iron', 'Zinc']],
] as const)('has in the order of a clinician what it lists by %s', (by, tests) => {
  const results = [
    result('Zinc', 0),
    result('Iron', 0),
    result('Sodium', 0, { place: 2 }),
    result('Copper', 1),
    result('Potassium', 1, { place: 1 }),
  ];
  const text = textOf(table({ results, by }));
  expect(text.match(/Sodium|Potassium|Zinc|Iron|Copper/gu)).toEqual(tests);
  expect(text.includes('In clinical order, then the others from A to Z.')).toBe(by === 'test');
  if (by === 'test') expect(textOf(table({ results: results.slice(0, 2) }))).toContain('From A to Z.');
});

it('mutes the marks of what is a year or more older than the newest, and says them all the same', () => {
  const flag = { letters: 'HH', text: 'Critically high', isCritical: true };
  const html = table({
    results: [result('Sodium', 0), result('INR', 1, { flag }), result('INR', 2, { flag })],
  });
  expect(html).toMatch(/<span class="past">1 <span class="outside critical"/u);
  expect(html).toMatch(/<li class="past">/u);
  const newest = table({ results: [result('INR', 1, { flag })] });
  expect(newest).not.toContain('class="past"');
});
