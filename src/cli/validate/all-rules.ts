import { analysisRules } from '../../analysts/analyses/read-analysis.js';
import { mappingRules } from '../../fhir/check-mapping.js';
import type { Rule } from '../../ontology/check/rule.js';
import { ontologyRules } from '../../ontology/check/ontology-rules.js';
import { unusedTerm } from '../../ontology/check/usage.js';
import { patternRules } from '../../query/check/check-patterns.js';
import { queryTextRules } from '../../query/check/check-query.js';
import { queryFolderRules } from '../../query/load-queries.js';
import { shapeRules } from '../../validate/shapes/derive-shapes.js';
import { structure } from './check-data.js';
import { fileRules } from './check-paths.js';

/** The parts of the catalogue; each rule stands in one module with its check. */
export const catalogue: readonly { readonly title: string; readonly rules: readonly Rule[] }[] = [
  { title: 'The ontology', rules: [...ontologyRules, unusedTerm] },
  { title: 'Queries and patterns', rules: [...queryFolderRules, ...queryTextRules, ...patternRules] },
  { title: 'Analyses', rules: analysisRules },
  { title: 'The mapping of FHIR', rules: mappingRules },
  { title: 'Data', rules: [structure, ...shapeRules] },
  { title: 'Files', rules: fileRules },
];

/** Every rule that `chartgraph validate` can name, sorted by id. */
export const rules: readonly Rule[] = catalogue
  .flatMap((part) => part.rules)
  .sort((a, b) => (a.id < b.id ? -1 : 1));

const byId: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.id, rule]));

export function ruleOf(id: string): Rule | undefined {
  return byId.get(id);
}

/** Where a rule is explained, below the folder of the package. */
export function pageOf(id: string): string {
  return `docs/rules/${id}.md`;
}
