import type { Quad } from '../../rdf/terms.js';
import { Graph } from '../graph.js';
import type { Ontology } from '../model.js';
import { problem, type OntologyProblem } from './ontology-problem.js';
import { ontologyRules } from './ontology-rules.js';

export type { OntologyProblem };

/**
 * Checks without a reasoner that the ontology can drive the container and its real clients: no undeclared term, no call
 * without what it needs or open to those whom it is not for, class rules that the clients can read; and that people
 * find words for every term. The server starts only when no problem has severity `error`.
 */
export function checkOntology(ontology: Ontology, quads: readonly Quad[]): OntologyProblem[] {
  const input = { graph: new Graph(quads), quads, ontology };
  const problems = ontologyRules.flatMap((rule) => rule.check(input).map((breach) => problem(rule, breach)));
  // A name that is declared nowhere is told once, not for each thing that it is not.
  const unknown = new Set(
    problems.flatMap(({ rule, subject, near }) =>
      rule === 'undeclared-term' ? [subject] : rule === 'unknown-datatype' ? [near] : [],
    ),
  );
  return problems.filter(
    ({ rule, near }) => !/^undeclared-(class|property)$/.test(rule) || !unknown.has(near ?? ''),
  );
}
