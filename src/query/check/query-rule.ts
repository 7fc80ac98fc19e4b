import type { CallModel, Ontology } from '../../ontology/model.js';
import type { Rule } from '../../ontology/check/rule.js';
import { QueryFileError } from '../query-file-error.js';
import type { QueryTemplate } from '../template.js';
import type { QueryTree } from '../syntax.js';

/** What the rules of a query's words look at: its text and tree, and the call that it answers. */
export interface QueryText {
  readonly file: string;
  readonly sparql: string;
  readonly tree: QueryTree;
  readonly call: CallModel;
  readonly ontology: Ontology;
}

/** What all other rules look at: also the template that was made of it. */
export interface QueryInput extends QueryText {
  readonly template: QueryTemplate;
}

/** One thing that breaks a rule of queries. */
export interface QueryBreach {
  /** From 1; undefined where the whole file is meant. */
  readonly line: number | undefined;
  readonly says: string;
}

/** A rule of queries together with what finds whatever breaks it. */
export interface QueryRule<Input extends QueryText = QueryInput> extends Rule {
  readonly check: (input: Input) => readonly QueryBreach[];
}

/** What breaks any of some rules, as errors that name file and line. */
export function broken<Input extends QueryText>(
  rules: readonly QueryRule<Input>[],
  input: Input,
): QueryFileError[] {
  return rules.flatMap((rule) =>
    rule.check(input).map(({ line, says }) => new QueryFileError(rule, input.file, line, says)),
  );
}
