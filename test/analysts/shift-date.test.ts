import { describe, expect, it } from 'vitest';
import { leastYearIn, shiftDate } from '../../src/analysts/deidentify/literals.js';

const view = { days: 200, leastYear: 1937 };

describe('a shifted date', () => {
  it.each([
    ['2010-06-15', '2009-11-27'],
    ['2012-03-01', '2011-08-14'],
    ['2010-06-15T10:15:00Z', '2009-11-27'],
    ['2010-06-15T10:15:00.250+02:00', '2009-11-27'],
    ['2010-06-15T22:30-04:00', '2009-11-27'],
    ['2010-06-15T01:30:05,5+0530', '2009-11-27'],
    ['2010-06-15T10-05', '2009-11-27'],
    ['2010-06-15T10:15', '2009-11-27'],
    ['2010-06-15T10', '2009-11-27'],
    ['2010-06', '2009-11'],
    ['2010-02', '2009-07'],
    ['2010', '2009'],
  ])('of %s, by 200 days, is %s', (text, shifted) => {
    expect(shiftDate(text, view)).toBe(shifted);
  });

  it('that is partial means the period in which the middle of the shifted one lies', () => {
    expect(shiftDate('2010', { ...view, days: 180 })).toBe('2010');
    expect(shiftDate('2010', { ...view, days: 183 })).toBe('2009');
    expect(shiftDate('2010-06', { ...view, days: 14 })).toBe('2010-06');
    expect(shiftDate('2010-06', { ...view, days: 15 })).toBe('2010-05');
  });

  it('keeps the intervals between days, over leap years too', () => {
    const days = ['2011-12-31', '2012-02-28', '2012-02-29', '2012-03-01', '2013-01-01'];
    const shifted = days.map((day) => Date.parse(shiftDate(day, view) ?? ''));
    const intervals = (times: readonly number[]): number[] =>
      times.slice(1).map((time, at) => time - (times[at] ?? 0));
    expect(intervals(shifted)).toEqual(intervals(days.map((day) => Date.parse(day))));
  });

  it.each(['T00:00:00-04:00', 'T23:59:59Z', 'T08:15:12.250+05:30', 'T10', 'T22:45'])(
    'has no time of day, which could tell the place or one event: %s',
    (clock) => {
      expect(shiftDate(`2010-06-15${clock}`, view)).toBe('2009-11-27');
    },
  );

  it('is no more than a year where no more is to be shown', () => {
    expect(shiftDate('1970-08-01T10:00', { ...view, yearOnly: true })).toBe('1970');
    expect(shiftDate('1970-02-03', { ...view, yearOnly: true })).toBe('1969');
  });

  it('is the least year for that year and all before it', () => {
    expect(shiftDate('1937-12-31', view)).toBe('1937');
    expect(shiftDate('1938-01-01', view)).toBe('1937');
    expect(shiftDate('1938-12-31', view)).toBe('1938-06-14');
    expect(shiftDate('1850', view)).toBe('1937');
    expect(shiftDate('0000-01-01', view)).toBe(undefined);
  });

  it.each(['', 'yesterday', '2010-13', '2011-02-29', '15.06.2010'])('of %j is none', (text) => {
    expect(shiftDate(text, view)).toBe(undefined);
  });
});

describe('the least year', () => {
  it('has everybody in it who turns 90 in the present year or the next', () => {
    expect(leastYearIn(2026)).toBe(1937);
  });
});
