import { resolve } from 'node:path';
import { loadAnalyses } from '../../src/model/analyses/read-analysis.js';
import { loadOntology } from '../../src/model/ontology/directory.js';
import { loadQueries } from '../../src/model/query/load-queries.js';
import type { DocumentedModel } from '../../src/authoring/derive-documentation.js';

const root = resolve(import.meta.dirname, '../..');

/** The folder of the shipped seed. */
export const SEED = resolve(root, 'seed');

/** The shipped ontology with its queries. */
export async function shippedModel(): Promise<DocumentedModel> {
  const loaded = await loadOntology(resolve(root, 'ontology'));
  const folder = resolve(root, 'queries');
  const queries = await loadQueries(folder, loaded.ontology);
  return { ...loaded, queries, analyses: await loadAnalyses(folder, loaded.ontology) };
}
