import type { Rule } from '../../ontology/check/rule.js';
import { ontologyRules } from '../../ontology/check/ontology-rules.js';
import { queryRules } from '../../query/check/query-rules.js';
import { dataRules } from '../../validate/data-rules.js';
import { fileRules } from './file-rules.js';

/** Every rule that `chartgraph validate` can name, sorted by id. */
export const rules: readonly Rule[] = [...ontologyRules, ...queryRules, ...dataRules, ...fileRules].sort(
  (a, b) => (a.id < b.id ? -1 : 1),
);

const byId: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.id, rule]));

export function ruleOf(id: string): Rule | undefined {
  return byId.get(id);
}

/** Where a rule is explained, below the folder of the package. */
export function pageOf(id: string): string {
  return `docs/rules/${id}.md`;
}
