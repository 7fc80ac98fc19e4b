import { createHash } from 'node:crypto';
import type { Analysis } from './analysts/analyses/analysis.js';
import { loadAnalyses } from './analysts/analyses/load-analyses.js';
import type { ContainerSettings } from './container-settings.js';
import { loadOntology, type LoadedOntology } from './ontology/directory.js';
import { lintOntology } from './query/check/lint.js';
import { loadQueries } from './query/load-queries.js';
import type { QueryTemplate } from './query/template.js';

/** The ontology and the queries of a container, checked, and a digest of every byte of them. */
export interface Model extends LoadedOntology {
  readonly queries: ReadonlyMap<string, QueryTemplate>;
  readonly analyses: ReadonlyMap<string, Analysis>;
}

/**
 * Reads the ontology and the queries that a container is started with.
 * @throws Error with one line for each thing that is wrong, and where it stands
 */
export async function readModel(settings: Pick<ContainerSettings, 'ontology' | 'queries'>): Promise<Model> {
  const loaded = await loadOntology(settings.ontology);
  refuseFaultyOntology(loaded);
  const queries = await loadQueries(settings.queries, loaded.ontology);
  const analyses = await loadAnalyses(settings.queries, loaded.ontology);
  return { ...loaded, queries, analyses, digest: digestOf(loaded.digest, queries) };
}

function refuseFaultyOntology(loaded: LoadedOntology): void {
  const faults = lintOntology(loaded).filter(({ severity }) => severity === 'error');
  if (faults.length === 0) return;
  const lines = faults.map(
    ({ file, line, rule, message }) => `${file === undefined ? '' : `${file}:${line}: `}${message} (${rule})`,
  );
  throw new Error(`The ontology cannot be served:\n${lines.join('\n')}`);
}

/** Changes with every byte of the ontology and of the queries. */
function digestOf(ontology: string, queries: ReadonlyMap<string, QueryTemplate>): string {
  const hash = createHash('sha256').update(ontology);
  for (const [name, { text }] of queries) hash.update(`\0${name}\0${text}`);
  return hash.digest('base64url');
}
