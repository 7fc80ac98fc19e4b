import { readdirSync } from 'node:fs';
import { createSecretKey } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { deidentifier } from '../../src/analysts/deidentify/view.js';
import type { LevelView } from '../../src/analysts/levels.js';
import type { Ontology } from '../../src/model/ontology/model.js';
import type { Quad } from '../../src/rdf/terms.js';
import { memoryFiles } from '../../src/records/documents/memory-files.js';
import { readSeed } from '../../src/records/seed.js';
import { patientMaker } from '../../bench/synth/patient-maker.mjs';
import type { NamedGraph } from '../../src/store/graph-store.js';
import { base, ontology } from '../records/support.js';
import { sharedData } from '../shared-data.js';
import { resourcesOf } from '../model/validate/seed-statements.js';

export { base, ontology };

export const key = createSecretKey(Buffer.alloc(32, 7));

/** All graphs of the seed: records, users, apps. */
export async function seedGraphs(): Promise<readonly NamedGraph[]> {
  const dir = resolve(import.meta.dirname, '..', '..', 'seed');
  return (await readSeed({ dir, ontology, base, files: memoryFiles() })).graphs;
}

/** The record ids of the sample patients; none where they are not beside the project. */
export const sampleIds: readonly string[] = (() => {
  const readme = sharedData('sample-patients', 'README.md');
  if (readme === undefined) return [];
  return readdirSync(dirname(readme)).flatMap((name) => /^p(\d+)\.xml$/.exec(name)?.[1] ?? []);
})();

/** The graphs of one sample patient. */
export async function sampleGraphs(id: string): Promise<readonly NamedGraph[]> {
  return await resourcesOf(sharedData('sample-patients', `p${id}.xml`) ?? '');
}

/** The graphs of invented patients. */
export function inventedGraphs(number: number): readonly NamedGraph[] {
  const make = patientMaker({ ontology, seed: 'analysts', size: 'small', base, first: 5_000_001 });
  return Array.from({ length: number }, (_, at) => make(at).graphs).flat();
}

/** The de-identified view of some graphs, in the year 2026. */
export function viewOf(graphs: readonly NamedGraph[], model: Ontology = ontology): LevelView {
  const byName = new Map(graphs.map(({ name, quads }) => [name, quads]));
  const readGraph = (name: string): readonly Quad[] => byName.get(name) ?? [];
  return deidentifier({ ontology: model, base, key, readGraph, year: () => 2026 });
}

/** All that analysts see of some graphs. */
export function seenOf(graphs: readonly NamedGraph[]): Quad[] {
  const view = viewOf(graphs);
  return graphs.flatMap(({ name, quads }) => view.quadsOf(name, quads));
}
