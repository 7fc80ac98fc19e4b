import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { loadOntology } from '../ontology/directory.js';
import type { Ontology } from '../ontology/model.js';
import { memoryFiles } from '../records/documents/memory-files.js';
import { readSeed } from '../records/seed.js';
import { patientMaker, type SynthPatient } from '../records/synth/invented-patient.js';
import { sizes, type PatientSize } from '../records/synth/plan.js';
import { habitsOf, type Habits } from '../records/synth/seed-habits.js';
import { patientQuads, patientTurtle, storePatients } from '../records/synth/write-patients.js';
import { listFromTheStart, withData, type OpenData } from './open-data.js';
import { count, print, write } from './output.js';
import { shipped } from './package.js';
import { startProgress } from './progress.js';
import { baseUrlOf, readSettings } from './settings.js';

interface SynthFlags {
  patients: number;
  size: PatientSize;
  seed: string;
  first: number;
  out?: string;
  load?: boolean;
  demographics?: boolean;
}

/** `chartgraph synth`: invents patients, for tests and benchmarks. */
export function define(command: Command): void {
  command
    .requiredOption('--patients <number>', 'how many', atLeastOne)
    .addOption(
      new Option('--size <size>', 'small: about 700 quads each; real: half below 1,500, 99 % below 12,000')
        .choices(Object.keys(sizes))
        .default('small'),
    )
    .option('--seed <text>', 'the same seed gives the same patients', '1')
    .option('--first <id>', 'record id of the first one', wholeNumber, 3_000_001)
    .addOption(
      new Option('--out <dir>', 'a Turtle file for each, or - for N-Quads on stdout (default: -)').conflicts(
        'load',
      ),
    )
    .option('--load', 'store them in the data directory instead')
    .option('--demographics', 'nothing but who they are')
    .option('--ontology <dir>', 'the ontology to invent by instead of the shipped one')
    .action(async ({ seed, size, first, patients: number, out = '-', load, demographics }: SynthFlags) => {
      // The seed of the command is none of the settings.
      const settings = readSettings({ ...command.optsWithGlobals(), seed: undefined });
      const { ontology } = await loadOntology(settings.ontology);
      const progress = await startProgress('Inventing', number);
      const patientsOf = async (base: string): Promise<Iterable<SynthPatient>> => {
        const habits = await seedHabits(ontology, base);
        const given = { ontology, seed, size, base, first, habits };
        const make = patientMaker({ ...given, demographicsOnly: demographics === true });
        return (function* () {
          for (let index = 0; index < number; index++) {
            progress.at(index);
            yield make(index);
          }
        })();
      };
      const base = baseUrlOf(settings);
      try {
        if (load) {
          const store = async (open: OpenData): Promise<number> => {
            await listFromTheStart(open, ontology);
            return storePatients(open.primary, await patientsOf(open.base));
          };
          const quads = await withData(settings, store, { create: true });
          progress.stop();
          await print(`Stored ${count(number, 'patient')}, ${count(quads, 'quad')}.`);
        } else if (out === '-') {
          for (const patient of await patientsOf(base)) await write(patientQuads(patient));
        } else {
          await writeFiles(resolve(out), await patientsOf(base), base);
        }
      } finally {
        progress.stop();
      }
    });
}

/** Codes and measures as the shipped seed has them, as often as it has them. */
async function seedHabits(ontology: Ontology, base: string): Promise<Habits> {
  const { graphs } = await readSeed({ dir: shipped('seed'), ontology, base, files: memoryFiles() });
  return habitsOf(graphs.map(({ quads }) => quads));
}

async function writeFiles(dir: string, patients: Iterable<SynthPatient>, base: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  for (const patient of patients) {
    await writeFile(join(dir, `${patient.recordId}.ttl`), await patientTurtle(patient, base));
  }
}

function atLeastOne(text: string): number {
  const number = wholeNumber(text);
  if (number > 0) return number;
  throw new InvalidArgumentError('It must be 1 or more.');
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/u.test(text)) return Number(text);
  throw new InvalidArgumentError('It is a whole number below a billion.');
}
