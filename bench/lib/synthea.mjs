// Patients of `.ci/synthea DIR`, where CHARTGRAPH_TEST_PATIENTS names that folder.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a figure without patients says. */
export const NO_PATIENTS = 'CHARTGRAPH_TEST_PATIENTS names no folder of .ci/synthea.';

/**
 * Bundles: what others refer to first, then patients from the smallest until there are enough bytes.
 * @returns their paths; undefined where there is no such folder
 */
export function patientBundles(bytes) {
  const folder = join(process.env.CHARTGRAPH_TEST_PATIENTS ?? '', 'out', 'fhir');
  if (!process.env.CHARTGRAPH_TEST_PATIENTS || !existsSync(folder)) return undefined;
  const sized = readdirSync(folder).map((name) => join(folder, name));
  const isPerson = (path) => !/(?:hospital|practitioner)Information/u.test(path);
  const sizeOf = (path) => readFileSync(path).length;
  const people = sized
    .filter(isPerson)
    .map((path) => ({ path, size: sizeOf(path) }))
    .sort((a, b) => a.size - b.size);
  let sum = 0;
  const some = people.filter(({ size }) => (sum += size) - size < bytes).map(({ path }) => path);
  return [...sized.filter((path) => !isPerson(path)), ...some];
}
