import type { Rule } from '../../check/rule.js';
import type { CodeModel, Ontology } from '../../ontology/model.js';
import { shortName } from '../../ontology/term-names.js';
import { byKey } from '../../../rdf/by-key.js';
import { literal, type Term } from '../../../rdf/terms.js';
import { dcterms, sh, sp } from '../../../rdf/vocabulary.js';
import { iri, textOf, type ShapeGraph } from './shape-graph.js';

export const shapeCode: Rule = {
  id: 'shape-code',
  severity: 'error',
  summary: 'A code comes from the code set of its property, described as in the ontology.',
  hint: 'Take a code of the set that the message names, with its title, system and identifier.',
};

/**
 * Adds two shapes per enumerated class of codes: one for its members, one for the description of each member. Titles
 * are compared without regard to case, as clients do.
 */
export function addCodeShapes(graph: ShapeGraph, ontology: Ontology): void {
  for (const { iri: type, kind, members } of byKey(ontology.classes)) {
    if (kind !== 'code' || !members) continue;
    const target = [sh.targetClass, iri(type)] as const;
    const isMember = (): readonly [string, Term] => [sh.in, graph.list(members.map((member) => iri(member)))];
    graph.add({
      name: [graph.partOfName(type), 'members'],
      kind: 'NodeShape',
      rule: shapeCode,
      message: `A code typed ${shortName(type)} must be one of its members.`,
      says: [target, isMember()],
    });
    const described = members.flatMap((member) => {
      const code = ontology.codes.get(member);
      return code ? [descriptionOf(graph, code)] : [];
    });
    if (described.length === 0) continue;
    // The other shape already reports non-members.
    const stranger = graph.inner([[sh.not, graph.inner([isMember()])]]);
    graph.add({
      name: [graph.partOfName(type), 'description'],
      kind: 'NodeShape',
      rule: shapeCode,
      message: `A code typed ${shortName(type)} must have the title, system and identifier that the ontology has for it.`,
      says: [target, [sh.or, graph.list([...described, stranger])]],
    });
  }
}

/** Matches this code with its own words; the shape of its class reports missing ones. */
function descriptionOf(graph: ShapeGraph, code: CodeModel): Term {
  const has = (property: string, ...says: (readonly [string, Term])[]): Term =>
    graph.inner([[sh.path, iri(property)], ...says]);
  return graph.inner([
    [sh.in, graph.list([iri(code.iri)])],
    [
      sh.property,
      has(dcterms.title, textOf(code.title), [sh.flags, literal('i')]),
      has(sp.system, textOf(code.system)),
      has(dcterms.identifier, textOf(code.identifier)),
    ],
  ]);
}
