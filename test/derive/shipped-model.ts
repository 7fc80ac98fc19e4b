import { resolve } from 'node:path';
import { loadOntology } from '../../src/ontology/directory.js';
import { loadQueries } from '../../src/query/load-queries.js';
import type { DocumentedModel } from '../../src/document-model.js';

const root = resolve(import.meta.dirname, '../..');

/** The folder of the shipped seed. */
export const SEED = resolve(root, 'seed');

/** The shipped ontology with its queries. */
export async function shippedModel(): Promise<DocumentedModel> {
  const loaded = await loadOntology(resolve(root, 'ontology'));
  return { ...loaded, queries: await loadQueries(resolve(root, 'queries'), loaded.ontology) };
}
