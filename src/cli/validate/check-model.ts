import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readAnalyses } from '../../model/analyses/read-analysis.js';
import { checkMapping } from '../../fhir/check-mapping.js';
import { mappingFolders } from '../../fhir/mapping.js';
import { exportFolders, readExports } from '../../fhir/out/export-queries.js';
import {
  loadOntology,
  OntologyFileError,
  type Folders,
  type LoadedOntology,
} from '../../model/ontology/directory.js';
import { lintOntology, lintQueries, type ModelProblem } from '../../model/query/check/lint.js';
import type { Rule } from '../../model/check/rule.js';
import { readAccessQueries } from '../../model/query/access-queries.js';
import { fault, type Diagnostic } from './diagnostic.js';

export const syntax: Rule = {
  id: 'syntax',
  severity: 'error',
  summary: 'An ontology file is Turtle, a manifest is JSON.',
  hint: 'Fix the file where the message says.',
};

export const unreadFile: Rule = {
  id: 'unread-file',
  severity: 'warning',
  summary: 'No other file looks like a file of the ontology or the queries.',
  hint: 'Files of the ontology end with .ttl, queries with .rq, in small letters: rename it, or move it elsewhere.',
};

/** Common other names, by the file ending that is read. */
const alike: Readonly<Record<string, RegExp>> = {
  '.ttl': /\.(?:ttl|turtle|owl|rdf|n3|nt|jsonld)$/i,
  '.rq': /\.(?:rq|sparql|sq)$/i,
};

async function unreadFiles(folders: Folders, ending: '.ttl' | '.rq'): Promise<Diagnostic[]> {
  return (await Promise.all([folders].flat().map((dir) => unreadIn(dir, ending)))).flat();
}

async function unreadIn(dir: string, ending: '.ttl' | '.rq'): Promise<Diagnostic[]> {
  const names = await readdir(dir).catch(() => []);
  return names
    .filter((name) => alike[ending]?.test(name) && !name.endsWith(ending))
    .sort()
    .map((name) => {
      const message = `It is not read, since it does not end with ${ending}.`;
      return fault(join(dir, name), unreadFile.id, message, null, unreadFile.severity);
    });
}

/** An ontology folder with its problems; nothing is loaded if it cannot be read. */
export interface CheckedOntology {
  loaded: LoadedOntology | undefined;
  diagnostics: Diagnostic[];
}

export async function checkOntologyFolder(folders: Folders): Promise<CheckedOntology> {
  try {
    const loaded = await loadOntology(folders);
    const diagnostics = lintOntology(loaded).map((problem) => findingOf(problem, folders));
    return { loaded, diagnostics: [...diagnostics, ...(await unreadFiles(folders, '.ttl'))] };
  } catch (error) {
    if (!(error instanceof OntologyFileError)) throw error;
    return { loaded: undefined, diagnostics: [fault(error.file, syntax.id, error.reason, error.line)] };
  }
}

/** Checks a folder of queries, analyses and access queries against the ontology, and that both use only declared terms. */
export async function checkQueryFolder(folders: Folders, loaded: LoadedOntology): Promise<Diagnostic[]> {
  const queries = (await lintQueries(folders, loaded)).map((problem) => findingOf(problem, folders));
  const { problems } = await readAnalyses(folders, loaded.ontology);
  const access = await readAccessQueries(folders, loaded.ontology);
  const others = [...problems, ...access.problems].map(({ file, rule, reason, line, severity }) =>
    fault(file, rule, reason, line, severity),
  );
  const exports = await checkExportFolder(exportFolders(folders), loaded);
  const mapping = await checkMappingFolder(mappingFolders(folders), loaded);
  return [...queries, ...others, ...mapping, ...exports, ...(await unreadFiles(folders, '.rq'))];
}

export async function checkExportFolder(folders: Folders, loaded: LoadedOntology): Promise<Diagnostic[]> {
  const { problems } = await readExports(folders, loaded.ontology);
  return problems.map(({ file, rule, reason, line, severity }) => fault(file, rule, reason, line, severity));
}

export async function checkMappingFolder(folders: Folders, loaded: LoadedOntology): Promise<Diagnostic[]> {
  return (await checkMapping(folders, loaded.ontology)).map((problem) => findingOf(problem, folders));
}

function findingOf({ file, line, rule, severity, message }: ModelProblem, folders: Folders): Diagnostic {
  return fault(file ?? [folders].flat()[0] ?? '', rule, message, line, severity);
}
