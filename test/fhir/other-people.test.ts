import { describe, expect, it } from 'vitest';
import { loadFhir, type FhirFileReport, type FhirLoadOptions } from '../../src/fhir/load-fhir.js';
import { base } from '../records/support.js';
import { fhirPlace, fileOf, linesOf, mapping, ontology, resources, type Resource } from './support.js';

const { patient } = resources;
const born = (birthDate: string): Resource => ({ ...patient, birthDate });
const called = (family: string): Resource => ({ ...patient, name: [{ family, given: ['Ann'] }] });
const othersOf = ({ report }: FhirFileReport): string[] => Object.keys(report.others);

describe('a patient who is loaded into the record of another person', () => {
  const both = 'birth date and family name of record';
  const other = { ...called('Lake'), id: 'p2', birthDate: '1999-09-09' };

  it('is told, with what differs and where it stands, and without what it says', async () => {
    const { load, statements } = await fhirPlace();
    await load([patient], { recordId: '5' });
    const loaded = await load([other], { recordId: '5' });
    expect(loaded.report.others).toEqual({
      [`${both} 5`]: { count: 1, example: 'Patient at line 1, entry 0' },
    });
    const sentences = linesOf(loaded.report);
    expect(sentences).toContain(
      `  1 Patient: it may be another person than the one of the record, since these differ (first: test.json: Patient at line 1, entry 0, ${both} 5)`,
    );
    expect(sentences.join()).not.toMatch(/Lake|Vale|1999|1950/u);
    expect(statements('5').demographics).toContain('bday 1999-09-09');
    // By now it is the same one.
    expect(othersOf(await load([other], { recordId: '5' }))).toEqual([]);
  });

  it.each([
    ['an id', {}, { ...other, id: 'p1' }, 'p1'],
    ['an identifier', { system: 'urn:oid:1.2.36.146.595.217.0.1' }, other, '4711'],
    ['an option', { recordId: 'p1' }, other, 'p1'],
  ] as const)('is told where %s names the record, in a dry run, too', async (_, options, second, id) => {
    for (const dry of [true, false]) {
      const { load } = await fhirPlace();
      await load([patient], options);
      expect([dry, othersOf(await load([second], { ...options, dry }))]).toEqual([dry, [`${both} ${id}`]]);
    }
  });

  it('is told where both come in one load, in one batch and in a dry run, too', async () => {
    const lines = [patient, { ...other, id: 'p2' }].map((each) => JSON.stringify(each));
    const load = async (files: FhirLoadOptions['files'], dry: boolean) => {
      const { primary } = await fhirPlace();
      return loadFhir({
        files,
        primary,
        ontology,
        mapping,
        base,
        dry,
        system: 'urn:oid:1.2.36.146.595.217.0.1',
      });
    };
    for (const dry of [true, false]) {
      const [one] = await load([fileOf(lines.join('\n'))], dry);
      const inTwo = await load([fileOf(lines.join('\n')), fileOf(lines.join('\n'))], dry);
      expect([one, ...inTwo].map((report) => report && othersOf(report).length)).toEqual([1, 1, 1]);
    }
  });

  it('is told by the name where the birth date is none, which costs only the date', async () => {
    const { load } = await fhirPlace();
    await load([patient]);
    const { report } = await load([{ ...other, id: 'p1', birthDate: '1999-13-40' }]);
    expect(report.invalid).toEqual({});
    expect(Object.keys(report.others)).toEqual(['family name of record p1']);
  });
});

it.each([
  ['another birth date', born('1950-02-04'), ['birth date of record p1']],
  ['a birth date that is less exact', born('1950-02'), []],
  ['another year of birth', born('1951'), ['birth date of record p1']],
  ['another family name', called('Val'), ['family name of record p1']],
  ['a family name in capitals', called('VALE'), []],
  ['no name', { ...patient, name: undefined }, []],
  ['another gender and address', { ...patient, gender: 'male', address: [{ city: 'Else' }] }, []],
])('with %s the patient is told: %#', async (_, second, expected) => {
  const { load } = await fhirPlace();
  await load([patient]);
  expect(othersOf(await load([second]))).toEqual(expected);
});
