import { describe, expect, it } from 'vitest';
import { loadFhir } from '../../src/fhir/load-fhir.js';
import { base } from '../records/support.js';
import {
  fhirPlace,
  fileOf,
  linesOf,
  mapping,
  ontology,
  resources,
  type Resource,
  underOldName,
} from './support.js';

const patient = (id: string, mrn = id): Resource => ({
  ...resources.patient,
  id,
  identifier: [{ system: 'urn:mrn', value: mrn }],
});
const of = (id: string) => ({ subject: { reference: `Patient/${id}` } });
const { condition, request, taken, smoking } = resources;
const [a, b] = [patient('A'), patient('B')];
const [ofA, ofB] = [
  { ...condition, ...of('A') },
  { ...condition, ...of('B') },
];
const ndjson = (all: readonly Resource[]): string => all.map((each) => JSON.stringify(each)).join('\n');

/** A place, what stands in the records A and B of it, and a load of several files. */
async function twoRecords() {
  const here = await fhirPlace();
  const paths = (id: string): string[] =>
    Object.keys(here.statements(id)).filter((path) => path !== 'demographics');
  return {
    ...here,
    both: () => [paths('A'), paths('B')],
    loadAll: async (...files: (readonly Resource[])[]) =>
      loadFhir({
        files: files.map((each, at) => fileOf(ndjson(each), `${at}.ndjson`)),
        primary: here.primary,
        ontology,
        mapping,
        base,
      }),
  };
}

describe('a resource that is corrected to another patient', () => {
  it('is taken out of the record of the one before, with what was kept of it', async () => {
    const { load, both, primary, statements } = await twoRecords();
    await load([a, b, ofA], { keepSource: true });
    const { records, removed, changed, report } = await load([a, b, ofB], { keepSource: true });
    const document = expect.stringMatching(/^documents\/fhir-/u) as string;
    // Those of the patients stay.
    expect(both()).toEqual([[document], [document, document, 'problems/c1']]);
    expect([records.toSorted(), removed, changed]).toEqual([['A', 'B'], 2, true]);
    expect(report.elsewhere).toEqual({});
    expect(statements('A')).toHaveProperty('demographics');
    const before = primary.revision('');
    expect(await load([a, b, ofB], { keepSource: true })).toMatchObject({ removed: 0, changed: false });
    expect(primary.revision('')).toBe(before);
  });

  it('is taken out in whatever order patients come, in whatever file and batch', async () => {
    const { load, loadAll, both } = await twoRecords();
    await load([a, b, ofA]);
    // What comes once more begins a batch.
    await loadAll([ofB, b, b], [b, b, a]);
    expect(both()).toEqual([[], ['problems/c1']]);
  });

  it('is taken out where it was entered in error as well', async () => {
    const { load, both } = await twoRecords();
    await load([a, b, ofA]);
    const error = { ...ofB, verificationStatus: { coding: [{ code: 'entered-in-error' }] } };
    expect(await load([a, b, error])).toMatchObject({ records: expect.arrayContaining(['A']), removed: 1 });
    expect(both()).toEqual([[], []]);
  });

  it('may go back, and is where the last file says', async () => {
    const { load, loadAll, both } = await twoRecords();
    await loadAll([a, b, ofA], [a, b, ofB]);
    expect(both()).toEqual([[], ['problems/c1']]);
    await loadAll([a, b, ofA], [a, b, ofB], [a, b, ofA]);
    expect(both()).toEqual([['problems/c1'], []]);
    await load([a, b, ofB]);
    expect(both()).toEqual([[], ['problems/c1']]);
  });

  it('stays and is told where the patient of the record before is not loaded with it', async () => {
    const { load, both } = await twoRecords();
    await load([a, b, ofA]);
    for (const again of [[ofB], [b, ofB]]) {
      const { report, records } = await load(again);
      expect(both()).toEqual([['problems/c1'], ['problems/c1']]);
      expect(records).toEqual(['B']);
      const at = `Condition at line 1, entry ${again.length - 1}`;
      expect(report.elsewhere).toEqual({ 'Condition/c1 in record A': { count: 1, example: at } });
      expect(linesOf(report)).toContain(
        `  1 Condition: it is in another record, too, and may be the same resource (first: test.json: ${at}, Condition/c1 in record A)`,
      );
    }
    expect(await load([a, b, ofB])).toMatchObject({ removed: 1 });
    expect(both()).toEqual([[], ['problems/c1']]);
  });

  it('stays and is told where its patient is not known any more', async () => {
    const { load, both } = await twoRecords();
    const { subject: _, ...nobodys } = condition;
    await load([a, ofA]);
    const { report } = await load([a, nobodys]);
    expect(both()).toEqual([['problems/c1'], []]);
    expect(Object.keys(report.elsewhere)).toEqual(['Condition/c1 in record A']);
  });

  it('takes out what a record has only one of where it is still of that resource, else it stays and is told', async () => {
    const { load, both } = await twoRecords();
    await load([a, b, { ...smoking, ...of('A') }]);
    await load([a, b, { ...smoking, ...of('B') }]);
    expect(both()).toEqual([[], ['social_history']]);
    await load([b, { ...smoking, id: 's2', effectiveDateTime: '2020-01-01', ...of('B') }]);
    const { report } = await load([a, b, { ...smoking, ...of('A') }]);
    expect(both()).toEqual([['social_history'], ['social_history']]);
    expect(Object.keys(report.elsewhere)).toEqual(['Observation/s1 in record B']);
  });
});

