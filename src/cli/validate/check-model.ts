import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readAnalyses } from '../../analysts/analyses/load-analyses.js';
import { checkMapping } from '../../fhir/check-mapping.js';
import { MAPPING_FOLDER } from '../../fhir/mapping.js';
import { loadOntology, OntologyFileError, type LoadedOntology } from '../../ontology/directory.js';
import { lintOntology, lintQueries, type ModelProblem } from '../../query/check/lint.js';
import type { Rule } from '../../ontology/check/rule.js';
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
  summary: 'No file beside those of the ontology and the queries looks as if it were one of them.',
  hint: 'Files of the ontology end with .ttl, queries with .rq, in small letters: rename it, or move it elsewhere.',
};

/** Where files are read that end with something, names that people give to files of that kind. */
const alike: Readonly<Record<string, RegExp>> = {
  '.ttl': /\.(?:ttl|turtle|owl|rdf|n3|nt|jsonld)$/i,
  '.rq': /\.(?:rq|sparql|sq)$/i,
};

async function unreadFiles(dir: string, ending: '.ttl' | '.rq'): Promise<Diagnostic[]> {
  const names = await readdir(dir).catch(() => []);
  return names
    .filter((name) => alike[ending]?.test(name) && !name.endsWith(ending))
    .sort()
    .map((name) => ({
      ...fault(join(dir, name), unreadFile.id, `It is not read, since it does not end with ${ending}.`),
      severity: unreadFile.severity,
    }));
}

/** An ontology folder with all that is wrong with it; nothing loaded where it cannot be read. */
export interface CheckedOntology {
  loaded: LoadedOntology | undefined;
  diagnostics: Diagnostic[];
}

/** Checks an ontology folder: its syntax, then the rules by which it drives the container. */
export async function checkOntologyFolder(dir: string): Promise<CheckedOntology> {
  try {
    const loaded = await loadOntology(dir);
    const diagnostics = lintOntology(loaded).map((problem) => findingOf(problem, dir));
    return { loaded, diagnostics: [...diagnostics, ...(await unreadFiles(dir, '.ttl'))] };
  } catch (error) {
    if (!(error instanceof OntologyFileError)) throw error;
    return { loaded: undefined, diagnostics: [fault(error.file, syntax.id, error.reason, error.line)] };
  }
}

/** Checks a folder of queries, with its analyses, against the ontology whose calls they answer, and that both use what is declared. */
export async function checkQueryFolder(dir: string, loaded: LoadedOntology): Promise<Diagnostic[]> {
  const queries = (await lintQueries(dir, loaded)).map((problem) => findingOf(problem, dir));
  const { problems } = await readAnalyses(dir, loaded.ontology);
  const analyses = problems.map(({ file, rule, reason, line, severity }) => ({
    ...fault(file, rule, reason, line),
    severity,
  }));
  const mapping = await checkMappingFolder(join(dir, MAPPING_FOLDER), loaded);
  return [...queries, ...analyses, ...mapping, ...(await unreadFiles(dir, '.rq'))];
}

/** Checks the mapping of FHIR against the ontology that it makes statements of. */
export async function checkMappingFolder(dir: string, loaded: LoadedOntology): Promise<Diagnostic[]> {
  return (await checkMapping(dir, loaded.ontology)).map((problem) => findingOf(problem, dir));
}

function findingOf({ file, line, rule, severity, message }: ModelProblem, dir: string): Diagnostic {
  return { ...fault(file ?? dir, rule, message, line), severity };
}
