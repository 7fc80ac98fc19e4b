import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Analysis } from './analysts/analyses/analysis.js';
import { loadAnalyses } from './analysts/analyses/load-analyses.js';
import type { CheckedModels } from './checked-models.js';
import type { ContainerSettings } from './container-settings.js';
import { documentMapping, type MappingDoc } from './derive/documentation/mapping-doc.js';
import { MAPPING_FOLDER, readMapping } from './fhir/mapping.js';
import { fewLines } from './ontology/check/few-lines.js';
import { loadOntology, type LoadedOntology } from './ontology/directory.js';
import type { Ontology } from './ontology/model.js';
import { lintOntology } from './query/check/lint.js';
import { loadQueries, type ReadingOfQueries } from './query/load-queries.js';
import type { QueryTemplate } from './query/template.js';

/** The ontology and the queries of a container, checked, and a digest of every byte of them. */
export interface Model extends LoadedOntology {
  readonly queries: ReadonlyMap<string, QueryTemplate>;
  readonly analyses: ReadonlyMap<string, Analysis>;
  readonly mapping: () => Promise<readonly MappingDoc[]>;
}

/**
 * Reads the ontology and the queries that a container is started with, and checks them, unless these very bytes were
 * checked before.
 * @throws Error with one line for each thing that is wrong, and where it stands
 */
export async function readModel(
  settings: Pick<ContainerSettings, 'ontology' | 'queries'>,
  checked: Partial<CheckedModels> = {},
): Promise<Model> {
  const loaded = await loadOntology(settings.ontology);
  const known = await readQueryFolder(settings, loaded, { wereChecked: true }).catch(() => undefined);
  if (known && (await checked.has?.(known.digest))) return known;
  refuseFaultyOntology(loaded);
  const model = await readQueryFolder(settings, loaded, {});
  await checked.add?.(model.digest);
  return model;
}

async function readQueryFolder(
  settings: Pick<ContainerSettings, 'queries'>,
  loaded: LoadedOntology,
  options: ReadingOfQueries,
): Promise<Model> {
  const queries = await loadQueries(settings.queries, loaded.ontology, options);
  const analyses = await loadAnalyses(settings.queries, loaded.ontology, options);
  const mapping = mappingOf(settings.queries, loaded.ontology);
  return { ...loaded, queries, analyses, mapping, digest: digestOf(loaded.digest, queries, analyses) };
}

/** The mapping of FHIR below a folder of queries, for people; of one that cannot be read, nothing: `validate` says why. */
export function mappingOf(queries: string, ontology: Ontology): () => Promise<readonly MappingDoc[]> {
  return async () => {
    const read = readMapping(join(queries, MAPPING_FOLDER), ontology);
    return read.then(documentMapping, () => []);
  };
}

function refuseFaultyOntology(loaded: LoadedOntology): void {
  const faults = lintOntology(loaded).filter(({ severity }) => severity === 'error');
  if (faults.length === 0) return;
  const lines = faults.map(
    ({ file, line, rule, message }) => `${file === undefined ? '' : `${file}:${line}: `}${message} (${rule})`,
  );
  throw new Error(`The ontology cannot be served:\n${fewLines(lines)}`);
}

/** Changes with every byte of the ontology, the queries and the analyses. */
function digestOf(
  ontology: string,
  queries: ReadonlyMap<string, QueryTemplate>,
  analyses: ReadonlyMap<string, Analysis>,
): string {
  const hash = createHash('sha256').update(ontology);
  for (const [name, { text }] of queries) hash.update(`\0${name}\0${text}`);
  for (const [name, { query }] of analyses) hash.update(`\0analyses/${name}\0${query.text}`);
  return hash.digest('base64url');
}
