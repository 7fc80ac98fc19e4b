import { createHash } from 'node:crypto';
import type { Analysis } from './analyses/analysis.js';
import { loadAnalyses } from './analyses/read-analysis.js';
import { fewLines } from './check/rule.js';
import { loadOntology, type Folders, type LoadedOntology } from './ontology/directory.js';
import { lintOntology } from './query/check/lint.js';
import { loadAccessQueries, type AccessQuery } from './query/access-queries.js';
import { loadQueries, type ReadingOfQueries } from './query/load-queries.js';
import type { QueryTemplate } from './query/template.js';
import type { ReadPlan } from './query/read-plan.js';

export interface ModelFolders {
  readonly ontology: Folders;
  readonly queries: Folders;
}

/** The checked ontology and queries of a container, with a digest of every byte of them. */
export interface Model extends LoadedOntology {
  readonly queries: ReadonlyMap<string, QueryTemplate>;
  /** How to read the answers of its queries, by call. */
  readonly plans: Plans;
  readonly analyses: ReadonlyMap<string, Analysis>;
  /** They find who cares for a patient. */
  readonly access: ReadonlyMap<string, AccessQuery>;
}

/**
 * Reads and checks the ontology and queries of a container; skips the checks if the same bytes passed before.
 * @throws Error with one line per problem, each with its position
 */
export async function readModel(
  settings: ModelFolders,
  checked: Partial<CheckedModels> = {},
): Promise<Model> {
  const loaded = await loadOntology(settings.ontology);
  const last = await checked.last?.();
  const known = last && (await readQueryFolder(settings, loaded, last).catch(() => undefined));
  if (known && last.isOf(known.digest)) return known;
  refuseFaultyOntology(loaded);
  const model = await readQueryFolder(settings, loaded, {});
  await checked.add?.(model);
  return model;
}

async function readQueryFolder(
  settings: Pick<ModelFolders, 'queries'>,
  loaded: LoadedOntology,
  options: ReadingOfQueries,
): Promise<Model> {
  const queries = await loadQueries(settings.queries, loaded.ontology, options);
  const analyses = await loadAnalyses(settings.queries, loaded.ontology, options);
  const access = await loadAccessQueries(settings.queries, loaded.ontology, options);
  const plans = Object.fromEntries(Array.from(queries, ([name, { plan }]) => [name, plan]));
  const digest = digestOf(loaded.digest, queries, analyses, access);
  return { ...loaded, queries, plans, analyses, access, digest };
}

function refuseFaultyOntology(loaded: LoadedOntology): void {
  const faults = lintOntology(loaded).filter(({ severity }) => severity === 'error');
  if (faults.length === 0) return;
  const lines = faults.map(
    ({ file, line, rule, message }) => `${file === undefined ? '' : `${file}:${line}: `}${message} (${rule})`,
  );
  throw new Error(`The ontology cannot be served:\n${fewLines(lines)}`);
}

/** Changes with every byte of the ontology and all queries. */
function digestOf(
  ontology: string,
  queries: ReadonlyMap<string, QueryTemplate>,
  analyses: ReadonlyMap<string, Analysis>,
  access: ReadonlyMap<string, AccessQuery>,
): string {
  const hash = createHash('sha256').update(ontology);
  for (const [name, { text }] of queries) hash.update(`\0${name}\0${text}`);
  for (const [name, { query }] of analyses) hash.update(`\0analyses/${name}\0${query.text}`);
  for (const [name, { template }] of access) hash.update(`\0access/${name}\0${template.text}`);
  return hash.digest('base64url');
}

export type Plans = Readonly<Record<string, ReadPlan>>;

export interface CheckedModel {
  /** A digest of every byte of the model. */
  readonly digest: string;
  readonly plans: Plans;
}

/** Remembers which ontologies and queries passed every check. */
export interface CheckedModels {
  /** Returns the plans of the last model that passed; use them only if `isOf` confirms the digest. */
  last(): Promise<{ readonly plans: Plans; isOf(digest: string): boolean } | undefined>;
  /** Records that a model passed. */
  add(model: CheckedModel): Promise<void>;
}
