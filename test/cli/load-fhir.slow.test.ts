import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resources } from '../fhir/support.js';
import { run } from './run.js';

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'chartgraph-fhir-'));
  mkdirSync(join(cwd, 'export'));
  const lines = (...all: unknown[]) => all.map((one) => JSON.stringify(one)).join('\n');
  // By their names observations come before the practitioner, the patient and the encounter that they need.
  writeFileSync(join(cwd, 'export', 'a.Encounter.ndjson'), lines(resources.encounter));
  writeFileSync(
    join(cwd, 'export', 'b.Observation.ndjson.gz'),
    gzipSync(lines(resources.weight, resources.laboratory)),
  );
  writeFileSync(join(cwd, 'export', 'c.Patient.ndjson'), lines(resources.patient));
  writeFileSync(join(cwd, 'export', 'd.Practitioner.ndjson'), lines(resources.practitioner));
  writeFileSync(join(cwd, 'export', 'e.Organization.ndjson'), lines(resources.organization));
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

describe('chartgraph load of FHIR', () => {
  it('takes a folder of a bulk export, whatever the order of its files, and keeps their resources', async () => {
    const options = ['--record-id-system', 'urn:oid:1.2.36.146.595.217.0.1', '--keep-source', '--json'];
    const { code, stdout } = await run(['load', 'export', ...options], { cwd });
    const { files } = JSON.parse(stdout) as {
      files: { file: string; fhir: { unresolved: object; invalid: object } }[];
    };
    expect(code).toBe(0);
    expect(files).toHaveLength(5);
    for (const { fhir } of files) expect([fhir.unresolved, fhir.invalid]).toEqual([{}, {}]);
    const { stdout: records } = await run(['record', 'list', '--json'], { cwd });
    expect(JSON.parse(records)).toMatchObject([{ record_id: '4711', statements: 4 + 4 }]);
  });

  it('stores nothing with --strict where meaning would be lost, with --strict=content where anything would', async () => {
    const put = (name: string, content: object): void =>
      writeFileSync(join(cwd, name), JSON.stringify(content));
    put('plain.json', { ...resources.patient, maritalStatus: { text: 'married' } });
    put('claim.json', { resourceType: 'Claim', id: 'x', patient: { display: 'married' } });
    put('odd.json', { ...resources.patient, active: false });
    const load = async (...args: string[]) => {
      const data = ['--data', `strict-${args.join('-')}`];
      const { code, stderr } = await run(['load', ...args, ...data], { cwd });
      const { stdout } = await run(['record', 'list', '--json', ...data], { cwd });
      expect(stderr).not.toContain('married');
      return [code, (JSON.parse(stdout) as unknown[]).length, stderr.split('\n')[0]];
    };
    expect(await load('plain.json', 'claim.json', '--strict')).toEqual([
      0,
      1,
      'chartgraph: Content was lost:',
    ]);
    expect((await load('plain.json', '--strict=content')).slice(0, 2)).toEqual([0, 1]);
    expect(await load('plain.json', 'claim.json', '--strict=content')).toEqual([
      1,
      0,
      expect.stringMatching(/^chartgraph: claim\.json: 1 of 1 Claim: no query takes/u),
    ]);
    const refused = /^chartgraph: odd\.json: 1 Patient\.active: .* \(first: odd\.json: Patient at line 1\)$/u;
    expect(await load('odd.json', 'plain.json', '--strict')).toEqual([1, 0, expect.stringMatching(refused)]);
    expect(await load('odd.json')).toEqual([1, 1, 'chartgraph: Meaning was lost:']);
  });

  it('sums up what was lost, once for all files, after one line for each file that is wrong', async () => {
    const person = { resourceType: 'Patient', name: [{ family: 'Doe' }] };
    const condition = { resourceType: 'Condition', subject: { reference: 'Patient/z' } };
    // Records come in the order of their first statements, lines in that of the file.
    const lines = [
      { ...person, id: 'z', birthDate: '1970-01-01' },
      { ...person, id: 'y', birthDate: 'long ago' },
      { ...person, id: 'a', birthDate: 'long ago' },
      condition,
      { ...condition, id: 'c2' },
      { resourceType: 'Flag', id: 'f' },
    ];
    const text = [...lines.map((each) => JSON.stringify(each)), '{no json}', '{nor this}'].join('\r\n');
    for (const name of ['told.ndjson', 'too.ndjson']) writeFileSync(join(cwd, name), text);
    const { code, stdout, stderr } = await run(['load', 'told.ndjson', 'too.ndjson', '--data', 'told'], {
      cwd,
    });
    const wrong = (name: string): unknown =>
      expect.stringMatching(
        new RegExp(
          `^chartgraph: ${name}\\.ndjson:7: This is no JSON: .* And 1 more; --json lists them\\.$`,
          'u',
        ),
      );
    expect([code, stderr.trimEnd().split('\n')]).toEqual([
      1,
      [
        wrong('told'),
        wrong('too'),
        'chartgraph: Meaning was lost:',
        expect.stringMatching(
          /^chartgraph: {3}4 Patient\.birthDate\[\?\]: .* \(first: told\.ndjson: Patient at line 2\)$/u,
        ),
        'chartgraph: Content was lost:',
        expect.stringMatching(
          /^chartgraph: {3}4 of 4 Condition: .* \(first: told\.ndjson: Condition at line 4\)$/u,
        ),
        'chartgraph:   2 of 2 Flag: no query takes resources of this type (first: told.ndjson: Flag at line 6)',
        'chartgraph: Kept in words, as unmapped: 4 Condition.',
      ],
    ]);
    expect(stdout).toBe('Loaded 2 files, 3 records, 10 statements, 90 quads.\n');
  });

  it('prints the same with --json, and all of it', async () => {
    const [, value] = [resources.patient, { ...resources.laboratory, code: { text: 'Own' } }];
    const sampled = {
      ...resources.laboratory,
      id: 'l9',
      valueSampledData: { data: '5' },
    };
    const text = [resources.patient, value, sampled].map((each) => JSON.stringify(each)).join('\n');
    writeFileSync(join(cwd, 'sampled.ndjson'), text);
    const { code, stdout } = await run(['load', 'sampled.ndjson', '--json', '--data', 'sampled'], { cwd });
    const { loss, unmapped } = JSON.parse(stdout) as { loss: object; unmapped: number };
    expect([code, unmapped]).toEqual([1, 1]);
    expect(loss).toEqual({
      meaning: [
        {
          what: 'Observation.valueSampledData',
          reason: expect.any(String) as string,
          count: 1,
          example: 'sampled.ndjson: Observation at line 3',
        },
      ],
      content: [expect.objectContaining({ what: 'Observation', count: 1, of: 2 })],
      bookkeeping: expect.any(Number) as number,
    });
    const { stdout: none } = await run(['load', 'export', '--json', '--data', 'none'], { cwd });
    expect(JSON.parse(none)).toMatchObject({ loss: { meaning: [], content: [] }, unmapped: 0 });
  });

  it('takes the folder of a bulk-data client with its log, its manifest, empty files and what was deleted', async () => {
    const at = (...names: string[]): string => join(cwd, 'bulk', ...names);
    mkdirSync(at('deleted'), { recursive: true });
    const { patient, condition } = resources;
    const log = [
      { exportId: 'x', eventId: 'kickoff', eventDetail: { exportUrl: 'https://ehr.example.org/$export' } },
      { exportId: 'x', eventId: 'download_request', eventDetail: { resourceType: 'Endpoint' } },
    ];
    const conditions = [condition, { ...condition, id: 'c2' }];
    const gone = {
      resourceType: 'Bundle',
      type: 'transaction',
      entry: [{ request: { method: 'DELETE', url: 'Condition/c2' } }],
    };
    const text = (lines: readonly object[]): string => lines.map((each) => JSON.stringify(each)).join('\r\n');
    writeFileSync(at('1.Immunization.ndjson'), '');
    writeFileSync(at('2.Immunization.ndjson'), '\n \r\n');
    writeFileSync(at('1.Patient.ndjson'), text([patient]));
    writeFileSync(at('x.Condition.ndjson'), text(conditions));
    writeFileSync(at('deleted', '1.Bundle.ndjson'), text([gone]));
    writeFileSync(at('log.ndjson'), text(log));
    writeFileSync(
      at('manifest.json'),
      JSON.stringify({ transactionTime: '2025-03-05T00:00:00Z', output: [] }),
    );
    const data = ['--data', 'bulk-data'];
    const { code, stdout, stderr } = await run(['load', 'bulk', ...data], { cwd });
    expect([code, stderr.trimEnd().split('\n').slice(-3)]).toEqual([
      0,
      [
        'chartgraph: Left out on purpose: 1 Condition (deleted).',
        'chartgraph: Other elements that were not read: 1.',
        `chartgraph: Without a resource of FHIR: ${join('bulk', 'log.ndjson')}, ${join('bulk', 'manifest.json')}.`,
      ],
    ]);
    expect(stdout).toMatch(/^Loaded 7 files, 1 record, 3 statements, \d+ quads, 1 taken out\.\n$/u);
    expect((await run(['load', 'bulk', '--strict', ...data], { cwd })).code).toBe(0);
    const { stdout: list } = await run(['record', 'list', '--json', ...data], { cwd });
    expect(JSON.parse(list)).toMatchObject([{ statements: 2 }]);
  });

  it('tells of NDJSON that is broken gzip, or not there, and not of its extension', async () => {
    const packed = gzipSync(JSON.stringify(resources.patient));
    writeFileSync(join(cwd, 'broken.ndjson.gz'), packed.subarray(0, packed.length / 2));
    const files = ['broken.ndjson.gz', 'nowhere.ndjson'];
    const { code, stderr } = await run(['load', ...files, '--data', 'broken'], { cwd });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /broken\.ndjson\.gz.*gzip.*\n.*nowhere\.ndjson: The file cannot be read: ENOENT/u,
      ),
    ]);
  });

  it('loads what it can read of gzip that breaks off, and ends with 1', async () => {
    const lines = Array.from({ length: 200 }, (_, at) =>
      JSON.stringify({ ...resources.patient, id: `p${at}` }),
    );
    const packed = gzipSync(lines.join('\n'));
    writeFileSync(join(cwd, 'part.ndjson.gz'), packed.subarray(0, packed.length / 2));
    const { code, stdout, stderr } = await run(['load', 'part.ndjson.gz', '--data', 'part'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Loaded 1 file, \d{2,} records/u);
    expect(stderr).toMatch(
      /^chartgraph: part\.ndjson\.gz:\d{2,}: The gzip data is broken or breaks off\.$/mu,
    );
  });

  it('tells of what is taken out, and the access log names its record', async () => {
    const data = ['--data', 'taken'];
    const { patient, condition } = resources;
    const both = [patient, condition].map((each) => JSON.stringify(each)).join('\n');
    writeFileSync(join(cwd, 'q1.ndjson'), both);
    const error = { ...condition, verificationStatus: { coding: [{ code: 'entered-in-error' }] } };
    writeFileSync(join(cwd, 'q2.ndjson'), JSON.stringify(error));
    await run(['load', 'q1.ndjson', ...data], { cwd });
    const { stdout } = await run(['load', 'q2.ndjson', ...data], { cwd });
    expect(stdout).toBe('Loaded 1 file, 1 record, 0 statements, 0 quads, 1 taken out.\n');
    const { stdout: entries } = await run(['audit', '--record', 'p1', '--json', ...data], { cwd });
    const actions = (JSON.parse(entries) as { action: string; outcome: string }[]).filter(
      ({ outcome }) => outcome === 'done',
    );
    expect(actions.map(({ action }) => action)).toEqual(['load', 'load']);
  });

  it('takes what is of another patient now out of the record of the one before', async () => {
    const data = ['--data', 'moved'];
    const { patient, condition } = resources;
    const lines = (id: string) =>
      [patient, { ...patient, id: 'p2' }, { ...condition, subject: { reference: `Patient/${id}` } }]
        .map((each) => JSON.stringify(each))
        .join('\n');
    writeFileSync(join(cwd, 'm1.ndjson'), lines('p1'));
    writeFileSync(join(cwd, 'm2.ndjson'), lines('p2'));
    await run(['load', 'm1.ndjson', ...data], { cwd });
    const { stdout } = await run(['load', 'm2.ndjson', ...data], { cwd });
    expect(stdout).toMatch(/^Loaded 1 file, 2 records, 3 statements, \d+ quads, 1 taken out\.$/mu);
    const { stdout: list } = await run(['record', 'list', '--json', ...data], { cwd });
    expect(JSON.parse(list)).toMatchObject([
      { record_id: 'p1', statements: 1 },
      { record_id: 'p2', statements: 2 },
    ]);
  });

  it('warns with --strict, too, of what may be of another server', async () => {
    const data = ['--data', 'servers'];
    const { patient, procedure } = resources;
    const lines = (id: string) =>
      [
        { ...patient, id },
        {
          ...procedure,
          performedPeriod: { start: '1990' },
          performer: [],
          subject: { reference: `Patient/${id}` },
        },
      ]
        .map((each) => JSON.stringify(each))
        .join('\n');
    for (const id of ['p1', 'p2']) writeFileSync(join(cwd, `${id}.ndjson`), lines(id));
    await run(['load', 'p1.ndjson', ...data], { cwd });
    const { code, stderr } = await run(['load', 'p2.ndjson', '--strict', ...data], { cwd });
    expect([code, stderr]).toEqual([0, expect.stringContaining('is in another record, too')]);
    const { stdout: list } = await run(['record', 'list', '--json', ...data], { cwd });
    expect(JSON.parse(list)).toMatchObject([{ statements: 2 }, { statements: 2 }]);
  });

  it('warns of a patient who may be another person than that of the record, and stores nothing with --strict', async () => {
    const data = ['--data', 'others'];
    const person = (id: string, family: string, birthDate: string) =>
      JSON.stringify({ resourceType: 'Patient', id, name: [{ family, given: ['A'] }], birthDate });
    writeFileSync(join(cwd, 'one.json'), person('p1', 'Vale', '1950-02-03'));
    writeFileSync(join(cwd, 'other.json'), person('p2', 'Lake', '1999-09-09'));
    expect(await run(['load', 'one.json', ...data], { cwd })).toMatchObject({ code: 0, stderr: '' });
    const told = 'Patient at line 1, birth date and family name of record p1)';
    const load = ['load', 'other.json', '--record', 'p1', ...data];
    const strict = await run([...load, '--strict'], { cwd });
    expect(strict).toMatchObject({ code: 1, stderr: expect.stringContaining(told) as string });
    const loose = await run(load, { cwd });
    expect(loose).toMatchObject({ code: 0, stderr: expect.stringContaining(told) as string });
    expect(loose.stdout).toContain('Loaded 1 file, 1 record');
    expect(strict.stderr + loose.stderr).not.toMatch(/Lake|Vale|1999|1950/u);
  });

  it('refuses --strict for standard input, which can be read but once', async () => {
    const data = ['--data', 'streamed'];
    const stdin = JSON.stringify(resources.patient);
    const { code, stderr } = await run(['load', '-', '--strict', ...data], { cwd, stdin });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--strict reads everything twice')]);
    expect(await run(['load', '-', ...data], { cwd, stdin })).toMatchObject({ code: 0 });
  });

  it('refuses --replace, which has no meaning there', async () => {
    const { code, stderr } = await run(['load', 'odd.json', '--replace', '--data', 'strict'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--replace is for RDF')]);
  });
});
