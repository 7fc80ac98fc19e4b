import { expect, it } from 'vitest';
import { analysisChart, chartKey } from '../../src/analysts/workbench/analysis-chart.js';
import { withoutNamespace } from '../../src/analysts/workbench/analyses-page.js';
import { valueTicks } from '../../src/http/html/chart-parts.js';
import { rowsTable } from '../../src/http/html/rows-table.js';
import { style } from '../../src/http/html/style.js';

const data = (kind: 'bar' | 'line') => ({
  title: 'Patients',
  kind,
  series: ['female', 'male', 'other', 'unknown'],
  points: [{ across: '0 to 9', values: [1, 2, 3, 4] }],
});

it.each(['bar', 'line'] as const)('the legend of a %s chart shows each series as it is drawn', (kind) => {
  const key = chartKey(data(kind));
  const shape = kind === 'bar' ? 'rect' : 'polyline';
  const drawn = (text: string): (string | undefined)[] =>
    [...text.matchAll(new RegExp(`<g class="([^"]+)">\\s*<${shape}\\s`, 'g'))].map(([, name]) => name);
  expect(drawn(key ? key.text : '')).toEqual(
    [0, 1, 2, 3].map((at) => drawn(analysisChart(data(kind)).text)[at]),
  );
  expect(
    key &&
      key.text
        .replaceAll(/<[^>]*>/g, ' ')
        .split(/\s+/)
        .filter(Boolean),
  ).toEqual(data(kind).series);
});

it.each(['bar', 'line'])('no two of four series of a %s chart differ by colour alone', (kind) => {
  const looks = [0, 1, 2, 3].map((at) =>
    [...style.matchAll(new RegExp(`\\.${kind}${at}(?: polyline)? \\{([^}]*)\\}`, 'g'))]
      .flatMap(([, rules = '']) => rules.match(/(?:stroke-dasharray|fill-opacity): [^;]+/g) ?? [])
      .join(),
  );
  expect(new Set(looks).size).toBe(4);
});

const lineOver = (...names: string[]): string =>
  analysisChart({
    title: 'Values',
    kind: 'line',
    series: ['mean'],
    points: names.map((across, at) => ({ across, values: [at] })),
  }).text;
const circles = (chart: string): number[] =>
  [...chart.matchAll(/<circle cx="([\d.]+)"/g)].map(([, x]) => Number(x));
const namesOf = (chart: string): (string | undefined)[] =>
  [...chart.matchAll(/text-anchor="middle">([^<]*)</g)].map(([, name]) => name);

it.each([[['2005', '2006', '2010']], [['2020-01-01', '2020-01-02', '2020-01-06']], [['-1', '0', '4']]])(
  'a line over %s keeps the distances between them',
  (across) => {
    const [first = 0, second = 0, last = 0] = circles(lineOver(...across));
    expect((second - first) / (last - first)).toBeCloseTo(0.2, 2);
  },
);

it.each([[['b', 'a', 'c']], [['2010', '2005', '2006']], [['2010', 'unknown', '2012']], [['7']]])(
  'a line over %s has them side by side',
  (across) => {
    const drawn = circles(lineOver(...across));
    const gaps = drawn.slice(1).map((x, at) => x - (drawn[at] ?? 0));
    expect(Math.max(0, ...gaps) - Math.min(Infinity, ...gaps)).toBeLessThan(0.2);
    expect(drawn).toHaveLength(across.length);
  },
);

it('names below an axis do not stand on each other, and are cut to their room', () => {
  const years = Array.from({ length: 20 }, (_, at) => String(2000 + at));
  expect(namesOf(lineOver(...years, '2100'))).toEqual(['2000', '2015', '2100']);
  const months = Array.from({ length: 12 }, (_, at) => `2020-${String(at + 1).padStart(2, '0')}`);
  expect(namesOf(lineOver(...months))).toEqual(['2020-01', '2020-04', '2020-07', '2020-10']);
  expect(namesOf(lineOver('a very long name of a place', 'x', 'y', 'z', 'u', 'v', 'w'))[0]).toBe('a ve…');
});

it.each([
  [0, 8.6, ['0', '5', '10']],
  [0, 0, ['0', '1']],
  [-3, 12, ['-5', '0', '5', '10', '15']],
  [0.001, 0.0042, ['0.001', '0.002', '0.003', '0.004', '0.005']],
  [0, 3_400_000, ['0', '1000000', '2000000', '3000000', '4000000']],
  [2e-120, 6e-120, ['2e-120', '4e-120', '6e-120']],
])('ticks from %s to %s are round', (least, most, expected) => {
  expect(valueTicks(least, most).map(({ text }) => text)).toEqual(expected);
});

it.each([
  [-1.7e308, 1.7e308],
  [5e-324, 5e-324],
  [1e300, 1.0000000000000002e300],
])('ticks from %s to %s are few, though no number is round there', (least, most) => {
  const ticks = valueTicks(least, most);
  expect(ticks.length).toBeGreaterThan(1);
  expect(ticks.length).toBeLessThan(10);
});

it('bars lie below their whole names, however long', () => {
  const name = 'Laparoscopic repair of paraesophageal hernia with implantation of synthetic mesh (procedure)';
  const points = [name, 'x'].map((across, at) => ({ across, values: [at + 1] }));
  const { text } = analysisChart({ title: 'Procedures', kind: 'bar', series: ['patients'], points });
  const names = [...text.matchAll(/<text class="name"[^>]*>([^<]*)</g)].map(([, line]) => line);
  expect(names).toHaveLength(3);
  expect(names.slice(0, 2).join(' ')).toBe(name);
  const [first = 0, second = 0] = [...text.matchAll(/<rect\s[^>]*width="([\d.]+)"/g)].map(([, w]) =>
    Number(w),
  );
  expect(second / first).toBeCloseTo(2, 1);
});

it('only what is abnormal has the colour of danger, in the chart and in its legend', () => {
  const danger = [...style.matchAll(/--danger: (#\w+)/g)].map(([, colour]) => colour);
  for (const [, colour] of style.matchAll(/--line\d: (#\w+)/g)) expect(danger).not.toContain(colour);
  const judged = { ...data('bar'), series: ['abnormal', 'judged'] };
  const key = chartKey(judged);
  for (const { text } of [analysisChart(judged), ...(key ? [key] : [])])
    expect(text.match(/class="bars[^"]*"/g)).toEqual(['class="bars bar0 abnormal"', 'class="bars bar1"']);
});

it.each([
  ['http://snomed.info/sct/44054006', '44054006'],
  ['http://smartplatforms.org/terms#Problem', 'Problem'],
  ['urn:uuid:0b5c', '0b5c'],
  ['Type 2 diabetes', 'Type 2 diabetes'],
  ['see http://a.example/b', 'see http://a.example/b'],
])('of %s a table shows %s', (text, shown) => {
  expect(withoutNamespace(text)).toBe(shown);
});

it('numbers of a table stand at the right, names at the left', () => {
  const { text } = rowsTable(
    'T',
    ['code', 'name', 'patients'],
    [
      ['1', 'a', '12'],
      ['2', 'b', '1.5'],
    ],
  );
  expect(text.match(/<t[hd] ?[^>]*class="number"[^>]*>[^<]*/g)).toHaveLength(3);
  expect(text).not.toMatch(/class="number"[^>]*>(?:1|2|a|b|code|name)</);
});
