import type { Ontology } from '../ontology/model.js';
import { termKey } from '../rdf/term-key.js';
import type { Quad } from '../rdf/terms.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { recordIds } from './record-names.js';
import { recordIri } from './resource-paths.js';
import { readSeedPatients } from './seed.js';

/** Tells whether a container holds the invented patients of a seed folder and nobody else. */
export type DemoDataTest = () => boolean;

/**
 * Makes the test: each record has the id of a seed's, and each is about the person that the seed has under that id.
 * What people and apps have added to these records does not count.
 * @param dir the seed folder
 * @throws Error that names the file of the folder that cannot be read
 */
export async function demoDataTest(
  primary: PrimaryStore,
  { dir, ontology }: { readonly dir: string; readonly ontology: Ontology },
): Promise<DemoDataTest> {
  const { base } = primary;
  const patients = await readSeedPatients({ dir, ontology, base });
  const invented = new Map(
    patients.flatMap(({ graphs }) => graphs.map(({ name, quads }) => [name, contentOf(quads)])),
  );
  return () =>
    recordIds(primary, base).every((id) => {
      const name = `${recordIri(base, id)}/demographics`;
      const own = invented.get(name);
      return own !== undefined && own === contentOf(primary.graph(name) ?? []);
    });
}

/** What a graph says, whatever its blank nodes are labelled: enough to tell two persons apart. */
function contentOf(quads: readonly Quad[]): string {
  const values = quads.map(
    ({ predicate, object }) => `${predicate.value} ${object.termType === 'BlankNode' ? '' : termKey(object)}`,
  );
  return values.sort().join('\n');
}
