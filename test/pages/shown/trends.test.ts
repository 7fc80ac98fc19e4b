import { expect, it } from 'vitest';
import type { ClassModel, TrendKind } from '../../../src/model/ontology/model.js';
import { trendSvg } from '../../../src/pages/record/trend-svg.js';
import { trendsOf, type Measured } from '../../../src/pages/shown/trends.js';
import { atOnce } from '../../../src/store/steps.js';

/** What was measured, with its number under the same code and unit. */
function measured(id: string, group: 'history' | 'current', value: number, trend: TrendKind): Measured {
  const shown = { title: ['name'], group, order: 1 };
  const model = { iri: `urn:class:${group}:${trend}`, shown } as unknown as ClassModel;
  const head = { iri: id, model, kind: '', title: 'HbA1c', code: 'urn:code', date: '2024-01-02' };
  const statement = { ...head, place: Infinity };
  const quantity = { label: '', chart: 'Value', value, text: String(value), unit: '%', order: 1, trend };
  return { statement, quantities: [quantity] };
}

const drawn = (all: readonly Measured[]) => atOnce(trendsOf(all, undefined));

it('draws a target as a line across the chart of its code, and never as a point', () => {
  const [chart, ...others] = drawn([
    measured('a', 'history', 8, 'time'),
    measured('goal', 'current', 7, 'target'),
  ]);
  expect(others).toEqual([]);
  expect(chart?.targets).toEqual([{ value: 7, text: '7' }]);
  expect(chart?.lines.flatMap(({ points }) => points.map(({ iri }) => iri))).toEqual(['a']);
  const svg = chart && trendSvg(chart).text;
  expect(svg?.match(/<circle /gu)).toHaveLength(1);
  expect(svg).toMatch(/<line class="target"/u);
});

it('draws no chart of targets alone', () => {
  expect(drawn([measured('goal', 'current', 7, 'target')])).toEqual([]);
});

it('draws two devices of one kind as two lines, also where both began on one day', () => {
  const [chart] = drawn(['first', 'second'].map((id) => measured(id, 'current', 3, 'time')));
  expect(chart?.lines.map(({ points }) => points.map(({ iri }) => iri))).toEqual([['first'], ['second']]);
});

it('draws no line between two values of one moment', () => {
  const [chart] = drawn([
    measured('a', 'history', 8, 'time'),
    measured('b', 'history', 9, 'time'),
    ...[7, 6].map((value, at) => {
      const { statement, quantities } = measured(`c${at}`, 'history', value, 'time');
      return { statement: { ...statement, date: `202${at + 5}-01-02` }, quantities };
    }),
  ]);
  const svg = chart && trendSvg(chart).text;
  const lines = [...(svg ?? '').matchAll(/<polyline points="([^"]*)"/gu)].map(
    ([, at]) => at?.split(' ').length,
  );
  expect([svg?.match(/<circle /gu)?.length, lines]).toEqual([4, [1, 3]]);
});

it('draws charts in the order of the latest results, and what is far older than the newest last', () => {
  const twice = (title: string, place: number, years: readonly number[]): Measured[] =>
    years.map((year) => {
      const { statement, quantities } = measured(`${title}${year}`, 'history', 5, 'time');
      return { statement: { ...statement, title, code: title, place, date: String(year) }, quantities };
    });
  const charts = drawn([
    ...twice('Head circumference', 1, [1952, 1953]),
    ...twice('Zinc', Infinity, [2021, 2022, 2023]),
    ...twice('Potassium', 3, [2022, 2023]),
  ]);
  expect(charts.map(({ title }) => title)).toEqual(['Potassium', 'Zinc', 'Head circumference']);
});
