import { describe, expect, it } from 'vitest';
import { loadFhir } from '../../src/fhir/load-fhir.js';
import { base } from '../records/support.js';
import { fhirPlace, fileOf, mapping, ontology, resources, type Resource } from './support.js';

const { patient, condition, encounter, practitioner } = resources;
const ndjson = (...all: readonly object[]): string => all.map((each) => JSON.stringify(each)).join('\n');
/** A version of a condition that says when it was updated, and in which year it began. */
const version = (onset: string, lastUpdated?: string, more: object = {}): Resource => ({
  ...condition,
  onsetDateTime: onset,
  ...(lastUpdated !== undefined && { meta: { lastUpdated } }),
  ...more,
});
const bundle = (type: string, ...entry: object[]): string =>
  JSON.stringify({ resourceType: 'Bundle', type, entry });
const deletion = (lastModified?: string, more: object = {}): object => ({
  request: { method: 'DELETE', url: 'Condition/c1' },
  response: { status: '204', lastModified },
  ...more,
});

/** A place, a load of several texts in one command, and the year in which the condition began that is there. */
async function versionsPlace() {
  const here = await fhirPlace();
  return {
    ...here,
    loadAll: (texts: readonly string[], threads = 0) =>
      loadFhir({
        files: texts.map((text, at) => fileOf(text, `${at}.ndjson`)),
        primary: here.primary,
        ontology,
        mapping,
        base,
        threads,
      }),
    year: () => here.statements('p1')['problems/c1']?.find((line) => line.startsWith('startDate')),
  };
}

describe('of several versions of a resource in one command', () => {
  const newest = version('2013', '2024-01-02T00:00:00+01:00');
  const older = version('2012', '2024-01-01T22:59:59.9999Z');

  it('the one that was updated last is loaded, in whatever line and file it stands', async () => {
    const orders = [
      [ndjson(patient, newest, older)],
      [ndjson(patient, older, newest)],
      [ndjson(patient), ndjson(newest), ndjson(older)],
      [ndjson(patient), bundle('searchset', { resource: newest }), bundle('searchset', { resource: older })],
    ];
    for (const texts of orders)
      for (const threads of [0, 1]) {
        const { loadAll, year } = await versionsPlace();
        await loadAll(texts, threads);
        expect([texts, year()]).toEqual([texts, 'startDate 2013']);
      }
  });

  it('the others are counted, where they come too late', async () => {
    const { loadAll } = await versionsPlace();
    const [first, second] = await loadAll([ndjson(patient, newest, older), ndjson(older)]);
    const omitted = (line: number) => ({
      'another version of it counts': { count: 1, example: `Condition at line ${line}` },
    });
    expect([first?.report.resources.Condition, second?.report.resources.Condition]).toEqual([
      { resources: 2, mapped: 1, example: 'Condition at line 3', omitted: omitted(3) },
      { resources: 1, mapped: 0, example: 'Condition at line 1', omitted: omitted(1) },
    ]);
  });

  it('the later one is loaded where they are equally old, or do not say', async () => {
    const same = '2024-01-01T00:00:00Z';
    for (const [one, other] of [
      [version('2012'), version('2013')],
      [version('2012', same), version('2013', same)],
      [version('2012', same), version('2013')],
      [version('2012'), version('2013', same)],
    ]) {
      const { loadAll, year } = await versionsPlace();
      await loadAll([ndjson(patient, one ?? {}, other ?? {})]);
      expect(year()).toBe('startDate 2013');
    }
  });

  it('microseconds are enough to tell them apart', async () => {
    const { loadAll, year } = await versionsPlace();
    const at = (micros: string) => `2024-01-01T00:00:00.000${micros}Z`;
    await loadAll([ndjson(patient, version('2013', at('002')), version('2012', at('001')))]);
    expect(year()).toBe('startDate 2013');
  });

  it('an older one is not loaded where the newest was entered in error', async () => {
    const { loadAll, statements } = await versionsPlace();
    const verificationStatus = { coding: [{ code: 'entered-in-error' }] };
    await loadAll([ndjson(patient, { ...newest, verificationStatus }, older)]);
    expect(Object.keys(statements('p1'))).toEqual(['demographics']);
  });

  it('the newest of what others refer to counts as well', async () => {
    const { loadAll, statements } = await versionsPlace();
    const named = (family: string, lastUpdated: string): object => ({
      ...practitioner,
      name: [{ family, given: ['Greg'] }],
      meta: { lastUpdated },
    });
    await loadAll([
      ndjson(named('New', '2024-01-01T00:00:00Z'), named('Old', '2023-01-01T00:00:00Z'), patient, encounter),
    ]);
    expect(statements('p1')['encounters/e1']).toContain('family-name New');
  });

  it('resources of two servers are no versions of each other where an identifier names the record', async () => {
    const { primary, statements } = await fhirPlace();
    const of = (id: string): Resource => ({ ...patient, id, identifier: [{ system: 'urn:mrn', value: id }] });
    const others = { ...older, subject: { reference: 'Patient/B' } };
    const first = { ...newest, subject: { reference: 'Patient/A' } };
    const files = [ndjson(of('A'), first), ndjson(of('B'), others)].map((text) => fileOf(text));
    await loadFhir({ files, primary, ontology, mapping, base, system: 'urn:mrn' });
    expect(['A', 'B'].map((id) => Object.keys(statements(id)))).toEqual([
      ['demographics', 'problems/c1'],
      ['demographics', 'problems/c1'],
    ]);
  });
});

