import { describe, expect, it } from 'vitest';
import { hasOwnTime, trendSvg } from '../../src/pages/record/trend-svg.js';
import type { Trend } from '../../src/pages/shown/trends.js';

const DAY = 24 * 60 * 60 * 1000;
const FIRST = Date.UTC(2020, 0, 1);

/** Values that go up and down, on some days. */
function trendOf(days: readonly number[]): Trend {
  const points = days.map((day, index) => {
    const time = FIRST + day * DAY;
    const value = 60 + (index % 7);
    const date = new Date(time).toISOString().slice(0, 10);
    return { time, date, value, text: String(value), iri: `urn:value:${index}` };
  });
  return {
    title: 'Heart rate',
    unit: '/min',
    lines: [{ label: '', points }],
    targets: [],
    againstAge: false,
  };
}

const drawn = (count: number): string => trendSvg(trendOf([...Array(count).keys()])).text;

/** The ticks of the time axis, by their places. */
const ticks = (svg: string): [number, string][] =>
  [...svg.matchAll(/class="tick" x1="([\d.]+)".*?<text[^>]*>([^<]*)</gsu)].map(([, x, text = '']) => [
    Number(x),
    text,
  ]);

describe('a chart', () => {
  it('of few values has points that are easy to hit, one of each value, with what it says', () => {
    const svg = drawn(10);
    expect(svg.match(/<circle [^>]*r="3\.5"><title>[^<]+: 6\d .*?<\/title>/gu)).toHaveLength(10);
    expect(svg).toContain('class="line line0"');
  });

  it('of many values has points that do not hide their line', () => {
    const svg = drawn(330);
    expect(svg.match(/<circle [^>]*r="1\.5"><title>/gu)).toHaveLength(330);
    expect(svg).toContain('class="line line0 dense"');
  });

  it.each([
    // the days of its values, and what stands below
    [
      [0, 0.2],
      ['29 Dec', '31 Dec', '2 Jan', '4 Jan'],
    ],
    [
      [0, 1, 2, 9],
      ['1 Jan', '3 Jan', '5 Jan', '7 Jan', '9 Jan'],
    ],
    [
      [0, 15],
      ['1 Jan', '5 Jan', '9 Jan', '13 Jan'],
    ],
    [
      [0, 60],
      ['31 Dec', '14 Jan', '28 Jan', '11 Feb', '25 Feb'],
    ],
    [
      [0, 100],
      ['Jan 2020', 'Feb 2020', 'Mar 2020', 'Apr 2020'],
    ],
  ])('of values on the days %j has %j below, with room between', (days, expected) => {
    const found = ticks(trendSvg(trendOf(days)).text);
    expect(found.map(([, text]) => text)).toEqual(expected);
    for (const [at, [x]] of found.slice(1).entries()) expect(x - (found[at]?.[0] ?? 0)).toBeGreaterThan(60);
  });

  it('spans the time of what stands beside it', () => {
    const [early, late] = [trendOf([0, 400]), trendOf([2000, 2400])];
    const [first, second] = [early, late].map((trend) =>
      ticks(trendSvg(trend, undefined, [early, late]).text),
    );
    expect(first).toEqual(second);
    expect(first).not.toEqual(ticks(trendSvg(early).text));
  });

  it('has the scale of what stands beside it in its unit, with its normal range, and of no other', () => {
    const [small, large] = [trendOf([0, 400]), trendOf([0, 400])];
    const high = { ...large, normal: { high: 300, unit: '/min', text: 'below 300' } };
    const scale = (trend: Trend, beside: Trend[]) =>
      [...trendSvg(trend, undefined, beside).text.matchAll(/text-anchor="end">([^<]*)/gu)].map(
        ([, text]) => text,
      );
    expect(scale(small, [small, high])).toEqual(scale(high, [small, high]));
    expect(scale(small, [small, high])).not.toEqual(scale(small, [small]));
    expect(scale(small, [small, { ...high, unit: 'mmol/L' }])).toEqual(scale(small, [small]));
  });

  it('has its own time where that is less than a tenth of that of all', () => {
    const [long, short, twice] = [trendOf([0, 4000]), trendOf([3601, 4000]), trendOf([3600, 4000])];
    const times = (trend: Trend) => ticks(trendSvg(trend, undefined, [long, trend]).text);
    expect(times(short)).toEqual(ticks(trendSvg(short).text));
    expect(times(long)).toEqual(ticks(trendSvg(long).text));
    expect(times(twice)).toEqual(times(long));
    expect([short, long, twice].map((each) => hasOwnTime(each, [long, each]))).toEqual([true, false, false]);
  });

  it('is dotted where the gap is far longer than is usual in its line', () => {
    const shape = (days: readonly number[]) =>
      [...trendSvg(trendOf(days)).text.matchAll(/<polyline (class="gap" )?points="([^"]*)"/gu)].map(
        ([, gap, at = '']) => `${gap ? 'dotted' : 'line'} ${at.split(' ').length}`,
      );
    expect(shape([0, 10, 20, 50])).toEqual(['line 4']);
    expect(shape([0, 10, 20, 51, 61])).toEqual(['line 3', 'line 2', 'dotted 2']);
    // Nobody knows what is usual between two values.
    expect(shape([0, 4000])).toEqual(['line 2']);
    expect(shape([0, 1, 4000])).toEqual(['line 2', 'line 1', 'dotted 2']);
  });
});
