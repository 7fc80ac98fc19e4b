import type { ClassModel } from '../../../src/model/ontology/model.js';
import { validateResource } from '../../../src/model/validate/resource.js';
import { quad, literal, namedNode, type Quad, type Term } from '../../../src/rdf/terms.js';
import { cg, dcterms, rdf, sp } from '../../../src/rdf/vocabulary.js';
import type { NamedGraph } from '../../../src/store/graph-store.js';
import { ontology } from '../support.js';

/** The status that lets a statement in, by class: without one, what is exported says that it is not known. */
const letIn: Readonly<Record<string, string>> = {
  Fulfillment: 'completed',
  SocialHistory: 'final',
  VitalSignSet: 'final',
  Encounter: 'finished',
  LabPanel: 'final',
};

/** Dates of each precision. */
const dates = ['1999', '1999-05', '1999-05-06', '1999-05-06T07:08:09Z'];

/**
 * Makes statements of a class from some: each as it is, without each optional property, with each code of an enumerated
 * set, and with dates of each precision.
 */
export function variantsOf(model: ClassModel, some: readonly NamedGraph[]): NamedGraph[] {
  const rich = [...some].sort((a, b) => b.quads.length - a.quads.length).slice(0, 2);
  const status = letIn[model.name];
  const made = rich.flatMap(({ name, quads: own }) => {
    const says =
      status === undefined ? [] : [quad(namedNode(name), namedNode(cg.sourceStatus), literal(status))];
    const quads = [...own, ...says];
    const variants: Quad[][] = [quads];
    for (const { property, min } of model.rules.values()) {
      const values = quads.filter(
        ({ subject, predicate }) => subject.value === name && predicate.value === property,
      );
      const [value] = values;
      if (!value || property === sp.belongsTo) continue;
      if (min === 0 && property !== cg.sourceStatus)
        variants.push(quads.filter((each) => !values.includes(each)));
      if (ontology.properties.get(property)?.valueType === 'date')
        for (const date of dates)
          variants.push(
            quads.map((each) => (each === value ? quad(each.subject, each.predicate, literal(date)) : each)),
          );
      variants.push(...withCodes(quads, value));
    }
    return variants.map((each) => ({ name, quads: reachable(each, name) }));
  });
  const named = made.map(({ name, quads }, at) => {
    const newName = `${name.slice(0, name.lastIndexOf('/'))}/v${at}`;
    const renamed = (term: Term): Term => (term.value === name ? namedNode(newName) : term);
    return {
      name: newName,
      quads: quads.map((each) => quad(renamed(each.subject), each.predicate, renamed(each.object))),
    };
  });
  return named.filter(({ name, quads }) => validateResource(ontology, namedNode(name), quads).length === 0);
}

/** What a node leads to, itself included. */
function reachable(quads: readonly Quad[], start: string): Quad[] {
  const reached = new Set([start]);
  for (const node of reached)
    for (const { subject, object } of quads) if (subject.value === node) reached.add(object.value);
  return quads.filter(({ subject }) => reached.has(subject.value));
}

/** A statement with each other code of the set that the value of a property is of. */
function withCodes(quads: readonly Quad[], { object: node }: Quad): Quad[][] {
  const held = quads.find(({ subject, predicate }) => subject.equals(node) && predicate.value === sp.code);
  const code = held && ontology.codes.get(held.object.value);
  const set = code?.classes.find((each) => ontology.classes.get(each)?.members);
  if (!held || !code || set === undefined) return [];
  const others = [...ontology.codes.values()].filter((each) => each !== code && each.classes.includes(set));
  return others.map((other) => [
    ...quads.filter(
      ({ subject, predicate }) =>
        subject.value !== code.iri &&
        !(subject.equals(node) && (predicate.value === sp.code || predicate.value === dcterms.title)),
    ),
    quad(node, namedNode(sp.code), namedNode(other.iri)),
    quad(node, namedNode(dcterms.title), literal(other.title)),
    ...[sp.Code, ...other.classes].map((each) =>
      quad(namedNode(other.iri), namedNode(rdf.type), namedNode(each)),
    ),
    quad(namedNode(other.iri), namedNode(dcterms.title), literal(other.title)),
    quad(namedNode(other.iri), namedNode(dcterms.identifier), literal(other.identifier)),
    quad(namedNode(other.iri), namedNode(sp.system), literal(other.system)),
  ]);
}
