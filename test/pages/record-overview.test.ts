import { describe, expect, it } from 'vitest';
import { html } from '../../src/http/html/html.js';
import { recordOverview, type Latest, type ShownKind } from '../../src/pages/record/overview-of-record.js';
import type { Result } from '../../src/pages/shown/results.js';
import type { ShownStatement } from '../../src/pages/shown/shown-statement.js';

const statement = {
  iri: 'http://a.example/records/1/medications/1',
  model: { shown: { until: [] } },
  kind: 'Medication',
  title: 'Aspirin',
  summary: [],
  isOver: false,
  quantities: [],
  rank: Infinity,
  codes: [],
} as unknown as ShownStatement;

/** The text of the section of a kind on the page of a record. */
function section(kind: Omit<ShownKind, 'name' | 'path'>, latest?: Latest): string {
  const { text } = recordOverview({
    basePath: '',
    record: '1',
    strip: html``,
    latest: latest ? [latest] : [],
    folded: [],
    current: latest ? [] : [{ name: 'Medications', path: '/all', ...kind }],
    person: [],
    history: { statements: [] },
    kinds: [],
    apps: [],
    pathOf: () => undefined,
  });
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

it.each([
  [0, 0, 'Medications None, except in words. Other medications, recorded in words: Aspirin'],
  [0, 2, 'Medications None current. See 2 past Other medications, recorded in words: Aspirin'],
  [1, 1, 'Medications Aspirin Other medications, recorded in words: Aspirin'],
])('lists below a kind with %i of %i what is kept in words', (shown, total, text) => {
  const one = { name: 'Other medications', path: '/words', total: 1, past: 0, isCut: false };
  const statements = Array.from({ length: shown }, () => statement);
  const unmapped = { ...one, statements: [statement] };
  expect(section({ statements, total, past: total - shown, isCut: false, unmapped })).toBe(text);
});

describe('the latest results', () => {
  const result = (test: string, date: string, more: Partial<Result> = {}): Latest['results'][number] => ({
    latest: { iri: test, test, key: test, value: '5', unit: 'g', range: '', date, isDrawn: false, ...more },
    earlier: undefined,
  });
  const high = { range: '1 to 4 g', flag: { letters: 'H', text: 'High', isCritical: false } };
  const shown = (results: Latest['results'], visited?: string, total = results.length): string =>
    section(
      { statements: [], total: 0, past: 0, isCut: false },
      { name: 'Results', path: '/results', results, total, visited, today: '2026-11-28' },
    );

  it('say how old they are, once where all are of one day', () => {
    expect(shown([result('A', '2024-01-23T10:00:00Z'), result('B', '2024-01-23', high)])).toBe(
      'Latest results 23 Jan 2024 2 years ago A 5 g B 5 g H High normal 1 to 4 g Abnormal results first.',
    );
    expect(shown([result('A', '2026-11-01', high), result('B', '2020', high)], '2026-11-20', 9)).toBe(
      'Latest results A 5 g H High 1 Nov 2026 before the last visit · normal 1 to 4 g ' +
        'B 5 g H High 2020 about 6 years ago · normal 1 to 4 g See all 9',
    );
  });

  it('say once that no range tells high from normal', () => {
    expect(shown([result('A', '2026-11-20'), result('B', '2026-11-20')], '2026-11-20')).toBe(
      'Latest results 20 Nov 2026 A 5 g B 5 g No normal ranges are recorded, so none is marked high or low.',
    );
  });
});
