import type { Rule } from '../../check/rule.js';
import type { CallModel, Ontology } from '../../ontology/model.js';
import { QueryFileError } from '../query-file-error.js';
import { treeOrFault } from '../syntax.js';
import { QueryTemplate } from '../template.js';
import { lineAt, tokenize } from '../tokenizer.js';
import { bindingRules } from './binding-rules.js';
import { broken, type Beside, type QueryInput, type QueryRule, type QueryText } from './query-rule.js';
import { compilePlan } from './compile-plan.js';
import { reachRules } from './reach-rules.js';
import { textRules } from './text-rules.js';

const querySyntax: Rule = {
  id: 'query-syntax',
  severity: 'error',
  summary: 'A query is SPARQL 1.1.',
  hint: 'Fix the query where the message says.',
};

const queryForm: Rule = {
  id: 'query-form',
  severity: 'error',
  summary: 'A query is a CONSTRUCT query, without a LIMIT or OFFSET of its own.',
  hint: 'Write CONSTRUCT { ?s ?p ?o } WHERE { … }; the page of a list goes in at #:page.',
};

/** Each stage runs only if those before it found nothing. */
const stages: readonly (readonly QueryRule[])[] = [bindingRules, ...reachRules];

export const queryTextRules: readonly Rule[] = [querySyntax, queryForm, ...textRules, ...stages.flat()];

/** Checks a call's query by all rules, and that it stays SPARQL with every filter and page bound. */
export function checkQuery(
  file: string,
  sparql: string,
  call: CallModel,
  ontology: Ontology,
  beside?: Beside,
): { template?: QueryTemplate; problems: QueryFileError[] } {
  const tree = treeOrFault(sparql, 'construct');
  if ('reason' in tree) {
    const rule = tree.isForm ? queryForm : querySyntax;
    return { problems: [new QueryFileError(rule, file, tree.line, tree.reason)] };
  }
  const text = { file, sparql, call, ontology, beside, tree };
  const problems = [...cuts(text), ...broken(textRules, text)];
  try {
    const template = new QueryTemplate(call.name, file, sparql, compilePlan(tree, sparql));
    return { template, problems: problems.length > 0 ? problems : firstBroken({ ...text, template }) };
  } catch (error) {
    if (!(error instanceof QueryFileError)) throw error;
    return { problems: [...problems, error] };
  }
}

function cuts({ file, sparql, tree }: QueryText): QueryFileError[] {
  if (!tree.solutionModifiers.limitOffset) return [];
  const at = tokenize(sparql).findLast(
    ({ kind, text }) => kind === 'word' && /^(LIMIT|OFFSET)$/i.test(text),
  )?.at;
  const reason = 'a LIMIT or OFFSET of the whole query cuts what is said of a thing anywhere';
  return [new QueryFileError(queryForm, file, at === undefined ? undefined : lineAt(sparql, at), reason)];
}

function firstBroken(input: QueryInput): QueryFileError[] {
  for (const rules of stages) {
    const found = broken(rules, input);
    if (found.length > 0) return found;
  }
  return [];
}
