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

  it('refuses --replace, which has no meaning there', async () => {
    const { code, stderr } = await run(['load', 'odd.json', '--replace', '--data', 'strict'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--replace is for RDF')]);
  });
});
