import { describe, expect, it } from 'vitest';
import { loadFhir } from '../../src/fhir/load-fhir.js';
import { summaryOf } from '../../src/fhir/load-summary.js';
import { namedNode, quad } from '../../src/rdf/terms.js';
import { base } from '../records/support.js';
import { madeByOthers } from '../../src/fhir/mapping-versions.js';
import { removeRecord } from '../../src/records/remove-record.js';
import { fhirPlace, fileOf, mapping, ontology, resources, type Resource } from './support.js';

const { patient, condition } = resources;
type Load = Partial<Parameters<typeof loadFhir>[0]>;

/** A place that is loaded into by one command after the other, and what each says is to be looked at. */
async function placeOverTime() {
  const here = await fhirPlace();
  const command = async (texts: readonly string[], options: Load = {}) => {
    const files = texts.map((text, at) => fileOf(text, `${at}.ndjson`));
    const reports = await loadFhir({ files, primary: here.primary, ontology, mapping, base, ...options });
    const summary = summaryOf(
      reports.map(({ file, report }) => ({ file, fhir: report })),
      mapping.losses,
    );
    return { reports, ...summary };
  };
  return { ...here, command };
}

const bundle = (type: string, more: object, ...entry: object[]): string =>
  JSON.stringify({ resourceType: 'Bundle', type, ...more, entry });

describe('what a file is', () => {
  const page = (own: number, next?: number): string => {
    const link = [
      { relation: 'self', url: `https://ehr.example.org/fhir?page=${own}` },
      ...(next === undefined ? [] : [{ relation: 'next', url: `https://ehr.example.org/fhir?page=${next}` }]),
    ];
    return bundle('searchset', { link }, { resource: own === 1 ? patient : condition });
  };
  const remark = 'it is a page of a search, and the one that follows is not in the load';

  it('is told of a page of a search whose next page is not in the load', async () => {
    const { command } = await placeOverTime();
    const { doubtful } = await command([page(1, 2)]);
    expect(doubtful).toEqual([
      { what: 'Bundle', reason: remark, count: 1, example: '0.ndjson: Bundle at line 1' },
    ]);
    expect((await command([page(2), page(1, 2)])).doubtful).toEqual([]);
    expect((await command([page(1, 2), page(2, 3)])).doubtful).toHaveLength(1);
  });

  it.each(['security', 'tag'])('is told of test data, by its label in meta.%s', async (where) => {
    const { command } = await placeOverTime();
    const meta = { [where]: [{ code: 'HTEST' }] };
    const { doubtful, loss } = await command([JSON.stringify({ ...patient, meta })]);
    expect(doubtful.map(({ what, reason }) => [what, reason])).toEqual([
      ['Patient', 'it is test data, and loaded as if it were not'],
    ]);
    expect(loss.meaning).toEqual([]);
  });

  it('is told of a subset', async () => {
    const { command } = await placeOverTime();
    const { loss } = await command([JSON.stringify({ ...patient, meta: { tag: [{ code: 'SUBSETTED' }] } })]);
    expect(loss.meaning.map(({ reason }) => reason)).toEqual([
      'it is a subset: the sender left out a part of it',
    ]);
  });
});

const ndjson = (...all: readonly object[]): string => all.map((each) => JSON.stringify(each)).join('\n');
/** A version of a condition that began in some year. */
const version = (year: string, meta: object = {}): Resource => ({ ...condition, onsetDateTime: year, meta });
const deletion = (type: string, id: string, lastModified?: string): string =>
  bundle('history', {}, { request: { method: 'DELETE', url: `${type}/${id}` }, response: { lastModified } });
const [yesterday, today, tomorrow] = ['2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z', '2024-01-03T00:00:00Z'];

