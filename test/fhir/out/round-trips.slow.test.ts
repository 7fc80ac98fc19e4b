import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { writeJson } from '../../../src/fhir/endpoint/reading/write-json.js';
import type { JsonObject } from '../../../src/rdf/json-object.js';
import { base, place } from '../../records/support.js';
import { everything, fhirPlace } from '../support.js';
import { exporterOf, sentAndLoaded } from './support.js';

const hapi = process.env['CHARTGRAPH_TEST_HAPI'] ?? '';
const folder = join('seed', 'records');

/** All that goes out of the records of the seed. */
const seed = async (): Promise<[recordId: string, resources: JsonObject[]][]> =>
  Promise.all(
    (await readdir(folder)).map(async (file) => {
      const { primary, loadPath } = await place();
      await loadPath(join(folder, file));
      const recordId = file.replace('.ttl', '');
      expect(primary.has(`${base}/records/${recordId}/demographics`)).toBe(true);
      return [recordId, exporterOf(primary).resources(recordId)];
    }),
  );

describe('the records of the seed', { timeout: 300_000 }, () => {
  it('come in again from what goes out, but for a smoking status, which has no date', async () => {
    for (const [recordId, resources] of await seed()) {
      const { report } = await sentAndLoaded(resources, recordId);
      expect(report.meaning, recordId).toEqual({});
      for (const [type, { resources: all, mapped }] of Object.entries(report.resources)) {
        const isSmoking = ({ id }: JsonObject): boolean => String(id).endsWith('social.5fhistory');
        const smoking = type === 'Observation' ? resources.filter(isSmoking).length : 0;
        // What the record keeps in words is kept in words again.
        const inWords = resources.filter(
          ({ resourceType, id }) => resourceType === type && String(id).includes('..unmapped..'),
        );
        expect(report.kept[type]?.count ?? 0, `${recordId} ${type}`).toBe(inWords.length);
        expect(mapped, `${recordId} ${type}`).toBeGreaterThanOrEqual(all - smoking - inWords.length);
      }
    }
  });

  // .ci/hapi fetches it, with Java and Maven.
  it.skipIf(!existsSync(join(hapi, 'classes')))(
    'are valid to HAPI, and so is what came in as FHIR',
    async () => {
      const { primary, load } = await fhirPlace();
      await load([...everything]);
      const resources = [...(await seed()).flatMap(([, all]) => all), ...exporterOf(primary).resources('p1')];
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
      // R4 has this name for NDF-RT, which HAPI does not know; the identifier of the tests’ patient came in like this.
      expect(errors).toEqual([
        "AllergyIntolerance: Unknown Code System 'http://hl7.org/fhir/ndfrt'",
        'Patient: OIDs must be valid (1.2.3)',
      ]);
    },
  );
});
