import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Rule } from '../../model/check/rule.js';
import type { Folders } from '../../model/ontology/directory.js';
import type { Ontology } from '../../model/ontology/model.js';
import { checkQuery } from '../../model/query/check/check-query.js';
import type { Beside } from '../../model/query/check/query-rule.js';
import { QueriesError } from '../../model/query/load-queries.js';
import { QueryFileError } from '../../model/query/query-file-error.js';
import type { QueryTemplate } from '../../model/query/template.js';
import { fhirNamespace, mapping, mappingNamespace } from '../../rdf/vocabulary.js';
import { mappingFiles } from '../mapping.js';

/** Where the queries that make FHIR R4 of statements stand below a folder of queries. */
export const EXPORT_FOLDER = join('export', 'fhir-r4');

export const exportFolders = (queries: Folders): string[] =>
  [queries].flat().map((folder) => join(folder, EXPORT_FOLDER));

/** An export query reads the tables of the mapping, and makes nodes with FHIR's names. */
const beside: Beside = { graphs: [mapping.tables], namespaces: [fhirNamespace, mappingNamespace] };

const exportQuery: Rule = {
  id: 'export-query',
  severity: 'error',
  summary: 'A query that makes FHIR of statements has the name of the call that reads these statements.',
  hint: 'Name the file after the client method of the call, as in get_problems.rq.',
};

export const exportRules: readonly Rule[] = [exportQuery];

/** The queries of folders by the call that reads what they export; those of later folders replace others. */
export interface ReadExports {
  readonly queries: ReadonlyMap<string, QueryTemplate>;
  readonly problems: readonly QueryFileError[];
}

/** Reads and checks export queries by the rules for the queries of their calls. @param folders `export/fhir-r4` below each folder of queries */
export async function readExports(folders: Folders, ontology: Ontology): Promise<ReadExports> {
  const queries = new Map<string, QueryTemplate>();
  const problems: QueryFileError[] = [];
  for (const file of (await mappingFiles(folders)).filter((each) => each.endsWith('.rq'))) {
    const call = ontology.callByName.get(file.replace(/^.*[\\/]/u, '').slice(0, -'.rq'.length));
    if (call?.method !== 'GET') {
      problems.push(
        new QueryFileError(exportQuery, file, undefined, 'no GET call of the ontology has its name'),
      );
      continue;
    }
    const checked = checkQuery(file, await readFile(file, 'utf8'), call, ontology, beside);
    problems.push(...checked.problems);
    if (checked.template) queries.set(call.name, checked.template);
  }
  return { queries, problems };
}

/** @throws QueriesError when one cannot be used */
export async function loadExports(folders: Folders, ontology: Ontology): Promise<ReadExports['queries']> {
  const { queries, problems } = await readExports(folders, ontology);
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new QueriesError(errors);
  return queries;
}