describe('an older version of a resource in a later command', () => {
  const left = (type: string) => [
    { what: type, reason: 'a newer version of it was loaded before', count: 1, example: expect.anything() },
  ];
  async function yearsPlace() {
    const here = await placeOverTime();
    const year = () => here.statements('p1')['problems/c1']?.find((line) => line.startsWith('startDate'));
    return { ...here, year };
  }

  it.each([
    ['when it was updated', { lastUpdated: today }, { lastUpdated: yesterday }],
    ['the number of its version', { versionId: '10' }, { versionId: '9' }],
    [
      'the day before the number',
      { lastUpdated: today, versionId: '1' },
      { lastUpdated: yesterday, versionId: '2' },
    ],
  ])('is told and left by %s', async (_, newer, older) => {
    const { command, year } = await yearsPlace();
    await command([ndjson(patient, version('2013', newer))]);
    expect((await command([ndjson(patient, version('2012', older))])).omitted).toEqual(left('Condition'));
    expect(year()).toBe('startDate 2013');
    expect((await command([ndjson(version('2014', newer))])).omitted).toEqual([]);
    expect(year()).toBe('startDate 2014');
  });

  it('is left where the newer one was deleted or entered in error', async () => {
    const gone = [
      ndjson(version('2013', { lastUpdated: today }), {
        ...version('2013', { lastUpdated: tomorrow }),
        verificationStatus: { coding: [{ code: 'entered-in-error' }] },
      }),
      deletion('Condition', 'c1', today),
    ];
    for (const text of gone) {
      const { command, year } = await yearsPlace();
      await command([ndjson(patient), text]);
      await command([ndjson(patient, version('2012', { lastUpdated: yesterday }))]);
      expect([text, year()]).toEqual([text, undefined]);
      await command([ndjson(version('2015', { lastUpdated: '2025-01-01T00:00:00Z' }))]);
      expect([text, year()]).toEqual([text, 'startDate 2015']);
    }
  });

  it('is left where a Bundle that deletes it says when that was', async () => {
    const { command, year } = await yearsPlace();
    const request = { method: 'DELETE', url: 'Condition/c1' };
    const gone = (lastUpdated: string): string =>
      bundle('transaction', { meta: { lastUpdated } }, { request });
    await command([ndjson(patient, version('2013', { lastUpdated: today }))]);
    await command([gone(yesterday)]);
    expect(year()).toBe('startDate 2013');
    await command([gone(tomorrow)]);
    expect(year()).toBeUndefined();
  });

  it('is left where it is the one that a deletion without a date deleted', async () => {
    const { command, year } = await yearsPlace();
    const only = version('2013', { lastUpdated: today });
    await command([ndjson(patient, only)]);
    await command([deletion('Condition', 'c1')]);
    await command([ndjson(patient, only)]);
    expect(year()).toBeUndefined();
  });

  it('is left in the record of an earlier patient', async () => {
    const { command, statements } = await yearsPlace();
    const other = { ...patient, id: 'p2' };
    const moved = { ...version('2013', { lastUpdated: today }), subject: { reference: 'Patient/p2' } };
    await command([ndjson(patient, other, moved)]);
    await command([ndjson(patient, other, version('2012', { lastUpdated: yesterday }))]);
    expect([Object.keys(statements('p1')), Object.keys(statements('p2'))]).toEqual([
      ['demographics'],
      ['demographics', 'problems/c1'],
    ]);
  });

  it('is loaded where the record was removed, and where it is from another server', async () => {
    const { command, year, primary } = await yearsPlace();
    await command([ndjson(patient, version('2013', { lastUpdated: today }))]);
    await removeRecord(primary, base, 'p1');
    const older = version('2012', { lastUpdated: yesterday });
    await command([ndjson(patient, older)]);
    expect(year()).toBe('startDate 2012');
    const from = (host: string, resource: Resource): object => ({
      fullUrl: `https://${host}/fhir/Condition/c1`,
      resource,
    });
    await command([bundle('collection', {}, from('a.example.org', version('2013', { lastUpdated: today })))]);
    await command([bundle('collection', {}, from('b.example.org', older))]);
    expect(year()).toBe('startDate 2012');
  });

  it('is of other patients where an identifier names the record', async () => {
    const { command, statements } = await yearsPlace();
    const of = (id: string): Resource => ({ ...patient, id, identifier: [{ system: 'urn:mrn', value: id }] });
    const about = (id: string, meta: object): Resource => ({
      ...version('2013', meta),
      subject: { reference: `Patient/${id}` },
    });
    await command([ndjson(of('A'), about('A', { lastUpdated: today }))], { system: 'urn:mrn' });
    const options = { system: 'urn:mrn' };
    const { omitted } = await command([ndjson(of('B'), about('B', { lastUpdated: yesterday }))], options);
    expect([omitted, Object.keys(statements('B'))]).toEqual([[], ['demographics', 'problems/c1']]);
  });
});