describe('resources of several servers with the same id', () => {
  it('stay in the records of their patients, loaded one after the other, in one command or in one file', async () => {
    for (const way of ['one after the other', 'in one command', 'in one file']) {
      const { loadAll, both } = await twoRecords();
      if (way === 'one after the other') await loadAll([a, ofA]);
      const files = {
        'in one command': [
          [a, ofA],
          [b, ofB],
        ],
        'in one file': [[a, b, ofA, ofB]],
      }[way];
      const reports = await loadAll(...(files ?? [[b, ofB]]));
      expect([way, ...both()]).toEqual([way, ['problems/c1'], ['problems/c1']]);
      expect(Object.keys(reports.at(-1)?.report.elsewhere ?? {})).toEqual(['Condition/c1 in record A']);
    }
  });

  it('stay where an identifier names the records, though both servers know both patients', async () => {
    const { load, both } = await twoRecords();
    const system = 'urn:mrn';
    await load([patient('1', 'A'), patient('2', 'B'), { ...condition, ...of('1') }], { system });
    await load([patient('1', 'B'), patient('2', 'A'), { ...condition, ...of('1') }], { system });
    expect(both()).toEqual([['problems/c1'], ['problems/c1']]);
    const { report } = await load([a, b, ofB]);
    expect(both()).toEqual([['problems/c1'], ['problems/c1']]);
    expect(Object.keys(report.elsewhere)).toEqual(['Condition/c1 in record A']);
  });

  it('stay where the records are named', async () => {
    const { load, both } = await twoRecords();
    await load([patient('x'), { ...condition, ...of('x') }], { recordId: 'A' });
    const { report } = await load([patient('x'), { ...condition, ...of('x') }], { recordId: 'B' });
    expect(both()).toEqual([['problems/c1'], ['problems/c1']]);
    expect(Object.keys(report.elsewhere)).toEqual(['Condition/c1 in record A', 'Patient/x in record A']);
  });
});

describe('resources of two types with the same id', () => {
  const requestOf = (id: string) => ({ ...request, id: 'm', ...of(id) });
  const takenOf = (id: string) => ({ ...taken, id: 'm', ...of(id) });

  it('are two, whose statements have two names', async () => {
    const { load, both } = await twoRecords();
    await load([a, b, requestOf('A'), takenOf('B')]);
    const { report } = await load([a, b, requestOf('A'), takenOf('B')]);
    expect(both()).toEqual([['medications/m'], ['medications/MedicationStatement_m']]);
    expect(report.elsewhere).toEqual({});
  });

  it('move each for itself', async () => {
    const { load, both } = await twoRecords();
    await load([a, b, requestOf('A'), takenOf('A')]);
    const { report } = await load([a, b, requestOf('B'), takenOf('A')]);
    expect(both()).toEqual([['medications/MedicationStatement_m'], ['medications/m']]);
    expect(report.elsewhere).toEqual({});
  });

  it('take nothing out that the other one may have made before version 0.27', async () => {
    const { load, both, primary } = await twoRecords();
    await load([a, b, requestOf('A')]);
    await load([a, b, takenOf('A')]);
    await underOldName(primary, 'A', 'm');
    const { report } = await load([a, b, requestOf('B')]);
    expect(both()).toEqual([['medications/m'], ['medications/m']]);
    expect(Object.keys(report.elsewhere)).toEqual(['MedicationRequest/m in record A']);
  });
});
