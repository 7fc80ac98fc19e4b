import { addTo } from '../../rdf/by-key.js';
import { owl, rdfs, skos } from '../../rdf/vocabulary.js';
import type { Graph } from '../graph.js';
import type { CodeModel } from '../model.js';
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

/** The way from a term up to itself by a property, both ends included; undefined where there is none. */
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

/**
 * The codes that are on a circle, or below one: what is left when all codes without another above them are taken away,
 * again and again. Linear in the hierarchy.
 */
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
  summary: 'What a code is below is a code that the ontology lists, and no code is below itself.',
  hint: 'Declare the broader code with its title, identifier and system, or remove the skos:broader that closes the circle.',
  check: ({ graph, ontology: { codes } }) => {
    const suspects = circling(codes);
    return [...graph.subjects()].flatMap((subject) =>
      graph.objects(subject, skos.broader).flatMap(({ value: near }) => {
        if (!codes.has(subject))
          return [{ subject, near, says: 'states skos:broader and is no listed code' }];
        if (!codes.has(near))
          return [{ subject, near, says: `is below ${shortName(near)}, which is no listed code` }];
        const circle = suspects.has(subject) ? circleOf(graph, skos.broader, subject) : undefined;
        if (circle?.[1] !== near) return [];
        return [{ subject, near, says: `is below itself: ${circle.map(shortName).join(' < ')}` }];
      }),
    );
  },
};

/** Rules about what stands beneath what. */
export const hierarchyRules = [undeclaredClass, classCycle, disjointParent, codeBroader];
