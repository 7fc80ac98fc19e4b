import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { writeJson } from '../../../src/fhir/endpoint/reading/write-json.js';
import type { JsonObject } from '../../../src/rdf/json-object.js';
import { madeOnce } from '../../../src/rdf/made-once.js';
import type { PrimaryStore } from '../../../src/store/primary-store.js';
import { place } from '../../records/support.js';
import { everything, fhirPlace, fileOf, statementsOf } from '../support.js';
import { differencesOfExamples, differencesOfResources, eachDifference } from './known-differences.js';
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

const patients = join(process.env['CHARTGRAPH_TEST_PATIENTS'] ?? '', 'out', 'fhir');
/** Folders of files, where the environment names them; patients of Synthea are alike, so a few of them do. */
type Source = readonly [of: string, folder: string, most: number];
const sources: readonly Source[] = [
  ['HL7’s examples', process.env['CHARTGRAPH_TEST_FHIR_EXAMPLES'] ?? '', Infinity],
  ['patients of Synthea', patients, 3],
];
/** What is of a patient, and what that refers to; the rest is of no record. */
const OF_PATIENTS =
  /^(?:Patient|Encounter|Observation|Condition|AllergyIntolerance|Medication|Procedure|Immunization|DiagnosticReport|DocumentReference|Practitioner|Organization|Binary|Location)\w*-|_[0-9a-f-]{36}\.json$|Information\d+\.json$/u;

/** All that came in from files, and all that goes out of it. */
const sentFrom = madeOnce(async ([, folder, most]: Source) => {
  const { primary, load } = await fhirPlace();
  const came: JsonObject[] = [];
  const files: ReturnType<typeof fileOf>[] = [];
  const names = (await readdir(folder)).filter((each) => OF_PATIENTS.test(each)).sort();
  for (const name of names.filter((each, at) => at < most || each.includes('Information'))) {
    const text = await readFile(join(folder, name), 'utf8');
    const read = JSON.parse(text) as JsonObject & { entry?: { resource: JsonObject }[] };
    came.push(...(read.entry?.map(({ resource }) => resource) ?? [read]));
    files.push(fileOf(text, name));
  }
  await load('', { files });
  const start = `${primary.base}/records/`;
  const ids = new Set(primary.names(start).map((name) => name.slice(start.length).replace(/\/.*$/u, '')));
  const out = await Promise.all(Array.from(ids, (recordId) => exported(primary, recordId)));
  return { came, out: out.flat() };
});

const recordIds = (await readdir(folder)).map((file) => file.replace('.ttl', ''));

describe('what goes out', { timeout: 600_000 }, () => {
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

  for (const source of sources)
    it.skipIf(!existsSync(source[1]))(
      `is all that the mapping reads of ${source[0]}, but for what is named`,
      async () => {
        const { came, out } = await sentFrom(source);
        const found = new Map<string, string>();
        addLosses(came, out, found);
        expect(found.size).toBeGreaterThan(5);
        const known = [...differencesOfResources, ...differencesOfExamples];
        expect([...found].filter(([kind]) => !known.some(([, each]) => each.test(kind))).sort()).toEqual([]);
      },
    );

  // .ci/hapi fetches it, with Java and Maven.
  it.skipIf(!existsSync(join(hapi, 'classes')))(
    'is valid to HAPI, of the seed and of what came in as FHIR, with HL7’s examples and patients of Synthea',
    async () => {
      const { primary, load } = await fhirPlace();
      await load([...everything]);
      const cameIn = [await exported(primary, 'p1')];
      for (const source of sources) if (existsSync(source[1])) cameIn.push((await sentFrom(source)).out);
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
