import { accessRules } from './access-rules.js';
import { callRules } from './call-rules.js';
import { classRules } from './class-rules.js';
import { comparedProperty } from './compared-rule.js';
import { comparisonRules } from './comparison-rules.js';
import { enumerationRules } from './enumeration-rules.js';
import { dataRange } from './data-range-rule.js';
import { hierarchyRules } from './hierarchy-rules.js';
import { identifyingRules } from './identifying-rules.js';
import { pageRules } from './page-rules.js';
import { parameterRules } from './parameter-rules.js';
import { pathRules } from './path-rules.js';
import { profileRules } from './profile-rules.js';
import type { OntologyRule } from './rule.js';
import { termRules } from './term-rules.js';
import { wordRules } from './word-rules.js';

/** Every rule that an ontology is held to by itself, in the order of its parts: terms, classes, pages, people, codes, calls, parameters. */
export const ontologyRules: readonly OntologyRule[] = [
  ...termRules,
  ...wordRules,
  ...hierarchyRules,
  ...classRules,
  dataRange,
  ...profileRules,
  ...pageRules,
  ...identifyingRules,
  ...enumerationRules,
  ...callRules,
  ...pathRules,
  ...accessRules,
  ...parameterRules,
  ...comparisonRules,
  comparedProperty,
];
