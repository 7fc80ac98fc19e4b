import { describe, expect, it } from 'vitest';
import { loadFhir, type FhirLoadOptions } from '../../src/fhir/load-fhir.js';
import { base } from '../records/support.js';
import { fhirPlace, fileOf, linesOf, mapping, ontology, resources, type Resource } from './support.js';

const { patient, condition, procedure } = resources;
const ndjson = (...all: readonly Resource[]): string => all.map((each) => JSON.stringify(each)).join('\n');
const unknown = 'no record is known for its patient';

/** A place, and a load of several files of NDJSON into it, which gives why conditions gave no statement. */
async function filesPlace() {
  const here = await fhirPlace();
  const loadAll = async (files: FhirLoadOptions['files'], options: Partial<FhirLoadOptions> = {}) => {
    const reports = await loadFhir({ files, primary: here.primary, ontology, mapping, base, ...options });
    return reports.map(({ report }) => Object.keys(report.resources.Condition?.reasons ?? {}));
  };
  return { ...here, loadAll, paths: (id: string) => Object.keys(here.statements(id)) };
}

describe('what is about a patient who is not known', () => {
  it('makes no record, and is told', async () => {
    const { load, primary } = await fhirPlace();
    const { records, changed, report } = await load([condition, procedure]);
    expect([records, changed, primary.names()]).toEqual([[], false, []]);
    expect(linesOf(report)).toContain(
      `  1 of 1 Condition: ${unknown} (first: test.json: Condition at line 1, entry 0)`,
    );
  });

  it('is loaded where the record is there, and the patient was loaded before', async () => {
    const { load, statements } = await fhirPlace();
    await load([patient]);
    await load([condition]);
    expect(Object.keys(statements('p1'))).toEqual(['demographics', 'problems/c1']);
  });

  it('is not loaded into the record of a patient with the id of the group or device that it is about', async () => {
    const { load, statements } = await fhirPlace();
    await load([patient]);
    const { report } = await load([{ ...procedure, subject: { reference: 'Group/p1' } }]);
    expect(Object.keys(statements('p1'))).toEqual(['demographics']);
    expect(report.resources.Procedure?.reasons).toHaveProperty([unknown]);
  });

  it.each([
    ['ids', 0, {}, 'p1'],
    ['ids, with threads', 1, {}, 'p1'],
    ['identifiers', 0, { system: 'urn:oid:1.2.36.146.595.217.0.1' }, '4711'],
  ])('is loaded wherever in the load the patient comes: records by %s', async (_, threads, options, id) => {
    // What comes once more begins a batch.
    const early = ndjson(condition, condition);
    for (const files of [[early, ndjson(patient)], [`${early}\n${ndjson(patient)}`]]) {
      const { loadAll, paths } = await filesPlace();
      const opened = files.map((text, at) => fileOf(text, `${at}.ndjson`));
      expect((await loadAll(opened, { threads, ...options })).flat()).toEqual([]);
      expect(paths(id)).toEqual(['demographics', 'problems/c1']);
    }
  });

  it('is told where it comes before its patient in what can be read but once', async () => {
    const { loadAll, paths } = await filesPlace();
    const once = { ...fileOf(ndjson(condition, condition, patient)), isOnce: true };
    expect(await loadAll([once, fileOf('{no json}')])).toEqual([[unknown], []]);
    // The second one was in the batch of its patient.
    expect(paths('p1')).toEqual(['demographics', 'problems/c1']);
  });
});

describe('a patient whose id cannot be that of a record', () => {
  const odd = { ...patient, id: 'p/80 bad' };

  it('has the same record each time, also when something else of the patient changes, and is told with it', async () => {
    const { load, primary } = await fhirPlace();
    const { records, report } = await load([patient, odd]);
    const [id = ''] = records.filter((each) => each !== 'p1');
    expect(id).toMatch(/^[0-9a-f]{16}$/u);
    expect(report.renamed).toEqual({ [id]: { count: 1, example: 'Patient at line 1, entry 1' } });
    expect(linesOf(report)).toContain(
      `  1 Patient: its id cannot be that of a record, whose name was made for it (first: test.json: Patient at line 1, entry 1, ${id})`,
    );
    expect(linesOf(report).join()).not.toContain('p/80');
    const before = primary.revision('');
    expect(await load([odd])).toMatchObject({ records: [id], changed: false });
    expect(primary.revision('')).toBe(before);
    expect(await load([{ ...odd, gender: 'male' }])).toMatchObject({ records: [id], changed: true });
  });

  it('is told for each of several, and with the UUID of its URL', async () => {
    const { load } = await fhirPlace();
    const uuid = '6a1e4f0c-58f4-4a9b-a0d8-55c5a8b5b1d7';
    const entry = [{ fullUrl: `urn:uuid:${uuid}`, resource: odd }, { resource: { ...patient, id: 80 } }];
    const { records, report } = await load(JSON.stringify({ resourceType: 'Bundle', entry }));
    expect(records).toContain(uuid);
    expect(Object.keys(report.renamed).sort()).toEqual([...records].sort());
    expect(linesOf(report).join()).toContain('2 Patient: its id cannot be that of a record');
  });

  it('is not told where something else names the record, or the patient has no id to replace', async () => {
    const { load } = await fhirPlace();
    const { id: _, ...bare } = patient;
    const all = [
      await load([odd], { system: 'urn:oid:1.2.36.146.595.217.0.1' }),
      await load([odd], { recordId: '5' }),
      await load([bare]),
    ];
    expect(all.map(({ report }) => report.renamed)).toEqual([{}, {}, {}]);
  });
});

describe('a patient without the identifier that names records', () => {
  const system = 'urn:mrn';
  const named = `${unknown}, which has no identifier of urn:mrn that can be the id of a record`;

  it('is told with the system of it, and so is what is about the patient', async () => {
    const { load } = await fhirPlace();
    for (const identifier of [undefined, [{ system: 'urn:other', value: '1' }], [{ system, value: 'a b' }]]) {
      const { report } = await load([{ ...patient, identifier }, condition], { system });
      const { Patient, Condition } = report.resources;
      expect([Patient?.reasons, Condition?.reasons]).toEqual([
        { [named]: { count: 1, example: 'Patient at line 1, entry 0' } },
        { [named]: { count: 1, example: 'Condition at line 1, entry 1' } },
      ]);
    }
  });
});
