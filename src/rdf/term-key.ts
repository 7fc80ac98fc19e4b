import type { Quad, Term } from './terms.js';

/** A text that is equal exactly for equal terms: the IRI itself, `_:label`, or what N-Triples says of a literal. */
export function termKey(term: Term): string {
  switch (term.termType) {
    case 'BlankNode':
      return `_:${term.value}`;
    case 'Literal':
      return term.language === ''
        ? `"${term.value}"^^${term.datatype.value}`
        : `"${term.value}"@${term.language}`;
    default:
      return term.value;
  }
}

/** What a message calls a term: its IRI, `_:label`, or the text of a literal. */
export function termText(term: Term): string {
  return term.termType === 'BlankNode' ? `_:${term.value}` : term.value;
}

/**
 * A set of quads by value. Terms are numbered first, so that the key of a quad is short: a long IRI that many quads
 * share is hashed once, not with each of them.
 */
export class QuadKeys {
  readonly #numbers = new Map<string, number>();
  readonly #keys = new Set<string>();

  /** Adds a quad; false when an equal one is there. */
  add({ subject, predicate, object, graph }: Quad): boolean {
    const key = `${this.#number(subject)} ${this.#number(predicate)} ${this.#number(object)} ${this.#number(graph)}`;
    return this.#keys.size < this.#keys.add(key).size;
  }

  #number(term: Term): number {
    const key = termKey(term);
    let number = this.#numbers.get(key);
    if (number === undefined) this.#numbers.set(key, (number = this.#numbers.size));
    return number;
  }
}
