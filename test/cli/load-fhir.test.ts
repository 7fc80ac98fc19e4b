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
    const options = ['--record-id-system', 'urn:oid:1.2.3', '--keep-source', '--json'];
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

  it('stores nothing with --strict when anything would be left out', async () => {
    const data = ['--data', 'strict'];
    writeFileSync(
      join(cwd, 'odd.json'),
      JSON.stringify({ ...resources.patient, maritalStatus: { text: 'married' } }),
    );
    const { code, stderr } = await run(['load', 'odd.json', '--strict', ...data], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining('No query reads')]);
    expect(stderr).not.toContain('married');
    const { stdout } = await run(['record', 'list', '--json', ...data], { cwd });
    expect(JSON.parse(stdout)).toEqual([]);
  });

  it('names the line, or the place, of what is not loaded, the first one of each kind', async () => {
    const person = { resourceType: 'Patient', name: [{ family: 'Doe' }] };
    const condition = { resourceType: 'Condition', subject: { reference: 'Patient/z' } };
    // Records come in the order of their first statements, lines in that of the file.
    const lines = [
      { ...person, id: 'z', birthDate: '1970-01-01' },
      { ...person, id: 'y' },
      { ...person, id: 'a' },
      condition,
      { ...condition, id: 'c2' },
      { resourceType: 'Flag', id: 'f' },
    ];
    writeFileSync(
      join(cwd, 'told.ndjson'),
      [...lines.map((each) => JSON.stringify(each)), '{no json}'].join('\r\n'),
    );
    const { code, stderr } = await run(['load', 'told.ndjson', '--data', 'told'], { cwd });
    expect([code, stderr.split('\n')]).toEqual([
      1,
      expect.arrayContaining([
        expect.stringMatching(/told\.ndjson:7: This is no JSON: at line 7, column 2 /u),
        expect.stringMatching(/Left out 2 statements: .*v:bday.* \(first: Patient at line 2\)$/u),
        expect.stringMatching(/2 of 2 Condition gave no statement \(first: Condition at line 4\)\.$/u),
        expect.stringMatching(/1 of 1 Flag gave no statement \(first: Flag at line 6\)\.$/u),
      ]),
    ]);
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
    const lines = Array.from({ length: 2000 }, (_, at) =>
      JSON.stringify({ ...resources.patient, id: `p${at}` }),
    );
    const packed = gzipSync(lines.join('\n'));
    writeFileSync(join(cwd, 'part.ndjson.gz'), packed.subarray(0, packed.length / 2));
    const { code, stdout, stderr } = await run(['load', 'part.ndjson.gz', '--data', 'part'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/loaded \d{2,} records/u);
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
    expect(stdout).toContain('q2.ndjson: loaded record p1 (0 statements, 0 quads, 1 taken out)\n');
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
    expect(stdout).toMatch(/^m2\.ndjson: loaded 2 records \(3 statements, \d+ quads, 1 taken out\)$/mu);
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
    expect([code, stderr]).toEqual([0, expect.stringContaining('stays in another record')]);
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
    const told = 'birth date and family name of record p1 (Patient at line 1).';
    const load = ['load', 'other.json', '--record', 'p1', ...data];
    const strict = await run([...load, '--strict'], { cwd });
    expect(strict).toMatchObject({ code: 1, stderr: expect.stringContaining(told) as string });
    const loose = await run(load, { cwd });
    expect(loose).toMatchObject({ code: 0, stderr: expect.stringContaining(told) as string });
    expect(loose.stdout).toContain('other.json: loaded record p1');
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
