import { UnwritableError } from './rdf-errors.js';
import { describeCharacter, iriFault, shown } from './iri.js';
import type { Quad, Term } from './terms.js';
import { splitName } from './xml-names.js';
import { impossibleInXml } from './xml-text.js';

/** RFC 3986 §5.2.4: readers resolve every IRI reference and would take these segments out of the path. */
const dotSegments = /^[^?#]*\/\.\.?(?:[/?#]|$)/;

/** Predicates and datatypes that can be written: every graph has the same few. */
const [writablePredicates, writableDatatypes] = [new Set<string>(), new Set<string>()];
/** Data makes up ever new IRIs, long ones too. */
const MOST_KNOWN = 4096;
const LONGEST_KNOWN = 256;

/** What is wrong with an IRI of a vocabulary, looked at once for each that nothing is wrong with. */
function onceFor(known: Set<string>, iri: string, faultOf: () => string | undefined): string | undefined {
  if (known.has(iri)) return undefined;
  const fault = faultOf();
  if (fault === undefined && iri.length <= LONGEST_KNOWN) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.add(iri);
  }
  return fault;
}

/**
 * Why RDF/XML cannot carry a statement so that every reader gets it back unchanged: a predicate that is no XML name or
 * is reserved, a character that XML 1.0 does not have, an IRI that is none. Undefined when it can.
 */
export function unwritable({ subject, predicate, object }: Quad): string | undefined {
  return (
    nodeFault(subject) ??
    predicateFault(predicate) ??
    (object.termType === 'Literal' ? literalFault(object) : nodeFault(object))
  );
}

function nodeFault(term: Term): string | undefined {
  if (term.termType === 'NamedNode') return writableIriFault(term.value);
  return term.termType === 'BlankNode' ? undefined : `a ${term.termType} cannot stand there`;
}

/** Why an IRI cannot be written into an RDF/XML document. */
export function writableIriFault(iri: string): string | undefined {
  const fault =
    iriFault(iri) ?? (impossibleInXml(iri) === undefined ? undefined : characterFault('IRI', iri));
  if (fault !== undefined) return fault;
  return dotSegments.test(iri) ? `the path of the IRI has "." or ".." segments: ${shown(iri)}` : undefined;
}

/** Why a predicate cannot be the name of an XML element. */
export function predicateFault(predicate: Term): string | undefined {
  if (predicate.termType !== 'NamedNode') return 'a predicate must be an IRI';
  const iri = predicate.value;
  return onceFor(writablePredicates, iri, () => {
    const fault = iriFault(iri);
    if (fault !== undefined) return fault;
    const parts = splitName(iri);
    return typeof parts === 'string'
      ? `the predicate ${shown(iri)} cannot be an XML element: ${parts}`
      : undefined;
  });
}

/** Why a literal cannot be written as XML text. */
export function literalFault(term: Term & { termType: 'Literal' }): string | undefined {
  if (impossibleInXml(term.value) !== undefined) return characterFault('literal', term.value);
  if (term.language !== '') {
    return impossibleInXml(term.language) === undefined
      ? undefined
      : characterFault('language tag', term.language);
  }
  const datatype = term.datatype.value;
  return onceFor(writableDatatypes, datatype, () => writableIriFault(datatype));
}

function characterFault(kind: string, text: string): string {
  return `XML 1.0 cannot carry ${describeCharacter(impossibleInXml(text) ?? '')} in a ${kind}`;
}

/** Throws UnwritableError where there is a fault. */
export function refuse(fault: string | undefined): void {
  if (fault !== undefined) throw new UnwritableError(fault);
}
