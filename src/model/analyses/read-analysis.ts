import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { layerReplaces } from '../check/layer-rules.js';
import type { Folders } from '../ontology/directory.js';
import type { Rule } from '../check/rule.js';
import type { Ontology } from '../ontology/model.js';
import { shortNameIn } from '../ontology/term-names.js';
import { QueriesError, type ReadingOfQueries } from '../query/load-queries.js';
import { QueryFileError } from '../query/query-file-error.js';
import { syntaxFault } from '../query/syntax.js';
import { QueryTemplate } from '../query/template.js';
import { termsOf, lineAt, solidTokens, tokenize } from '../query/tokenizer.js';
import { isUndeclared } from '../check/vocabulary-terms.js';
import type { Analysis } from './analysis.js';
import { readHead, type AnalysisHead } from './read-head.js';

const analysisHead: Rule = {
  id: 'analysis-head',
  severity: 'error',
  summary: 'An analysis states its title, its parameters with their types, and the columns of its chart.',
  hint: 'Write the comments at the head of the file as docs/analyses.md has them.',
};

const analysisQuery: Rule = {
  id: 'analysis-query',
  severity: 'error',
  summary: 'An analysis is a SELECT query in SPARQL 1.1 that names its columns and asks no other server.',
  hint: 'Write SELECT ?a ?b WHERE { … }, without SERVICE.',
};

const analysisTerm: Rule = {
  id: 'analysis-term',
  severity: 'error',
  summary: 'Every class and property of an analysis is declared in the ontology.',
  hint: 'Look for a misspelt name, or declare the term.',
};

export const analysisRules: readonly Rule[] = [analysisHead, analysisQuery, analysisTerm];

export interface ReadAnalysis {
  readonly analysis?: Analysis;
  readonly problems: readonly QueryFileError[];
}

/** Reads and checks an analysis. @param name the file name without `.rq` */
export function readAnalysis(
  file: string,
  name: string,
  text: string,
  ontology: Ontology,
  { plans }: ReadingOfQueries = {},
): ReadAnalysis {
  const at = (rule: Rule, line: number | undefined, reason: string): QueryFileError =>
    new QueryFileError(rule, file, line, reason);
  const fault = plans ? undefined : syntaxFault(text, 'select');
  if (fault) return { problems: [at(analysisQuery, fault.line, fault.reason)] };
  const columns = columnsOf(text);
  if (!columns) return { problems: [at(analysisQuery, undefined, 'SELECT * names no columns')] };
  const head = readHead(text);
  const service = tokenize(text).find(({ kind, text: word }) => kind === 'word' && /^SERVICE$/i.test(word));
  const problems = [
    ...(service ? [at(analysisQuery, lineAt(text, service.at), 'SERVICE asks another server')] : []),
    ...head.problems.map(({ line, reason }) => at(analysisHead, line, reason)),
    ...parameterProblems(text, head).map(({ line, reason }) => at(analysisHead, line, reason)),
    ...columnProblems(head, columns).map((reason) => at(analysisHead, undefined, reason)),
    ...termsOf(text)
      .filter(({ iri }) => isUndeclared(iri, ontology.terms))
      .map((term) =>
        at(
          analysisTerm,
          lineAt(text, term.at),
          `${shortNameIn(ontology, term.iri)} is not declared in the ontology`,
        ),
      ),
  ];
  if (problems.length > 0) return { problems };
  const { title, description, parameters, chart, aggregate } = head;
  const query = new QueryTemplate(name, file, text);
  return { analysis: { name, title, description, parameters, chart, aggregate, columns, query }, problems };
}

function columnsOf(text: string): readonly string[] | undefined {
  const tokens = solidTokens(text);
  const start = tokens.findIndex(({ text: word }) => /^SELECT$/i.test(word));
  const names: string[] = [];
  let depth = 0;
  for (const [index, { kind, text: word, value }] of tokens.entries()) {
    if (index <= start) continue;
    if (depth === 0 && (word === '{' || /^(WHERE|FROM)$/i.test(word))) break;
    if (depth === 0 && word === '*') return undefined;
    depth += word === '(' ? 1 : word === ')' ? -1 : 0;
    const isNamed = depth === 0 || (depth === 1 && /^AS$/i.test(tokens[index - 1]?.text ?? ''));
    if (kind === 'variable' && isNamed) names.push(value);
  }
  return names;
}

function parameterProblems(text: string, { parameters, declared }: AnalysisHead) {
  const names = parameters.map(({ name }) => name);
  const tokens = tokenize(text);
  const used = new Set(tokens.filter(({ kind }) => kind === 'parameter').map(({ value }) => value));
  const lineOfName = (name: string): number =>
    text.split('\n').findIndex((line) => line.startsWith(`# $${name} `)) + 1;
  return [
    ...tokens
      .filter(({ kind, value }) => kind === 'parameter' && !declared.has(value))
      .map(({ value, at }) => ({ line: lineAt(text, at), reason: `$${value} is not declared at the head` })),
    ...tokens
      .filter(({ kind, value }) => kind === 'variable' && names.includes(value))
      .map(({ value, at }) => ({
        line: lineAt(text, at),
        reason: `?${value} is also the parameter $${value}`,
      })),
    ...names
      .filter((name) => !used.has(name))
      .map((name) => ({ line: lineOfName(name), reason: `$${name} is declared and not used` })),
    ...names
      .filter((name, index) => names.indexOf(name) !== index)
      .map((name) => ({ line: lineOfName(name), reason: `$${name} is declared twice` })),
  ];
}

function columnProblems({ chart, aggregate }: AnalysisHead, columns: readonly string[]): string[] {
  const named = [
    ...(chart ? [chart.across, ...chart.values] : []).map((name) => ['chart draws', name] as const),
    ...(aggregate ? [...aggregate.counts, ...aggregate.shown] : []).map(
      (name) => ['aggregate shows', name] as const,
    ),
  ];
  return named
    .filter(([, name]) => !columns.includes(name))
    .map(([what, name]) => `the ${what} ${name}, which is no column`);
}

const ANALYSES = 'analyses';

/** Reads `analyses/*.rq` of folders of queries, if it has any. */
export async function readAnalyses(
  queries: Folders,
  ontology: Ontology,
  options: ReadingOfQueries = {},
): Promise<{ analyses: ReadonlyMap<string, Analysis>; problems: readonly QueryFileError[] }> {
  const analyses = new Map<string, Analysis>();
  const problems: QueryFileError[] = [];
  const files: string[] = [];
  for (const folder of [queries].flat().map((each) => join(each, ANALYSES)))
    files.push(...(await readdir(folder).catch(() => [])).map((entry) => join(folder, entry)));
  const found = files
    .filter((file) => file.endsWith('.rq'))
    .map((file) => ({ file, name: basename(file, '.rq') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { file, name } of found) {
    const before = analyses.get(name);
    if (before) {
      const says = `has the name of ${before.query.file}: choose another`;
      problems.push(new QueryFileError(layerReplaces, file, undefined, says));
      continue;
    }
    const read = readAnalysis(file, name, await readFile(file, 'utf8'), ontology, options);
    problems.push(...read.problems);
    if (read.analysis) analyses.set(name, read.analysis);
  }
  return { analyses, problems };
}

/** Like `readAnalyses`. @throws QueriesError when one cannot be used */
export async function loadAnalyses(
  queries: Folders,
  ontology: Ontology,
  options: ReadingOfQueries = {},
): Promise<ReadonlyMap<string, Analysis>> {
  const { analyses, problems } = await readAnalyses(queries, ontology, options);
  if (problems.length > 0) throw new QueriesError(problems);
  return analyses;
}
