import { expect, test } from 'vitest';
import { RecordIds } from '../../src/fhir/record-ids.js';

const system = 'urn:oid:1.2.36.146.595.217.0.1';
const iri = 'urn:patient';
const patient = (...values: string[]) => ({
  type: 'Patient',
  id: 'p',
  iri,
  fullUrl: undefined,
  value: { identifier: values.map((value) => ({ system, value })) },
  place: '',
});

test('a batch keeps the records that were known when it was full', () => {
  const ids = new RecordIds({ system });
  const before = ids.known();
  ids.learn(patient('1', '2'));
  const first = ids.known();
  ids.learn(patient('3'));
  ids.learn(patient('4'));
  const second = ids.known();
  expect([before, first, second].map((recordOf) => recordOf(iri))).toEqual([undefined, '2', '4']);
  expect(ids.of(iri)).toBe('4');
});
