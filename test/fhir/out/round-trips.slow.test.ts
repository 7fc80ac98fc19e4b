import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { writeJson } from '../../../src/fhir/endpoint/reading/write-json.js';
import type { PrimaryStore } from '../../../src/store/primary-store.js';
import { place } from '../../records/support.js';
import { everything, fhirPlace, statementsOf } from '../support.js';
import { differencesOfResources, eachDifference } from './known-differences.js';
import { addDifferences, addLosses, madeStatements } from './round-trips.js';
import { exported, resourcesOf, sentAndLoaded } from './support.js';

const hapi = process.env['CHARTGRAPH_TEST_HAPI'] ?? '';
const folder = join('seed', 'records');

/** The records of the seed, with what is made of them. */
const seed = async (): Promise<PrimaryStore> => {
  const { primary, loadPath } = await place();
  const documents = join('seed', 'documents');
  for (const file of await readdir(folder)) await loadPath(join(folder, file), { documents });
  return primary;
};

/** Bundles of patients, where the environment names a folder of them. */
async function patientFiles(): Promise<string[]> {
  const patients = process.env['CHARTGRAPH_TEST_PATIENTS'];
  const names = patients === undefined ? [] : await readdir(patients);
  return names.filter((name) => name.endsWith('.json')).map((name) => join(patients ?? '', name));
}

const recordIds = (await readdir(folder)).map((file) => file.replace('.ttl', ''));

describe('what goes out', { timeout: 300_000 }, () => {
  it('says the same when it comes in again, but for what is named: the seed, and statements made of it', async () => {
    const primary = await seed();
    await primary.write({ replace: madeStatements(primary) });
    const found = new Map<string, string>();
    for (const recordId of recordIds) {
      const { report, statements } = await sentAndLoaded(await exported(primary, recordId), recordId);
      expect(report.meaning, recordId).toEqual({});
      addDifferences(recordId, statementsOf(primary, recordId), statements, found);
    }
    expect([...found.keys()].sort()).toEqual(eachDifference().sort());
  });

  it('is all of FHIR that came in and that the mapping reads, but for what is named', async () => {
    const { primary, load } = await fhirPlace();
    await load(everything);
    const found = new Map<string, string>();
    addLosses(everything, await exported(primary, 'p1'), found);
    const kinds = [...found.keys()];
    const reasonsOf = (kind: string) => differencesOfResources.filter(([, each]) => each.test(kind));
    expect(kinds.filter((kind) => reasonsOf(kind).length === 0)).toEqual([]);
    expect(
      differencesOfResources
        .filter(([, each]) => !kinds.some((kind) => each.test(kind)))
        .map(([reason]) => reason),
    ).toEqual([]);
  });

  // .ci/hapi fetches it, with Java and Maven.
  it.skipIf(!existsSync(join(hapi, 'classes')))(
    'is valid to HAPI, of the seed and of what came in as FHIR',
    async () => {
      const { primary, load } = await fhirPlace();
      await load([...everything]);
      for (const file of await patientFiles()) await load(await readFile(file, 'utf8'));
      const ids = new Set(primary.names(`${primary.base}/records/`).map((name) => name.split('/')[4] ?? ''));
      const cameIn = await Promise.all(Array.from(ids, (recordId) => exported(primary, recordId)));
      const store = await seed();
      const ofSeed = recordIds.flatMap((recordId) => resourcesOf(store, recordId));
      const resources = [...ofSeed, ...cameIn.flat()];
      const path = `${join(hapi, 'lib', '*')}:${join(hapi, 'classes')}`;
      const running = promisify(execFile)('java', ['-Xmx1g', '-cp', path, 'Validate'], {
        maxBuffer: 2 ** 28,
      });
      running.child.stdin?.end(resources.map((resource) => `${writeJson(resource)}\n`).join(''));
      const answers = (await running).stdout.trimEnd().split('\n');
      expect(answers.length).toBe(resources.length);
      const errors = answers.flatMap((line, at) =>
        (JSON.parse(line) as { severity: string; message: string }[])
          .filter(({ severity }) => !['warning', 'information'].includes(severity))
          .map(({ message }) => `${String(resources[at]?.['resourceType'])}: ${message}`),
      );
      // R4 has this name for NDF-RT, which HAPI does not know.
      const ndfrt = "AllergyIntolerance: Unknown Code System 'http://hl7.org/fhir/ndfrt'";
      expect([...new Set(errors)]).toEqual([ndfrt]);
    },
  );
});
