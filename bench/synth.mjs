// Invents patients: node bench/synth.mjs --patients N (--out FOLDER | --data FOLDER) [--size small|real] [--seed TEXT]
// [--first ID] [--demographics] [--ontology FOLDER]: a Turtle file for each, for `load` and `validate`, or all of them
// in a data directory. Small ones have about 700 quads; of real ones half have fewer than 1,500, 99 % fewer than 12,000.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { listFromTheStart, withData } from '../dist/cli/open-data.js';
import { baseUrlOf, readSettings } from '../dist/cli/read-settings.js';
import { loadOntology } from '../dist/model/ontology/directory.js';
import { memoryFiles } from '../dist/records/documents/memory-files.js';
import { readSeed } from '../dist/records/seed.js';
import { patientMaker } from './synth/patient-maker.mjs';
import { habitsOf } from './synth/seed-habits.mjs';
import { patientTurtle, storePatients } from './synth/write-patients.mjs';

const text = { type: 'string' };
const { values } = parseArgs({
  options: {
    patients: text,
    size: { ...text, default: 'small' },
    seed: { ...text, default: '1' },
    first: { ...text, default: '3000001' },
    out: text,
    data: text,
    ontology: text,
    demographics: { type: 'boolean', default: false },
  },
});
const { patients, size, seed, first, out, data, ontology: folder, demographics } = values;
if (!(Number(patients) > 0) || (out === undefined) === (data === undefined)) {
  throw new Error('Say how many --patients, and either --out FOLDER or --data FOLDER.');
}
const settings = readSettings({ ...(data && { data }), ...(folder && { ontology: folder }) });
const { ontology } = await loadOntology(settings.ontology);

/** Codes and measures come as often as the shipped seed has them. */
async function* invented(base) {
  const dir = resolve(import.meta.dirname, '..', 'seed');
  const { graphs } = await readSeed({ dir, ontology, base, files: memoryFiles() });
  const habits = habitsOf(graphs.map(({ quads }) => quads));
  const given = { ontology, seed, size, base, first: Number(first), habits };
  const make = patientMaker({ ...given, demographicsOnly: demographics });
  for (let index = 0; index < Number(patients); index++) yield make(index);
}

if (out !== undefined) {
  const base = baseUrlOf(settings);
  await mkdir(out, { recursive: true });
  for await (const patient of invented(base)) {
    await writeFile(join(out, `${patient.recordId}.ttl`), await patientTurtle(patient, base));
  }
} else {
  const store = async (open) => {
    await listFromTheStart(open, ontology);
    return storePatients(open.primary, invented(open.base));
  };
  const quads = await withData({ ...settings, create: true }, store);
  console.log(`Stored ${patients} patients, ${quads} quads.`);
}
