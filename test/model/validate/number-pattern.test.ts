import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { xsd } from '../../../src/rdf/vocabulary.js';
import { lexicalPattern } from '../../../src/rdf/datatypes.js';
import { numberPattern } from '../../../src/model/validate/shapes/data-range-shapes.js';
import { runs } from '../../setup/runs.js';

const isNumber = new RegExp(lexicalPattern(xsd.decimal) ?? '');

/** Few digits, so that numbers are near each other, and JavaScript knows each exactly. */
const digits = fc.string({ unit: fc.constantFrom('0', '1', '4', '5', '9'), maxLength: 4 });
const number = fc
  .tuple(fc.constantFrom('', '-', '+'), digits, fc.constantFrom('', '.'), digits)
  .map(([sign, whole, point, fraction]) => sign + whole + point + (point === '' ? '' : fraction))
  .filter((text) => isNumber.test(text));

describe('the pattern of the numbers on one side of a bound', () => {
  test.each([
    ['least', false, (a: number, b: number) => a >= b],
    ['least', true, (a: number, b: number) => a > b],
    ['most', false, (a: number, b: number) => a <= b],
    ['most', true, (a: number, b: number) => a < b],
  ] as const)('holds those that JavaScript has there: %s, open %s', (side, open, compare) => {
    fc.assert(
      fc.property(number, number, (bound, text) => {
        const pattern = new RegExp(numberPattern({ side, open, bound }));
        expect(pattern.test(text), `${text} beside ${bound}`).toBe(compare(Number(text), Number(bound)));
      }),
      {
        numRuns: runs(5_000),
        examples: [
          ['0', '-0'],
          ['-0.0', '.0'],
          ['45.25', '45.2'],
          ['25', '025.00'],
          ['-5', '5'],
        ],
      },
    );
  });

  test('is read in time in proportion to the text', () => {
    for (const bound of ['25', '-0.005', '99.99']) {
      const pattern = new RegExp(numberPattern({ side: 'most', open: true, bound }));
      for (const text of [`${'0'.repeat(1e5)}x`, `0.${'0'.repeat(1e5)}x`, `${'9'.repeat(1e5)}x`])
        expect(pattern.test(text)).toBe(false);
    }
  }, 5_000);
});
