import { dcterms, owl, rdf, sp } from '../../rdf/vocabulary.js';
import type { Term } from '../../rdf/terms.js';
import type { Graph } from '../graph.js';
import type { ClassModel, Ontology } from '../model.js';
import { shortName } from '../term-names.js';
import { problem } from './ontology-problem.js';
import type { OntologyProblem } from './ontology-problem.js';

/** S7: one enumeration a class; its members are declared as what they are, with all that names a code. */
export function enumerationProblems(graph: Graph, ontology: Ontology, model: ClassModel): OntologyProblem[] {
  const lists = [model.iri, ...graph.objects(model.iri, owl.equivalentClass)].flatMap((node) =>
    graph.objects(node, owl.oneOf),
  );
  const found =
    lists.length > 1 ? [problem('several-enumerations', model.iri, 'has more than one owl:oneOf')] : [];
  const broken = lists
    .filter((head) => !isList(graph, head))
    .map(() =>
      problem(
        'enumeration-member',
        model.iri,
        'has an owl:oneOf that is no complete list, such as ( code:a code:b )',
        owl.oneOf,
      ),
    );
  const members = model.kind === 'code' ? (model.members ?? []) : [];
  return [
    ...found,
    ...broken,
    ...members.flatMap((member) => memberProblems(graph, ontology, model, member)),
  ];
}

/** Whether each node has one member and one rest, and the last rest is rdf:nil (RDF Schema 1.1 §5.2). */
function isList(graph: Graph, head: Term): boolean {
  const seen = new Set<string>();
  let node = head;
  while (node.value !== rdf.nil) {
    const [first, rest] = [graph.objects(node, rdf.first), graph.objects(node, rdf.rest)];
    const [next] = rest;
    if (first.length !== 1 || rest.length !== 1 || next === undefined || seen.has(node.value)) return false;
    seen.add(node.value);
    node = next;
  }
  return true;
}

function memberProblems(
  graph: Graph,
  ontology: Ontology,
  { iri }: ClassModel,
  member: string,
): OntologyProblem[] {
  const code = ontology.codes.get(member);
  if (code === undefined || !code.classes.includes(iri)) {
    return [problem('enumeration-member', member, `is a member of ${shortName(iri)} but not typed with it`)];
  }
  if (code.system + code.identifier !== member)
    return [problem('enumeration-member', member, 'is a code whose IRI is not its system and identifier')];
  const silent = [sp.system, dcterms.identifier].filter(
    (property) => graph.objects(member, property).length === 0,
  );
  return [
    ...(code.title === '' ? [problem('code-title', member, 'is a code without title')] : []),
    ...(silent.length > 0
      ? [problem('code-system', member, `is a code without ${silent.map(shortName).join(' and ')}`)]
      : []),
  ];
}