describe('what another version of the mapping made', () => {
  it('is told by type until it is loaded again', async () => {
    const { command, primary } = await placeOverTime();
    await command([ndjson(patient, condition, resources.laboratory)]);
    expect(madeByOthers(primary, mapping)).toEqual([]);
    const versions = new Map([...mapping.versions, ['Condition', 'another']]);
    expect(madeByOthers(primary, { ...mapping, versions })).toEqual([['Condition', 1]]);
    await command([ndjson(condition)], { mapping: { ...mapping, versions } });
    expect(madeByOthers(primary, { ...mapping, versions })).toEqual([]);
    expect(madeByOthers(primary, mapping)).toEqual([['Condition', 1]]);
    await command([deletion('Condition', 'c1')]);
    expect(madeByOthers(primary, mapping)).toEqual([]);
  });

  it('is told of what was loaded before the container remembered versions', async () => {
    const { primary, command } = await placeOverTime();
    await primary.directory.transact((tx) => {
      for (const id of ['c1', 'c2']) tx.put('fhirHomes', `Condition/${id}`, [['p1', 'problems', true]]);
    });
    expect(madeByOthers(primary, mapping)).toEqual([['Condition', 2]]);
    await command([ndjson(patient, condition)]);
    expect(madeByOthers(primary, mapping)).toEqual([['Condition', 1]]);
  });
});

