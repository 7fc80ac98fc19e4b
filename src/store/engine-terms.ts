import type * as Oxigraph from 'oxigraph';
import { blankNode, literal, namedNode, quad, type Quad, type Term } from '../rdf/terms.js';

/** What the engine hands out lies in its memory until it is freed; its types do not tell of it. */
type Held<T> = T & { free(): void };

/**
 * Copies statements out of the engine and gives back the memory that they hold there; what repeats comes once.
 * @param innerLabel gives the label of the blank node that an IRI stands for, if it is the name of one
 */
export function takeQuads(
  found: readonly Oxigraph.Quad[],
  innerLabel: (iri: string) => string | undefined,
): Quad[] {
  const termOf = (term: Oxigraph.Term): Term => {
    const { termType, value } = term;
    if (termType === 'BlankNode') return blankNode(value);
    if (termType === 'NamedNode') {
      const inner = innerLabel(value);
      return inner === undefined ? namedNode(value) : blankNode(inner);
    }
    if (termType !== 'Literal') throw new TypeError(`a statement cannot hold a ${termType}`);
    const { language } = term;
    return literal(
      value,
      language === '' ? take(term.datatype, ({ value: iri }) => namedNode(iri)) : language,
    );
  };
  const quads = found.map((each) =>
    take(each, ({ subject, predicate, object }) =>
      quad(take(subject, termOf), take(predicate, termOf), take(object, termOf)),
    ),
  );
  return [...new Map(quads.map((each) => [keyOf(each), each])).values()];
}

function take<T, R>(held: T, read: (held: T) => R): R {
  try {
    return read(held);
  } finally {
    (held as Held<T>).free();
  }
}

function keyOf({ subject, predicate, object }: Quad): string {
  const kind =
    object.termType === 'Literal' ? `${object.datatype.value} ${object.language}` : object.termType;
  return `${subject.termType} ${subject.value} ${predicate.value} ${kind} ${object.value}`;
}
