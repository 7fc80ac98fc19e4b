import { analysisRules } from '../../model/analyses/read-analysis.js';
import { mappingRules } from '../../fhir/check-mapping.js';
import { exportRules } from '../../fhir/out/export-queries.js';
import type { Rule } from '../../model/check/rule.js';
import { accessRules } from '../../model/query/access-queries.js';
import { ontologyRules } from '../../model/check/check.js';
import { unusedTerm } from '../../model/check/usage.js';
import { patternRules } from '../../model/query/check/check-patterns.js';
import { queryTextRules } from '../../model/query/check/check-query.js';
import { queryFolderRules } from '../../model/query/load-queries.js';
import { plausibilityRules } from '../../model/validate/plausible-values.js';
import { shapeRules } from '../../model/validate/shapes/derive-shapes.js';
import { structure } from './check-data.js';
import { fileRules } from './check-paths.js';

/** The parts of the catalogue; each module contains its rules and their checks. */
export const catalogue: readonly { readonly title: string; readonly rules: readonly Rule[] }[] = [
  { title: 'The ontology', rules: [...ontologyRules, unusedTerm] },
  { title: 'Queries and patterns', rules: [...queryFolderRules, ...queryTextRules, ...patternRules] },
  { title: 'Analyses', rules: analysisRules },
  { title: 'Who cares for a patient', rules: accessRules },
  { title: 'The mapping of FHIR', rules: [...mappingRules, ...exportRules] },
  { title: 'Data', rules: [structure, ...shapeRules, ...plausibilityRules] },
  { title: 'Files', rules: fileRules },
];

export const rules: readonly Rule[] = catalogue
  .flatMap((part) => part.rules)
  .sort((a, b) => (a.id < b.id ? -1 : 1));

export const ruleOf = (id: string): Rule | undefined => rules.find((rule) => rule.id === id);

/** Returns the page that explains a rule, relative to the package. */
export function pageOf(id: string): string {
  return `docs/rules/${id}.md`;
}
