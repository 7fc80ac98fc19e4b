import { expect, it } from 'vitest';
import { html } from '../../src/http/html/html.js';
import { recordOverview, type ShownKind } from '../../src/pages/record/overview-of-record.js';
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
function section(kind: Omit<ShownKind, 'name' | 'path'>): string {
  const { text } = recordOverview({
    basePath: '',
    record: '1',
    strip: html``,
    latest: [],
    folded: [],
    current: [{ name: 'Medications', path: '/all', ...kind }],
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
  [0, 0, 'Medications None coded. Also recorded, not coded: Aspirin'],
  [0, 2, 'Medications None current. See 2 past Also recorded, not coded: Aspirin'],
  [1, 1, 'Medications Aspirin Also recorded, not coded: Aspirin'],
])('lists below a kind with %i of %i what is kept in words', (shown, total, text) => {
  const one = { name: 'Medications, not coded', path: '/words', total: 1, past: 0, isCut: false };
  const statements = Array.from({ length: shown }, () => statement);
  const unmapped = { ...one, statements: [statement] };
  expect(section({ statements, total, past: total - shown, isCut: false, unmapped })).toBe(text);
});
