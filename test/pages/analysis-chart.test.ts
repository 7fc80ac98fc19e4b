import { expect, it } from 'vitest';
import { analysisChart, chartKey } from '../../src/pages/analysis-chart.js';
import { style } from '../../src/pages/style.js';

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
    [...text.matchAll(new RegExp(`<g class="([^"]+)">\\s*<${shape} `, 'g'))].map(([, name]) => name);
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
