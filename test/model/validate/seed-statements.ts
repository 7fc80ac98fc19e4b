import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Quad } from '../../../src/rdf/terms.js';
import { loadPatient } from '../../../src/records/loading/load-patient.js';
import { partInput } from '../../../src/records/loading/input-graphs.js';
import { readRdfFile, recordIdOfFile } from '../../../src/records/loading/read-file.js';
import { base, ontology } from '../../records/support.js';

/** One resource as it is kept. */
export interface Resource {
  readonly name: string;
  readonly quads: readonly Quad[];
}

/** The statements of a file of one patient, each with the nodes that are reachable from it. */
export async function resourcesOf(file: string): Promise<Resource[]> {
  const fallbackId = recordIdOfFile(file);
  const [input] = partInput(await readRdfFile(file, base, fallbackId), base).records;
  return [...loadPatient({ inputGraphs: input?.inputGraphs ?? [], fallbackId, ontology, base }).graphs];
}

/** The statements of all patients of the seed. */
export async function seedResources(): Promise<Resource[]> {
  const folder = resolve(import.meta.dirname, '../../../seed/records');
  const files = readdirSync(folder).sort();
  return (await Promise.all(files.map((file) => resourcesOf(join(folder, file))))).flat();
}