describe('what comes after what refers to it', () => {
  const { encounter, practitioner, organization, scan, binary, weight } = resources;
  const order = {
    ...resources.request,
    medicationCodeableConcept: undefined,
    medicationReference: { reference: 'Medication/drug' },
  };
  const drug = {
    resourceType: 'Medication',
    id: 'drug',
    code: resources.request.medicationCodeableConcept,
  };
  const cases: [string, object, object, string, string][] = [
    ['a Medication', order, drug, 'medications/m1', 'title lisinopril 10 MG Oral Tablet'],
    ['a Practitioner, by an identifier', encounter, practitioner, 'encounters/e1', 'family-name House'],
    ['an Organization', encounter, organization, 'encounters/e1', 'locality Town'],
    ['a Binary', scan, binary, 'documents/n2', 'byteSize 5'],
    ['an Encounter', weight, encounter, 'vital_sign_sets/v1', 'encounter e1'],
  ];

  it('joins a prescription that comes in a later file than what was handed out for it', async () => {
    const { request, dispense } = resources;
    for (const texts of [
      [ndjson(patient, practitioner), ndjson(dispense), ndjson(request)],
      [ndjson(practitioner, patient, request), ndjson(dispense)],
      [ndjson(dispense, request, practitioner, patient)],
    ]) {
      const { command, statements } = await placeOverTime();
      await command(texts);
      expect([texts, statements('p1')['fulfillments/d1']]).toEqual([
        texts,
        expect.arrayContaining(['family-name House']),
      ]);
      expect(statements('p1')['medications/m1']?.filter((line) => line.startsWith('startDate'))).toHaveLength(
        1,
      );
    }
  });

  it.each(cases)(
    'heals it in one command, in whatever file and line it is: %s',
    async (...[, waits, late, path, line]) => {
      for (const texts of [
        [ndjson(patient, waits, late)],
        [ndjson(patient, waits), ndjson(late)],
        [ndjson(waits, late, patient)],
      ])
        for (const threads of [0, 1]) {
          const { command, statements } = await placeOverTime();
          await command(texts, { threads });
          expect([texts, statements('p1')[path]]).toEqual([texts, expect.arrayContaining([line])]);
        }
    },
  );

  it.each(cases.slice(1))(
    'heals it in a later command where sources are kept: %s',
    async (...[, waits, late, path, line]) => {
      const { command, statements } = await placeOverTime();
      const rest = waits === encounter ? [late === practitioner ? organization : practitioner] : [];
      await command([ndjson(patient, waits)], { keepSource: true });
      const { doubtful } = await command([ndjson(late, ...rest)], { keepSource: true });
      expect([doubtful, statements('p1')[path]]).toEqual([[], expect.arrayContaining([line])]);
    },
  );

  const told = (type: string, example: string) => [
    {
      what: type,
      reason: 'what it refers to came later; load it again, together with that',
      count: 1,
      example: `0.ndjson: ${example}`,
    },
  ];

  it.each(cases.slice(0, 4))('is told once where they are not: %s', async (...[, waits, late]) => {
    const { command } = await placeOverTime();
    await command([ndjson(patient, waits)]);
    const { resourceType, id } = waits as Resource & { id: string };
    expect((await command([ndjson(late)])).doubtful).toEqual(told(resourceType, `${resourceType}/${id}`));
    expect((await command([ndjson(late)])).doubtful).toEqual([]);
  });

  it('is told of what is about a patient who comes later, but for what comes again', async () => {
    const { command, statements } = await placeOverTime();
    await command([ndjson(condition, { ...condition, id: 'c2' })]);
    expect((await command([ndjson(patient, condition)])).doubtful).toEqual(told('Condition', 'Condition/c2'));
    expect(Object.keys(statements('p1'))).toEqual(['demographics', 'problems/c1']);
  });

  it('is told and not mapped again where it would lose what it has', async () => {
    const { command, statements } = await placeOverTime();
    await command([ndjson(patient, organization, encounter)], { keepSource: true });
    const { doubtful } = await command([ndjson(practitioner)], { keepSource: true });
    expect(doubtful).toEqual(told('Encounter', 'Encounter/e1'));
    expect(statements('p1')['encounters/e1']).toContain('locality Town');
  });

  it('waits no longer when it was deleted', async () => {
    const { command } = await placeOverTime();
    await command([ndjson(patient, encounter)]);
    await command([deletion('Encounter', 'e1')]);
    expect((await command([ndjson(practitioner)])).doubtful).toEqual([]);
  });
});

