import type { ClassModel, Ontology } from '../../model/ontology/model.js';
import { termKey } from '../../rdf/term-key.js';
import type { Quad, Term } from '../../rdf/terms.js';
import { rdf } from '../../rdf/vocabulary.js';
import { fits, statementPathOf, recordPath, statementIri, type StatementPath } from '../resource-paths.js';
import { refuse } from './load-problems.js';
import type { InputGraph } from './input-graphs.js';
import type { RecordNode } from './record-node.js';

export interface FoundStatement {
  readonly node: Term;
  readonly model: ClassModel;
  readonly path: StatementPath;
  readonly inputGraph: InputGraph;
  readonly iri?: string;
}

/**
 * Finds statements by `rdf:type`, in document order, by term key; of two classes the more specific counts. An IRI must
 * be of this record and fit the class's base path.
 * @throws RecordInputError with a sentence for each misplaced statement
 */
export function findStatements(
  inputGraphs: readonly InputGraph[],
  ontology: Ontology,
  record: RecordNode,
  base: string,
): Map<string, FoundStatement> {
  const found = new Map<string, FoundStatement>();
  const problems: string[] = [];
  for (const inputGraph of inputGraphs) {
    for (const about of inputGraph.index.groups()) {
      const [first] = about;
      const models = statementClasses(about, ontology);
      if (!first || models.length === 0) continue;
      const statement = statementAt(first.subject, models, inputGraph, record, base);
      if (typeof statement === 'string') problems.push(statement);
      else found.set(termKey(first.subject), statement);
    }
  }
  refuse(problems);
  return found;
}

function statementClasses(about: readonly Quad[], ontology: Ontology): ClassModel[] {
  const models: ClassModel[] = [];
  for (const { predicate, object } of about) {
    const model = predicate.value === rdf.type ? ontology.classes.get(object.value) : undefined;
    if (model?.kind === 'statement') models.push(model);
  }
  return models.filter((model) => !models.some(({ ancestors }) => ancestors.includes(model.iri)));
}

function statementAt(
  node: Term,
  models: readonly ClassModel[],
  inputGraph: InputGraph,
  record: RecordNode,
  base: string,
): FoundStatement | string {
  const [model, second] = models;
  const name = node.termType === 'BlankNode' ? 'A statement' : node.value;
  if (!model || second)
    return `${name} is of several classes: ${models.map((one) => one.name).join(', ')}; keep one.`;
  const path = statementPathOf(model);
  if (!path)
    return `${name} is only a ${model.name}, a class without a base path; give it a more special class.`;
  if (record.is(node)) return `${name} is the record and a ${model.name} at once; these are two nodes.`;
  if (inputGraph.graph !== undefined && inputGraph.graph !== node.value) {
    return `${name} is a ${model.name} and stands in the graph ${inputGraph.graph}; a statement stands in a graph of its own.`;
  }
  if (node.termType === 'BlankNode') return { node, model, path, inputGraph };
  const stated = recordPath(node.value, base);
  if (stated?.recordId !== record.id || !fits(path, stated.rest)) {
    const expected = statementIri(record.iri, path, '{id}');
    return `${name} cannot be a ${model.name} of record ${record.id}: write it as a blank node, or name it ${expected}.`;
  }
  return { node, model, path, inputGraph, iri: node.value };
}
