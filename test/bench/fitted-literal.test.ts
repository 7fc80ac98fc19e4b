import { expect, test } from 'vitest';
import { allows } from '../../src/model/ontology/allowed-literals.js';
import type { DataRange, Limit } from '../../src/model/ontology/model.js';
import { literal, namedNode } from '../../src/rdf/terms.js';
import { rdfs, xsd } from '../../src/rdf/vocabulary.js';
import { fitted } from '../../bench/synth/fitted-literal.mjs';
import { Random } from '../../bench/synth/random.mjs';

const range = (datatype: string, ...limits: Limit[]): DataRange => ({ datatype, limits, listed: [] });
const least = (bound: string, open = false): Limit => ({ of: 'value', side: 'least', open, bound });
const most = (bound: string, open = false): Limit => ({ of: 'value', side: 'most', open, bound });
const length = (side: Limit['side'], bound: string): Limit => ({ of: 'length', side, open: false, bound });

const list = (...texts: string[]): DataRange => ({
  datatype: rdfs.Literal,
  limits: [],
  listed: texts.map((text) => literal(text, namedNode(xsd.integer))),
});

// prettier-ignore
test.each<readonly [what: string, ranges: readonly DataRange[]]>([
  ['numbers',                    [range(xsd.decimal, least('41.5'), most('42', true))]],
  ['numbers close together',     [range(xsd.decimal, least('0.0001', true), most('0.0002', true))]],
  ['one number',                 [range(xsd.decimal, least('7.25'), most('7.25'))]],
  ['numbers from a bound on',    [range(xsd.decimal, least('1000'))]],
  ['numbers up to a bound',      [range(xsd.decimal, most('-1000', true))]],
  ['whole numbers',              [range(xsd.integer, least('3', true), most('4'))]],
  ['whole numbers of a class above', [range(xsd.integer, least('-9')), range(xsd.decimal, most('-8.5'))]],
  ['days',                       [range(xsd.date, least('1950-01-01'), most('1950-01-03', true))]],
  ['days from one on',           [range(xsd.date, least('2030-01-01'))]],
  ['times',                      [range(xsd.dateTime, least('1950-01-01T00:00:00Z'))]],
  ['times without a zone',       [range(xsd.dateTime, most('1950-01-01T00:00:00'))]],
  ['long texts',                 [range(xsd.string, length('least', '200'))]],
  ['short texts',                [range(xsd.string, length('most', '2'))]],
  ['texts of a length',          [range(xsd.string, length('least', '5'), length('most', '5'))]],
  ['listed values',              [list('3', '4'), list('4', '5')]],
])('%s are invented within what is allowed', (_, ranges) => {
  const random = new Random('fitted');
  for (let count = 0; count < 50; count++) {
    for (const invented of ['', '37', '2010-06-15', 'some words of a note']) {
      const text = fitted(invented, ranges, random);
      expect(ranges.every((each) => allows(each, literal(text))), text).toBe(true);
    }
  }
});

test('what is allowed as it was invented stays as it is', () => {
  expect(fitted('37.5', [range(xsd.decimal, least('25'))], new Random('a'))).toBe('37.5');
  expect(fitted('anything', [], new Random('a'))).toBe('anything');
});