describe('patients whose records were merged', () => {
  const { smoking, scan } = resources;
  const person = (id: string, more: object = {}): Resource => ({
    ...patient,
    id,
    identifier: [{ system: 'urn:mrn', value: id }],
    ...more,
  });
  const link = (id: string, type: string): object => ({ other: { reference: `Patient/${id}` }, type });
  const [a, b] = [person('A'), person('B')];
  const replaced = person('A', { active: false, link: [link('B', 'replaced-by')] });
  const replacing = person('B', { link: [link('A', 'replaces')] });
  const of = (id: string, resource: Resource): Resource => ({
    ...resource,
    subject: { reference: `Patient/${id}` },
  });
  const withData = {
    ...scan,
    content: [{ attachment: { contentType: 'application/pdf', data: 'JVBERi0=', title: 'Letter' } }],
  };
  const all = [condition, smoking, withData];
  const paths = ['documents/n2', 'problems/c1', 'social_history'];

  async function mergedPlace() {
    const here = await placeOverTime();
    const rest = (id: string) =>
      Object.keys(here.statements(id)).filter((path) => !/^demographics|fhir-/u.test(path));
    const sources = (id: string) =>
      Object.keys(here.statements(id)).filter((path) => path.includes('fhir-')).length;
    const marks = (id: string) =>
      (here.statements(id).demographics ?? []).filter((line) => line.startsWith('replace'));
    return { ...here, sources, both: () => [rest('A'), rest('B')], marks: () => [marks('A'), marks('B')] };
  }

  it.each([
    ['replaced-by', [replaced, b]],
    ['replaces', [a, replacing]],
    ['both', [replacing, replaced]],
  ])(
    'are one record afterwards, with files and origins, and the old one says so: %s',
    async (_, patients) => {
      const { command, both, marks, statements, primary, sources } = await mergedPlace();
      await command([ndjson(a, b, ...all.map((each) => of('A', each)))], { keepSource: true });
      const before = statements('A');
      expect(both()).toEqual([paths, []]);
      const { reports, doubtful, loss } = await command([ndjson(...patients)], { keepSource: true });
      expect([[...(reports[0]?.records ?? [])].sort(), doubtful]).toEqual([['A', 'B'], []]);
      expect(loss.meaning.map(({ what }) => what)).not.toContain('Patient.link');
      expect([both(), sources('A'), sources('B')]).toEqual([[[], paths], 1, 4]);
      expect(marks()).toEqual([['replacedBy B'], ['replaces A']]);
      for (const path of paths)
        expect(statements('B')[path]).toEqual(
          before[path]?.map((line) => line.replace('belongsTo A', 'belongsTo B')),
        );
      const revision = primary.revision('');
      await command([ndjson(...patients)], { keepSource: true });
      expect([primary.revision('') === revision, both()[0]]).toEqual([true, []]);
      // What moved is known to be there: a deletion finds it, and so does a correction.
      await command([deletion('Condition', 'c1'), deletion('Observation', 's1')]);
      expect(both()).toEqual([[], ['documents/n2']]);
    },
  );

  it('take what comes later for the old one into the new one, in this load and in others', async () => {
    const { command, both } = await mergedPlace();
    await command([ndjson(replaced, b, of('A', condition))]);
    expect(both()).toEqual([[], ['problems/c1']]);
    await command([ndjson(of('A', { ...condition, id: 'c2' }))]);
    expect(both()).toEqual([[], ['problems/c1', 'problems/c2']]);
    await command([ndjson(a, b, of('A', { ...condition, id: 'c3' }))]);
    expect(both()).toEqual([['problems/c3'], ['problems/c1', 'problems/c2']]);
  });

  it('keep in the old one what others wrote there, and tell it', async () => {
    const { command, both, primary } = await mergedPlace();
    await command([ndjson(a, b, of('A', condition))]);
    const name = `${base}/records/A/problems/own`;
    const quads = (primary.graph(`${base}/records/A/problems/c1`) ?? []).map((each) =>
      each.subject.value.endsWith('/c1') ? quad(namedNode(name), each.predicate, each.object) : each,
    );
    await primary.write({ replace: [{ name, quads }] });
    const { doubtful } = await command([ndjson(replaced, b)]);
    expect(both()).toEqual([['problems/own'], ['problems/c1']]);
    expect(doubtful.map(({ reason }) => reason)).toEqual([
      'it was replaced by another one; what was not loaded from this server stays in its record',
    ]);
  });

  it('do not bring back what the same load takes out', async () => {
    const { command, both } = await mergedPlace();
    await command([ndjson(a, b, of('A', condition))]);
    const verificationStatus = { coding: [{ code: 'entered-in-error' }] };
    const meta = { lastUpdated: today };
    await command([ndjson(replaced, b, of('A', { ...condition, verificationStatus, meta }))]);
    expect(both()).toEqual([[], []]);
  });

  it('stay two where the new one is not known, which is told and marked', async () => {
    const { command, both, marks } = await mergedPlace();
    await command([ndjson(a, of('A', condition))]);
    const { doubtful } = await command([ndjson(replaced)]);
    expect([both(), marks()]).toEqual([
      [['problems/c1'], []],
      [['replacedBy B'], []],
    ]);
    expect(doubtful.map(({ reason }) => reason)).toEqual([
      'the one who replaced this one is not known; load both',
    ]);
    await command([ndjson(replaced, b)]);
    expect(both()).toEqual([[], ['problems/c1']]);
  });

  it('are told of where a link does not say that one replaces the other', async () => {
    const { command, marks } = await mergedPlace();
    const { doubtful } = await command([ndjson(person('A', { link: [link('B', 'seealso')] }), b)]);
    expect([doubtful.map(({ reason }) => reason), marks()]).toEqual([
      ['there is another record, which is not joined with this one'],
      [[], []],
    ]);
  });
});

