import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daysInMonth, readIsoDate } from '../../src/rdf/iso-date.js';
import { runs } from '../setup/runs.js';

const form =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d)(?::(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)?(Z|[+-]\d\d(?::?\d\d)?)?)?)?)?$/;

/** Whether a text is a date, worked out with numbers instead of the pattern. */
function isDate(text: string): boolean {
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', , zone = 'Z'] =
    form.exec(text) ?? [];
  if (year === undefined) return false;
  const utc = new Date(0);
  utc.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const isDay = utc.getUTCMonth() === Number(month) - 1 && utc.getUTCDate() === Number(day);
  const [, hours = '00', minutes = '00'] = /^.(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  const isZone = Number(minutes) < 60 && Number(hours) * 60 + Number(minutes) <= 14 * 60;
  return isDay && isZone && hour < '24' && minute < '60' && second < '60';
}

describe('a date of ISO 8601', () => {
  it.each([
    ['2010', ['2010']],
    ['2010-06', ['2010', '06']],
    ['2010-06-15', ['2010', '06', '15']],
    ['2010-06-15T10', ['2010', '06', '15', '10']],
    ['2010-06-15T10Z', ['2010', '06', '15', '10', undefined, undefined, undefined, 'Z']],
    ['2010-06-15T10:30-0500', ['2010', '06', '15', '10', '30', undefined, undefined, '-0500']],
    ['2010-06-15T10:30:05,25+01:00', ['2010', '06', '15', '10', '30', '05', '25', '+01:00']],
    ['2010-06-15T10:30:05.5', ['2010', '06', '15', '10', '30', '05', '5', undefined]],
  ])('%s has the parts %j', (text, parts) => {
    const [year, month, day, hour, minute, second, fraction, zone] = parts;
    expect(readIsoDate(text)).toEqual({ year, month, day, hour, minute, second, fraction, zone });
  });

  it.each([
    '',
    '10',
    '2010-13',
    '2010-02-29',
    '2010-04-31',
    '2010-06T10',
    '2010-06-15T24',
    '2010-06-15T10:30+14:01',
  ])('%j is none', (text) => {
    expect(readIsoDate(text)).toBeUndefined();
  });

  it('has the days that the calendar has, in every month of 400 years', () => {
    for (let year = 1900; year < 2300; year++) {
      for (let month = 1; month <= 12; month++) {
        expect(daysInMonth(year, month)).toBe(new Date(Date.UTC(year, month, 0)).getUTCDate());
      }
    }
  });

  it('is what numbers say too', () => {
    const two = (most: number): fc.Arbitrary<string> =>
      fc.nat(most).map((number) => String(number).padStart(2, '0'));
    const zone = fc.oneof(
      fc.constantFrom('', 'Z', 'z', '+', '+14', '-1401'),
      fc
        .tuple(fc.constantFrom('+', '-'), two(15), fc.constantFrom('', ':'), two(61))
        .map((parts) => parts.join('')),
    );
    const texts = fc
      .tuple(
        fc.nat(9999),
        two(13),
        two(32),
        two(25),
        two(61),
        two(61),
        fc.constantFrom('', '.5', ',123', '.'),
        zone,
      )
      .map(([year, month, day, hour, minute, second, fraction, offset]) => {
        return `${String(year).padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}${fraction}${offset}`;
      });
    const cut = fc.tuple(texts, fc.nat(32)).map(([text, length]) => text.slice(0, length));
    fc.assert(
      fc.property(fc.oneof(texts, cut), (text) => {
        expect(readIsoDate(text) !== undefined).toBe(isDate(text));
      }),
      { numRuns: runs(3000) },
    );
  });
});
