import type { Quad } from '../rdf/terms.js';
import { callProblems } from './check-calls.js';
import { parameterProblems } from './check-parameters.js';
import { structureProblems } from './check-structure.js';
import { termProblems } from './check-terms.js';
import { Graph } from './graph.js';
import type { Ontology } from './model.js';
import type { OntologyProblem } from './ontology-problem.js';

export type { OntologyProblem };

/**
 * Checks without a reasoner that the ontology can drive the container and its real clients (reference
 * api-vocabulary.md §5: C1–C6, S3, S5, S7): no undeclared term, no call without what it needs, class rules that the
 * clients can read. The server starts only when no problem has severity `error`.
 */
export function checkOntology(ontology: Ontology, quads: readonly Quad[]): OntologyProblem[] {
  const graph = new Graph(quads);
  return [
    ...termProblems(graph, quads, ontology),
    ...callProblems(graph, ontology),
    ...parameterProblems(graph, ontology),
    ...structureProblems(graph, ontology),
  ];
}