describe('a patient without a birth date', () => {
  it('keeps name and numbers', async () => {
    const { command, statements } = await placeOverTime();
    const { loss } = await command([ndjson({ ...patient, birthDate: undefined })]);
    expect(statements('p1').demographics).toEqual(
      expect.arrayContaining(['family-name Vale', 'identifier 4711']),
    );
    expect(loss.content).toEqual([]);
  });
});

describe('what is loaded again', () => {
  const { encounter, practitioner, laboratory } = resources;
  const noPlace = { ...condition, id: 'c2', code: { text: 'Back ache' } };
  const all = [patient, practitioner, encounter, condition, laboratory, noPlace];

  it('is counted and told as before, and changes nothing', async () => {
    const { command, primary } = await placeOverTime();
    const first = await command([ndjson(...all)]);
    const revision = primary.revision('');
    const again = await command([ndjson(...all)]);
    expect(primary.revision('')).toBe(revision);
    expect(again.reports.map(({ report }) => report)).toEqual(first.reports.map(({ report }) => report));
    expect(again.reports.map(({ changed, statements }) => [changed, statements])).toEqual([[false, 5]]);
  });

  it('is made new where somebody else wrote it since, or took it out', async () => {
    const { command, primary, statements } = await placeOverTime();
    await command([ndjson(...all)]);
    const before = statements('p1');
    const name = `${base}/records/p1/problems/c1`;
    const quads = (primary.graph(name) ?? []).filter(
      ({ predicate }) => !predicate.value.endsWith('startDate'),
    );
    await primary.write({ replace: [{ name, quads }], remove: [`${base}/records/p1/lab_results/l1`] });
    await command([ndjson(...all)]);
    expect(statements('p1')).toEqual(before);
  });

  it('is made new where what it refers to is another, or gone', async () => {
    const { command, statements } = await placeOverTime();
    await command([ndjson(...all)]);
    const other = { ...practitioner, name: [{ family: 'Cuddy', given: ['Lisa'] }] };
    await command([ndjson(patient, other, encounter)]);
    expect(statements('p1')['encounters/e1']).toContain('family-name Cuddy');
    await command([ndjson(patient, encounter)]);
    expect(statements('p1')['encounters/e1']).not.toContain('family-name Cuddy');
  });

  it.each([{ lastUpdated: '2026-01-01T02:00:00Z' }, { versionId: '4' }])(
    'keeps what it had where the same version comes without what it refers to: %j',
    async (meta) => {
      const { command, statements } = await placeOverTime();
      const { request, dispense } = resources;
      const versions = [
        { ...encounter, meta },
        { ...dispense, meta },
      ] as const;
      await command([ndjson(patient, practitioner, request, ...versions)]);
      const before = statements('p1');
      expect(before['fulfillments/d1']).toContain('family-name House');
      expect((await command([ndjson(patient, ...versions)])).doubtful).toEqual([]);
      expect(statements('p1')).toEqual(before);
    },
  );

  it('counts as the later one after another version of it in the same load', async () => {
    const { command, statements } = await placeOverTime();
    const other = { ...condition, onsetDateTime: '1999' };
    await command([ndjson(...all)]);
    await command([ndjson(patient, other), ndjson(condition)]);
    expect(statements('p1')['problems/c1']).toContain('startDate 2014-02-10');
  });

  it('is made new by another mapping, and with sources where these are kept now', async () => {
    const { command, statements } = await placeOverTime();
    await command([ndjson(...all)]);
    await command([ndjson(...all)], { keepSource: true });
    expect(statements('p1')['problems/c1']?.join()).toContain('wasDerivedFrom');
    await command([ndjson(...all)]);
    expect(statements('p1')['problems/c1']?.join()).not.toContain('wasDerivedFrom');
  });
});
