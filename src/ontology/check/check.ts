import type { Quad } from '../../rdf/terms.js';
import { callProblems } from './check-calls.js';
import { parameterProblems } from './check-parameters.js';
import { structureProblems } from './structure.js';
import { termProblems } from './check-terms.js';
import { nameProblems, wordProblems } from './words.js';
import { Graph } from '../graph.js';
import type { Ontology } from '../model.js';
import type { OntologyProblem } from './ontology-problem.js';

export type { OntologyProblem };

/**
 * Checks without a reasoner that the ontology can drive the container and its real clients (reference
 * api-vocabulary.md §5: C1–C6, S3, S5, S7): no undeclared term, no call without what it needs, class rules that the
 * clients can read; and that people find words for every term. `rules.ts` is the table of the rules. The server
 * starts only when no problem has severity `error`.
 */
export function checkOntology(ontology: Ontology, quads: readonly Quad[]): OntologyProblem[] {
  const graph = new Graph(quads);
  const problems = [
    ...termProblems(graph, quads, ontology),
    ...nameProblems(graph),
    ...wordProblems(graph),
    ...callProblems(graph, ontology),
    ...parameterProblems(graph, ontology),
    ...structureProblems(graph, ontology),
  ];
  // A name that is declared nowhere is told once, not for each thing that it is not.
  const undeclared = new Set(
    problems.filter(({ rule }) => rule === 'undeclared-term').map(({ subject }) => subject),
  );
  return problems.filter(
    ({ rule, near }) => !/^undeclared-(class|property)$/.test(rule) || !undeclared.has(near ?? ''),
  );
}
