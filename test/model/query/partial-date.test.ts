import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dateOperators } from '../../../src/model/ontology/model.js';
import { instants } from '../../../src/model/query/partial-date.js';
import { keepsDate } from './keeps-date.js';

const given = ['2010', '2010-06', '2010-06-15', '2010-06-15T10:30:00Z'];

/** Kept by F = from, Fx = from_excluding, T = to, Tx = to_excluding: one row a stored date, one column a given one. */
const primary: Record<string, string> = {
  '2009': 'T Tx | T Tx | T Tx | T Tx',
  '2010': 'F T | F Fx T Tx | F Fx T Tx | F Fx T Tx',
  '2010-05': 'F T | T Tx | T Tx | T Tx',
  '2010-06': 'F T | F T | F Fx T Tx | F Fx T Tx',
  '2010-06-14': 'F T | F T | T Tx | T Tx',
  '2010-06-15': 'F T | F T | F T | F Fx T Tx',
  '2010-06-15T00:00:00Z': 'F T | F T | F T | T Tx',
  '2010-06-15T10:30:00Z': 'F T | F T | F T | F T',
  '2010-06-15T23:59:59Z': 'F T | F T | F T | F Fx',
  '2010-06-16': 'F T | F T | F Fx | F Fx',
  '2010-07': 'F T | F Fx | F Fx | F Fx',
  '2011': 'F Fx | F Fx | F Fx | F Fx',
};
const letters = { from: 'F', from_excluding: 'Fx', to: 'T', to_excluding: 'Tx' };

describe('date filters', () => {
  for (const [stored, row] of Object.entries(primary)) {
    test.each(given.map((value, column) => [value, row.split(' | ')[column]]))(
      `a statement of ${stored} is kept for %s by %s`,
      (value, cell) => {
        const kept = dateOperators.filter((operator) => keepsDate(operator, stored, value));
        expect(kept.map((operator) => letters[operator]).join(' ')).toBe(cell);
      },
    );
  }

  test.each([
    [
      '2010',
      [
        ['from', '2010-08'],
        ['to', '2010-03'],
      ],
    ],
    [
      '2010-06-15',
      [
        ['from', '2010-06-15'],
        ['to', '2010-06-15'],
      ],
    ],
    [
      '2010-06-15',
      [
        ['from_excluding', '2010-06-14'],
        ['to_excluding', '2010-06-16'],
      ],
    ],
    [
      '2010-06',
      [
        ['from', '2010-06-20'],
        ['to', '2010-06-25'],
      ],
    ],
  ] as const)('a statement of %s passes each of two filters alone', (stored, filters) => {
    for (const [operator, value] of filters) expect(keepsDate(operator, stored, value)).toBe(true);
  });

  test.each([
    ['2010-06-15T10:30Z', 'from', '2010-06-15T10:30:00Z', true],
    ['2010-06-15T10:30Z', 'to', '2010-06-15T10:30:00Z', true],
    ['2010-06-15T10:30:00.000Z', 'from', '2010-06-15T10:30:00Z', true],
    ['2010-06-15T10:30:00.000Z', 'to', '2010-06-15T10:30:00Z', true],
    ['2010-06-15T00:30:00+02:00', 'from', '2010-06-15', false],
    ['2010-06-15T00:30:00+02:00', 'to', '2010-06-14', true],
    ['2010-06-14T23:30:00-05:00', 'from', '2010-06-15', true],
    ['2010-06-15T10:30:00', 'to', '2010-06-15T10:30:00Z', true],
    ['junk', 'from', '2010', false],
  ] as const)('%s with %s=%s is compared as an instant, not as text: %s', (stored, operator, value, kept) => {
    expect(keepsDate(operator, stored, value)).toBe(kept);
  });
});

describe('instants', () => {
  test.each([
    ['2012-02', '2012-02-01T00:00:00.000Z', '2012-02-29T23:59:59.999Z'],
    ['2011-02', '2011-02-01T00:00:00.000Z', '2011-02-28T23:59:59.999Z'],
    ['2011-06-09T10', '2011-06-09T10:00:00.000Z', '2011-06-09T10:59:59.999Z'],
    ['2014-06-09T10:42:24.572415', '2014-06-09T10:42:24.572Z', '2014-06-09T10:42:24.572Z'],
    ['2014-06-09T10:42:24.5-05:30', '2014-06-09T16:12:24.500Z', '2014-06-09T16:12:24.599Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z', '0001-01-01T23:59:59.999Z'],
  ])('%s is the period from %s to %s', (text, low, high) => {
    expect(instants(text)).toEqual({ low, high });
  });

  test.each([
    '',
    'junk',
    '10',
    '2010-13',
    '2010-00',
    '2011-02-29',
    '2010-06-31',
    '2010-06-15T24:00:00Z',
    '2010-06-15T10:60Z',
    '2006-05-24T12:14:041.3421Z',
    '2010-06-15 10:30',
    '2010-06-15Z',
    '20100615',
    '2010-6-5',
    '+002010',
    ' 2010',
    '2010 ',
    '2010-06-15T10:30:00+15:00',
    '2010-06-15T10:30:00+02:60',
    '0000-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '２０１０',
    '2010\n',
  ])('%j is no date', (text) => {
    expect(instants(text)).toBeUndefined();
  });

  test('an instant in any zone is the same instant, and text order is time order', () => {
    const instant = fc.date({
      min: new Date('0100-01-01'),
      max: new Date('9900-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instant, instant, fc.integer({ min: -14 * 60, max: 14 * 60 }), (a, b, offset) => {
        const [first, second] = [written(a, offset), b.toISOString()].map((text) => instants(text));
        expect(first).toEqual({ low: a.toISOString(), high: a.toISOString() });
        expect((first?.low ?? '') < (second?.low ?? '')).toBe(a.getTime() < b.getTime());
      }),
    );
  });
});

function written(date: Date, offset: number): string {
  const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
}
