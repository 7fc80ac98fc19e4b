import { readFile } from 'node:fs/promises';
import type { Folders } from '../model/ontology/directory.js';
import type { Rule } from '../model/check/rule.js';
import { isVocabularyTerm } from '../model/check/vocabulary-terms.js';
import type { Ontology } from '../model/ontology/model.js';
import type { Quad } from '../rdf/terms.js';
import { shortNameIn } from '../model/ontology/term-names.js';
import type { ModelProblem } from '../model/query/check/lint.js';
import { termsOf, lineAt } from '../model/query/tokenizer.js';
import { nodesIn, treeOrFault, type QueryTree } from '../model/query/syntax.js';
import { mappingChoice, mappingModifier, mappingNegation, meaningFaults } from './meaning-rules.js';
import { LossTable } from './loss-table.js';
import { combined, mappingFiles, MappingError, readQuery, readTable, type MappingQuery } from './mapping.js';

const mappingQuery: Rule = {
  id: 'mapping-query',
  severity: 'error',
  summary: 'A query of a mapping turns FHIR resources into statements of one class.',
  hint: 'Construct ?resource with its class and sp:belongsTo, from ?resource a fhir:Type and a link to its patient.',
};

const mappingTerm: Rule = {
  id: 'mapping-term',
  severity: 'error',
  summary: 'Every class and property that a mapping names is declared in the ontology.',
  hint: 'Look for a misspelt name, or declare the term.',
};

const mappingVariable: Rule = {
  id: 'mapping-variable',
  severity: 'error',
  summary: 'Every variable in the template of a mapping stands in its pattern.',
  hint: 'Look for a misspelt name, or bind the variable: what is not bound is left out of every statement.',
};

const mappingTable: Rule = {
  id: 'mapping-table',
  severity: 'error',
  summary: 'A table of a mapping is Turtle.',
  hint: 'Fix the file where the message says.',
};

/** Rules about the mapping of FHIR. */
export const mappingRules: readonly Rule[] = [
  mappingQuery,
  mappingTerm,
  mappingVariable,
  mappingTable,
  mappingModifier,
  mappingNegation,
  mappingChoice,
];

/** Finds the problems in the queries and tables of a mapping; none if there is no such folder. */
export async function checkMapping(folders: Folders, ontology: Ontology): Promise<ModelProblem[]> {
  const files = await mappingFiles(folders);
  const tables: Quad[] = [];
  const problems: ModelProblem[] = [];
  for (const file of files.filter((each) => each.endsWith('.ttl')))
    problems.push(...(await faultOf(mappingTable, async () => tables.push(...(await readTable(file))))));
  const losses = new LossTable(tables, new Map());
  const queries: MappingQuery[] = [];
  for (const file of files.filter((each) => each.endsWith('.rq'))) {
    problems.push(...(await checkText(file, await readFile(file, 'utf8'), ontology, queries)));
  }
  const { elements } = combined(queries);
  const lost = queries.flatMap((query) =>
    meaningFaults(query, losses, elements).map(({ rule, line, message }) =>
      problem(rule, query.file, line, message),
    ),
  );
  return [...problems, ...lost];
}

/** @param queries to which the query is added where it can be read */
async function checkText(
  file: string,
  text: string,
  ontology: Ontology,
  queries: MappingQuery[],
): Promise<ModelProblem[]> {
  const terms = termsOf(text)
    .filter(({ iri }) => isVocabularyTerm(iri, ontology) && !ontology.terms.has(iri))
    .map(({ iri, at }) =>
      problem(
        mappingTerm,
        file,
        lineAt(text, at),
        `${shortNameIn(ontology, iri)} is not declared in the ontology`,
      ),
    );
  // An undeclared class has no statements either: one problem is enough.
  if (terms.length > 0) return terms;
  const tree = treeOrFault(text, 'construct');
  const faults = await faultOf(mappingQuery, () => queries.push(readQuery(file, text, ontology, tree)));
  return faults.length > 0 || 'reason' in tree ? faults : unbound(file, text, tree);
}

function unbound(file: string, text: string, { template, where }: QueryTree<'construct'>): ModelProblem[] {
  const bound = new Set(variablesIn(where));
  return [...new Set(variablesIn(template))]
    .filter((name) => !bound.has(name))
    .map((name) => {
      const at = text.search(new RegExp(`\\?${name}\\b`, 'u'));
      return problem(mappingVariable, file, lineAt(text, at), `?${name} stands in no pattern`);
    });
}

/** Returns the names of all variables in a part of a syntax tree. */
function variablesIn(part: unknown): string[] {
  const nodes = nodesIn(part) as { subType?: unknown; value?: unknown }[];
  return nodes.flatMap(({ subType, value }) =>
    subType === 'variable' && typeof value === 'string' ? [value] : [],
  );
}

async function faultOf(rule: Rule, read: () => unknown): Promise<ModelProblem[]> {
  try {
    await read();
    return [];
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    return [problem(rule, error.file, error.line, error.reason)];
  }
}

function problem(
  { id, severity }: Rule,
  file: string,
  line: number | undefined,
  message: string,
): ModelProblem {
  return { file, line, rule: id, severity, message };
}