describe('a resource that was deleted', () => {
  const loaded = version('2012', '2024-01-01T00:00:00Z');
  const [before, after] = ['2023-01-01T00:00:00Z', '2025-01-01T00:00:00Z'];

  it.each([
    ['in a history', [bundle('history', deletion(), { resource: patient }, { resource: version('2012') })]],
    [
      'in a history, with its last version',
      [bundle('history', { resource: patient }, deletion(after, { resource: loaded }))],
    ],
    ['in a transaction', [ndjson(patient, loaded), bundle('transaction', deletion())]],
    ['in a batch, before its version', [ndjson(patient), bundle('batch', deletion(after)), ndjson(loaded)]],
    [
      'by its URL alone',
      [
        ndjson(patient, loaded),
        bundle('history', {
          fullUrl: 'https://ehr.example.org/fhir/Condition/c1',
          request: { method: 'DELETE' },
        }),
      ],
    ],
    [
      'softly',
      [
        ndjson(patient, loaded, {
          ...loaded,
          meta: {
            lastUpdated: after,
            extension: [
              {
                url: 'http://azurehealthcareapis.com/data-extensions/deleted-state',
                valueString: 'soft-deleted',
              },
            ],
          },
        }),
      ],
    ],
  ])('is not there afterwards: %s', async (_, texts) => {
    for (const threads of [0, 1]) {
      const { loadAll, statements } = await versionsPlace();
      const reports = await loadAll(texts, threads);
      expect(Object.keys(statements('p1'))).toEqual(['demographics']);
      expect(reports.flatMap(({ problems }) => problems)).toEqual([]);
      const omitted = reports.flatMap(({ report }) => Object.keys(report.resources.Condition?.omitted ?? {}));
      expect(omitted).toContain('deleted');
    }
  });

  it('is there where a newer version says so', async () => {
    const { loadAll, year } = await versionsPlace();
    await loadAll([ndjson(patient), bundle('batch', deletion(before)), ndjson(loaded)]);
    expect(year()).toBe('startDate 2012');
    await loadAll([ndjson(patient, loaded), bundle('batch', deletion(before))]);
    expect(year()).toBe('startDate 2012');
  });

  it('is taken out of what an earlier command stored where the record of its patient is known', async () => {
    const { loadAll, statements } = await versionsPlace();
    await loadAll([ndjson(patient, loaded)]);
    await loadAll([bundle('history', deletion(after, { resource: loaded }))]);
    expect(Object.keys(statements('p1'))).toEqual(['demographics']);
  });

  it('is taken out by its name alone where records have the ids of patients, of one server', async () => {
    const { loadAll, statements } = await versionsPlace();
    await loadAll([ndjson(patient, loaded)]);
    const [report] = await loadAll([bundle('history', deletion(after))]);
    expect([report?.removed, report?.records, Object.keys(statements('p1'))]).toEqual([
      1,
      ['p1'],
      ['demographics'],
    ]);
  });

  it('is taken out wherever it was loaded from the same server by its own URL, and stays if from another', async () => {
    const { primary, loadAll, year } = await versionsPlace();
    const fullUrl = 'https://ehr.example.org/fhir/Condition/c1';
    const options = { primary, ontology, mapping, base, recordId: 'p1' };
    const load = (text: string) => loadFhir({ ...options, files: [fileOf(text)] });
    await load(bundle('collection', { resource: patient }, { fullUrl, resource: loaded }));
    const other = fullUrl.replace('ehr', 'other');
    const [left] = await loadAll([bundle('history', deletion(after, { fullUrl: other }))]);
    expect([year(), Object.keys(left?.report.undeleted ?? {})]).toEqual([
      'startDate 2012',
      ['Condition/c1 in record p1'],
    ]);
    await loadAll([bundle('history', deletion(after, { fullUrl }))]);
    expect(year()).toBeUndefined();
  });

  it('stays and is told where nothing says that it is of the same server', async () => {
    const { primary, loadAll, year } = await versionsPlace();
    const files = [fileOf(ndjson(patient, loaded))];
    await loadFhir({ files, primary, ontology, mapping, base, recordId: 'p1' });
    const [report] = await loadAll([bundle('history', deletion(after))]);
    expect(year()).toBe('startDate 2012');
    expect(report?.report.undeleted).toEqual({
      'Condition/c1 in record p1': { count: 1, example: 'Condition at line 1, entry 0' },
    });
  });

  it('takes out the demographics that a Patient made, and what else is in the record stays', async () => {
    const { loadAll, statements } = await versionsPlace();
    await loadAll([ndjson(patient, loaded)]);
    await loadAll([bundle('transaction', { request: { method: 'DELETE', url: 'Patient/p1' } })]);
    expect(Object.keys(statements('p1'))).toEqual(['problems/c1']);
  });

  it('is a problem where the entry names none', async () => {
    const { load } = await fhirPlace();
    const request = { method: 'DELETE', url: 'Condition?identifier=1' };
    const { problems } = await load(bundle('transaction', { request }));
    expect(problems.map(({ reason }) => reason)).toEqual([
      'entry 0: The entry deletes a resource without its type and id, which is not carried out.',
    ]);
  });

  it('makes no record of a patient, and stays no practitioner', async () => {
    const { loadAll, primary, statements } = await versionsPlace();
    const gone = (url: string): object => ({ request: { method: 'DELETE', url } });
    await loadAll([bundle('transaction', gone('Patient/p1')), ndjson(condition)]);
    expect(primary.names()).toEqual([]);
    await loadAll([
      ndjson(practitioner),
      bundle('transaction', gone('Practitioner/doc')),
      ndjson(patient, encounter),
    ]);
    expect(statements('p1')['encounters/e1']).not.toContain('family-name House');
  });
});
