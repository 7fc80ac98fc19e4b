import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { loadOntology } from '../../../src/model/ontology/directory.js';
import { systemName } from '../../../src/pages/shown/system-name.js';

const root = resolve(import.meta.dirname, '..', '..', '..');

/** Returns the texts that a pattern finds in the Turtle files of a folder. */
function found(folder: string, pattern: RegExp): string[] {
  const files = readdirSync(join(root, folder)).filter((name) => name.endsWith('.ttl'));
  return files.flatMap((name) =>
    Array.from(readFileSync(join(root, folder, name), 'utf8').matchAll(pattern), ([, text = '']) => text),
  );
}

it('has a name for people for each code system of the ontology, the seed and the mapping of FHIR', async () => {
  const { ontology } = await loadOntology(join(root, 'ontology'));
  const systems = new Set([
    ...Array.from(ontology.codes.values(), ({ system }) => system),
    ...found('seed/records', /sp:system\s+"([^"]+)"/gu),
    ...found('queries/import/fhir-r4', /map:prefix\s+"([^"]+)"/gu),
  ]);
  const labels = new Set(Array.from(ontology.classes.values(), ({ label }) => label));
  // A system without an address is a name already.
  const isNamed = (system: string): boolean =>
    !system.includes(':') || labels.has(systemName(ontology, system));
  expect(systems.size).toBeGreaterThan(10);
  expect([...systems].filter((system) => !isNamed(system))).toEqual([]);
});
