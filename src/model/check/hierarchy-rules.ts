import { addTo } from '../../rdf/by-key.js';
import { owl, rdfs, skos } from '../../rdf/vocabulary.js';
import type { Graph } from '../ontology/graph.js';
import type { CodeModel } from '../ontology/model.js';
import { shortName } from '../ontology/term-names.js';
import { breach, type OntologyRule } from './rule.js';

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
        .map(({ near, says }) =>
          breach(subject, `${says} ${shortName(near)}, which is not declared as an owl:Class`, near),
        );
    }),
};

/** Returns the path by which a property leads from a term back to itself, both ends included. */
function circleOf(graph: Graph, property: string, start: string): string[] | undefined {
  const seen = new Set<string>();
  const ways = graph.iris(start, property).map((parent) => [start, parent]);
  for (let way = ways.shift(); way; way = ways.shift()) {
    const end = way.at(-1) ?? start;
    if (end === start) return way;
    if (seen.has(end)) continue;
    seen.add(end);
    for (const parent of graph.iris(end, property)) ways.push([...way, parent]);
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
      const circle = circleOf(graph, rdfs.subClassOf, subject);
      if (!circle) return [];
      const way = circle.map(shortName).join(' < ');
      return breach(subject, `is its own ancestor: ${way}`, circle[1]);
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
          .map((ancestor) =>
            breach(
              subject,
              other === subject
                ? `is disjoint with ${shortName(ancestor)}, ${ancestor === subject ? 'itself' : 'which it is beneath'}`
                : `is beneath ${shortName(other)} and ${shortName(ancestor)}, which are disjoint`,
              other === subject ? ancestor : owl.disjointWith,
            ),
          ),
      ),
    ),
};

/** Returns the codes on or below a circle: what remains after repeatedly removing codes with nothing above them. */
function circling(codes: ReadonlyMap<string, CodeModel>): Set<string> {
  const open = new Map<string, number>();
  const below = new Map<string, string[]>();
  for (const [iri, { broader }] of codes) {
    const above = broader.filter((code) => codes.has(code));
    open.set(iri, above.length);
    for (const code of above) addTo(below, code, iri);
  }
  const free = [...open].filter(([, count]) => count === 0).map(([iri]) => iri);
  for (let iri = free.pop(); iri !== undefined; iri = free.pop()) {
    open.delete(iri);
    for (const one of below.get(iri) ?? []) {
      const left = (open.get(one) ?? 0) - 1;
      open.set(one, left);
      if (left === 0) free.push(one);
    }
  }
  return new Set(open.keys());
}

const codeBroader: OntologyRule = {
  id: 'code-broader',
  severity: 'error',
  summary: 'A code is below codes that the ontology lists, and never below itself.',
  hint: 'Declare the broader code with its title, identifier and system, or remove the skos:broader that closes the circle.',
  check: ({ graph, ontology: { codes } }) => {
    const suspects = circling(codes);
    return [...graph.subjects()].flatMap((subject) =>
      graph.objects(subject, skos.broader).flatMap(({ value: near }) => {
        if (!codes.has(subject)) return breach(subject, 'states skos:broader and is no listed code', near);
        if (!codes.has(near))
          return breach(subject, `is below ${shortName(near)}, which is no listed code`, near);
        const circle = suspects.has(subject) ? circleOf(graph, skos.broader, subject) : undefined;
        if (circle?.[1] !== near) return [];
        return breach(subject, `is below itself: ${circle.map(shortName).join(' < ')}`, near);
      }),
    );
  },
};

export const hierarchyRules = [undeclaredClass, classCycle, disjointParent, codeBroader];
