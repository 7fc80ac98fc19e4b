import { owl, rdfs } from '../../rdf/vocabulary.js';
import type { Graph } from '../graph.js';
import { shortName } from '../term-names.js';
import type { OntologyRule } from './rule.js';

const undeclaredClass: OntologyRule = {
  id: 'undeclared-class',
  severity: 'error',
  summary: 'A parent or range of a class is declared as an owl:Class.',
  hint: 'Declare the class, or name the one that is meant.',
  check: ({ graph, ontology: { classes } }) =>
    [...classes.values()].flatMap(({ iri: subject, rules }) => {
      const ranges = [...rules.values()].flatMap((rule) =>
        [...rule.classes, ...(rule.codeClass === undefined ? [] : [rule.codeClass])].map((near) => ({
          near,
          says: `gives ${shortName(rule.property)} the range`,
        })),
      );
      const parents = graph.iris(subject, rdfs.subClassOf).filter((parent) => parent !== owl.Thing);
      return [...ranges, ...parents.map((near) => ({ near, says: 'is a subclass of' }))]
        .filter(({ near }) => !classes.has(near))
        .map(({ near, says }) => ({
          subject,
          near,
          says: `${says} ${shortName(near)}, which is not declared as an owl:Class`,
        }));
    }),
};

/** The way from a class up to itself, both ends included; undefined where there is none. */
function circleOf(graph: Graph, start: string): string[] | undefined {
  const seen = new Set<string>();
  const ways = graph.iris(start, rdfs.subClassOf).map((parent) => [start, parent]);
  for (let way = ways.shift(); way; way = ways.shift()) {
    const end = way.at(-1) ?? start;
    if (end === start) return way;
    if (seen.has(end)) continue;
    seen.add(end);
    for (const parent of graph.iris(end, rdfs.subClassOf)) ways.push([...way, parent]);
  }
  return undefined;
}

const classCycle: OntologyRule = {
  id: 'class-cycle',
  severity: 'error',
  summary: 'No class is its own ancestor.',
  hint: 'Remove the rdfs:subClassOf that closes the circle.',
  check: ({ graph, ontology: { classes } }) =>
    [...classes.keys()].flatMap((subject) => {
      const circle = circleOf(graph, subject);
      if (!circle) return [];
      const way = circle.map(shortName).join(' < ');
      return [{ subject, says: `is its own ancestor: ${way}`, near: circle[1] }];
    }),
};

const disjointParent: OntologyRule = {
  id: 'disjoint-parent',
  severity: 'error',
  summary: 'No class is disjoint with its own ancestor.',
  hint: 'Remove the owl:disjointWith or the rdfs:subClassOf: together they allow no instance.',
  check: ({ graph, ontology: { classes } }) =>
    [...classes.values()].flatMap(({ iri: subject, ancestors }) =>
      [subject, ...ancestors].flatMap((other) =>
        [subject, ...ancestors]
          .filter((ancestor) => graph.iris(other, owl.disjointWith).includes(ancestor))
          .map((ancestor) => ({
            subject,
            near: other === subject ? ancestor : owl.disjointWith,
            says:
              other === subject
                ? `is disjoint with ${shortName(ancestor)}, ${ancestor === subject ? 'itself' : 'which it is beneath'}`
                : `is beneath ${shortName(other)} and ${shortName(ancestor)}, which are disjoint`,
          })),
      ),
    ),
};

/** Rules about what stands beneath what. */
export const hierarchyRules = [undeclaredClass, classCycle, disjointParent];
