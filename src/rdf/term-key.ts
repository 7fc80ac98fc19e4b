import type { Quad, Term } from './terms.js';

/** Returns a text that is equal exactly for equal terms. */
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

/** Names a term in a message: its IRI, `_:label`, or the text of a literal. */
export function termText(term: Term): string {
  return term.termType === 'BlankNode' ? `_:${term.value}` : term.value;
}

/** A set of quads by value. Terms are numbered, so that a long IRI is hashed once and not for each quad. */
export class QuadKeys {
  readonly #numbers = new Map<string, number>();
  readonly #keys = new Set<string>();

  /** Returns false if an equal quad is already there. */
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
