// FHIR resources a second of the processor, mapped, validated and stored, against JSON.parse of the same files alone; the
// same by the clock, with the threads that `load` takes, and without storing.
// The patients are those of `.ci/synthea DIR`; CHARTGRAPH_TEST_PATIENTS names that folder, without it there is no figure.
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDataDirectory } from '../../dist/store/disk/data-directory.js';
import { loadFhir } from '../../dist/fhir/load-fhir.js';
import { mappingThreads } from '../../dist/fhir/mapping-threads.js';
import { MAPPING_FOLDER, readMapping } from '../../dist/fhir/mapping.js';
import { openPrimaryStore } from '../../dist/store/primary-store.js';
import { base, model, root, scratch } from '../lib/data.mjs';
import { figure, short } from '../lib/measure.mjs';
import { NO_PATIENTS, patientBundles } from '../lib/synthea.mjs';

/** So many bytes of patients are loaded at least, where there are as many. */
const [WHOLE, QUICK] = [60_000_000, 8_000_000];

export async function measure({ quick }) {
  const goal = { goal: null, better: 'lower' };
  const paths = patientBundles(quick ? QUICK : WHOLE);
  if (paths === undefined) return [figure('fhir', null, { ...goal, details: [NO_PATIENTS] })];
  const [alone] = await costOf(() => {
    for (const path of paths) JSON.parse(readFileSync(path, 'utf8'));
  });
  const mapping = await readMapping(join(root, 'queries', MAPPING_FOLDER), model.ontology);
  const directory = await openDataDirectory(scratch('fhir'), { create: true });
  try {
    const primary = openPrimaryStore(directory, base);
    const files = paths.map((path) => ({ name: path, open: () => createReadStream(path) }));
    const { ontology } = model;
    const options = { files, primary, ontology, mapping, base, threads: mappingThreads() };
    const [whole, reports, wall] = await costOf(() => loadFhir(options));
    const [dry, , dryWall] = await costOf(() => loadFhir({ ...options, dry: true }));
    const resources = reports
      .flatMap(({ report }) => Object.values(report.resources))
      .reduce((sum, { resources: found }) => sum + found, 0);
    return [
      figure('fhir', whole / alone, {
        ...goal,
        details: [
          `${short((resources / whole) * 1000)} resources a second of the processor, ${short(resources)} in ${short(whole)} ms; JSON.parse alone ${short(alone)} ms`,
          `${short((resources / wall) * 1000)} a second by the clock, ${short(options.threads)} threads that map`,
          `parsed, mapped and validated, not stored: ${short((resources / dry) * 1000)} a second of the processor, ${short((resources / dryWall) * 1000)} by the clock`,
        ],
      }),
    ];
  } finally {
    await directory.close();
  }
}

/** Milliseconds of the processor that something takes in this process, what it gives, and milliseconds by the clock. */
async function costOf(work) {
  const before = process.cpuUsage();
  const start = performance.now();
  const made = await work();
  const { user, system } = process.cpuUsage(before);
  return [(user + system) / 1000, made, performance.now() - start];
}
