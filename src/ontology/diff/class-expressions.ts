import type { Quad, Term } from '../../rdf/terms.js';
import { owl, rdf, rdfs, sh } from '../../rdf/vocabulary.js';
import { cardinalityKinds, shapeTerms } from '../restrictions.js';

type QuadsOf = (subject: Term) => readonly Quad[];

/**
 * Whether a statement about a class is one that `restrictions.ts` and `classes.ts` read whole: a named parent, a
 * restriction of bounds and values, a property shape, a list of members, a data range. Other class expressions are in no
 * model.
 */
export function readExpression(predicate: string, object: Term, quadsOf: QuadsOf): boolean {
  if (predicate === owl.oneOf) return true;
  if (predicate === owl.equivalentClass) return isListOrRange(quadsOf(object));
  if (predicate === sh.property) return quadsOf(object).every((each) => shapeTerms.has(each.predicate.value));
  if (predicate !== rdfs.subClassOf) return false;
  return object.termType === 'NamedNode' || isReadRestriction(object, quadsOf);
}

const fillers: ReadonlySet<string> = new Set([owl.allValuesFrom, owl.onClass, owl.onDataRange]);
const plain: ReadonlySet<string> = new Set([rdf.type, owl.onProperty, ...cardinalityKinds]);

function isReadRestriction(node: Term, quadsOf: QuadsOf): boolean {
  const quads = quadsOf(node);
  const isRestriction = quads.some((each) => each.object.value === owl.Restriction);
  return (
    isRestriction &&
    quads.every(
      ({ predicate, object }) =>
        plain.has(predicate.value) || (fillers.has(predicate.value) && isReadFiller(object, quadsOf)),
    )
  );
}

const inner: ReadonlySet<string> = new Set([rdf.type, owl.onProperty, owl.hasValue, owl.allValuesFrom]);

const listOrRange: ReadonlySet<string> = new Set([owl.oneOf, owl.onDatatype]);

const isListOrRange = (quads: readonly Quad[]): boolean =>
  quads.some(({ predicate }) => listOrRange.has(predicate.value));

/** A named class or datatype, a data range, a restriction of the linked node, or an intersection of those. */
function isReadFiller(filler: Term, quadsOf: QuadsOf): boolean {
  if (filler.termType === 'NamedNode') return true;
  const quads = quadsOf(filler);
  const parts = quads.find(({ predicate }) => predicate.value === owl.intersectionOf)?.object;
  if (parts) return members(parts, quadsOf).every((part) => isReadFiller(part, quadsOf));
  return (
    isListOrRange(quads) || (quads.length > 0 && quads.every(({ predicate }) => inner.has(predicate.value)))
  );
}

function members(head: Term, quadsOf: QuadsOf): Term[] {
  const found: Term[] = [];
  const visited = new Set<string>();
  for (let node: Term | undefined = head; node && !visited.has(node.value);) {
    visited.add(node.value);
    const quads = quadsOf(node);
    const first = quads.find(({ predicate }) => predicate.value === rdf.first)?.object;
    if (first) found.push(first);
    node = quads.find(({ predicate }) => predicate.value === rdf.rest)?.object;
  }
  return found;
}
