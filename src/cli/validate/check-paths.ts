import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { manifestProblems } from '../../access/accounts/manifest.js';
import { MAPPING_FOLDER } from '../../fhir/mapping.js';
import { EXPORT_FOLDER } from '../../fhir/out/export-queries.js';
import type { Rule } from '../../model/check/rule.js';
import type { LoadedOntology } from '../../model/ontology/directory.js';
import { formatOfFile } from '../../rdf/formats.js';
import { readUsers } from '../../records/seed.js';
import { checkDataFile } from './check-data.js';
import {
  checkExportFolder,
  checkMappingFolder,
  checkOntologyFolder,
  checkQueryFolder,
  syntax,
  unreadFile,
} from './check-model.js';
import { lineOf } from '../command-errors.js';
import { fault, type Diagnostic } from './diagnostic.js';

const manifest: Rule = {
  id: 'manifest',
  severity: 'error',
  summary: 'An app manifest has the members that the container and launchers need.',
  hint: 'Add or change the member that the message names.',
};

const users: Rule = {
  id: 'users',
  severity: 'error',
  summary: 'The file users.json lists users with their names, roles and records.',
  hint: 'Compare it with users.json of the shipped seed.',
};

const unknownFile: Rule = {
  id: 'unknown-file',
  severity: 'error',
  summary: 'A file that you name can be checked.',
  hint: 'Name RDF data, an app manifest, users.json, or a folder of them; the extension tells the kind.',
};

export const fileRules: readonly Rule[] = [syntax, manifest, users, unknownFile, unreadFile];

export interface CheckContext {
  loaded: LoadedOntology;
  base: string;
  record?: string | undefined;
}

/** Checks a file, or all files in a folder: data, apps and users, queries, an ontology. */
export async function checkPath(path: string, context: CheckContext): Promise<Diagnostic[]> {
  if (!(await stat(path)).isDirectory()) return checkFile(path, context, true);
  const entries = (await readdir(path, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const names = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  if (resolve(path).endsWith(MAPPING_FOLDER)) return checkMappingFolder(path, context.loaded);
  if (resolve(path).endsWith(EXPORT_FOLDER)) return checkExportFolder(path, context.loaded);
  if (names.some((name) => name.endsWith('.rq'))) return checkQueryFolder(path, context.loaded);
  if (names.some((name) => name.endsWith('.ttl'))) {
    const found = await checkOntologyFolder(path);
    // Only an ontology declares itself; patients' Turtle does not.
    if (found.loaded !== undefined && found.loaded.ontology.iri !== '') return found.diagnostics;
  }
  const diagnostics: Diagnostic[] = [];
  // Files in the documents folder are content, not data.
  for (const entry of entries.filter(({ name }) => name !== 'documents')) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) diagnostics.push(...(await checkPath(below, context)));
    else diagnostics.push(...(await checkFile(below, context, false)));
  }
  return diagnostics;
}

async function checkFile(path: string, context: CheckContext, named: boolean): Promise<Diagnostic[]> {
  const name = path.replace(/^.*[\\/]/u, '');
  if (name === 'users.json') return refusals(path, users, () => readUsers(path));
  if (name.endsWith('.json')) return checkManifestFile(path);
  const { loaded, base, record } = context;
  if (formatOfFile(name) !== undefined) return checkDataFile(path, loaded.ontology, base, record);
  return named ? [fault(path, unknownFile.id, 'The extension says nothing that could be checked.')] : [];
}

async function checkManifestFile(path: string): Promise<Diagnostic[]> {
  const text = await readFile(path, 'utf8');
  let value: unknown;
  const found = await refusals(path, syntax, () => (value = JSON.parse(text)));
  return found.length > 0
    ? found
    : manifestProblems(value).map((message) => fault(path, manifest.id, message));
}

async function refusals(path: string, rule: Rule, read: () => unknown): Promise<Diagnostic[]> {
  try {
    await read();
    return [];
  } catch (error) {
    return [fault(path, rule.id, lineOf(error))];
  }
}
