import type { Quad } from '../../rdf/terms.js';
import { Graph } from '../ontology/graph.js';
import type { Ontology } from '../ontology/model.js';
import { accessRules } from './access-rules.js';
import { callRules } from './call-rules.js';
import { classRules } from './class-rules.js';
import { comparisonRules } from './comparison-rules.js';
import { enumerationRules } from './enumeration-rules.js';
import { hierarchyRules } from './hierarchy-rules.js';
import { layerRules } from './layer-rules.js';
import { pageRules } from './page-rules.js';
import { parameterRules } from './parameter-rules.js';
import { pathRules } from './path-rules.js';
import { profileRules } from './profile-rules.js';
import { problem, type OntologyProblem, type OntologyRule } from './rule.js';
import { shownRules } from './shown-rules.js';
import { termRules } from './term-rules.js';
import { wordRules } from './word-rules.js';

/** All rules for the ontology alone, in order: terms, classes, pages, people, codes, calls, parameters. */
export const ontologyRules: readonly OntologyRule[] = [
  ...layerRules,
  ...termRules,
  ...wordRules,
  ...hierarchyRules,
  ...classRules,
  ...profileRules,
  ...pageRules,
  ...shownRules,
  ...enumerationRules,
  ...callRules,
  ...pathRules,
  ...accessRules,
  ...parameterRules,
  ...comparisonRules,
];

/**
 * Checks, without a reasoner, that the ontology can drive the container and its clients: terms are declared, calls
 * are complete and reachable only with the right scope, clients can read the class rules, and every term has words
 * for people. The server starts only when no problem has severity `error`.
 */
export function checkOntology(ontology: Ontology, quads: readonly Quad[]): OntologyProblem[] {
  const input = { graph: new Graph(quads), quads, ontology };
  const problems = ontologyRules.flatMap((rule) => rule.check(input).map((breach) => problem(rule, breach)));
  // An undeclared name is reported once, not by every rule that needs it.
  const unknown = new Set(
    problems.flatMap(({ rule, subject, near }) =>
      rule === 'undeclared-term' ? [subject] : rule === 'unknown-datatype' ? [near] : [],
    ),
  );
  return problems.filter(
    ({ rule, near }) => !/^undeclared-(class|property)$/.test(rule) || !unknown.has(near ?? ''),
  );
}
