import { describe, expect, it } from 'vitest';
import { trendSvg } from '../../src/pages/record/trend-svg.js';

const DAY = 24 * 60 * 60 * 1000;
const FIRST = Date.UTC(2020, 0, 1);

/** Values that go up and down, one a day. */
function drawn(count: number): string {
  const points = Array.from({ length: count }, (_, index) => {
    const time = FIRST + index * DAY;
    const value = 60 + (index % 7);
    const date = new Date(time).toISOString().slice(0, 10);
    return { time, date, value, text: String(value), iri: `urn:value:${index}` };
  });
  const trend = {
    title: 'Heart rate',
    unit: '/min',
    lines: [{ label: '', points }],
    targets: [],
    againstAge: false,
  };
  return trendSvg(trend).text;
}

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
});
