import type { Quad, Term } from '../../rdf/terms.js';

/** A text that is equal exactly for equal terms. */
export function termKey(term: Term): string {
  switch (term.termType) {
    case 'BlankNode':
      return `_:${term.value}`;
    case 'Literal':
      return `"${term.language}^${term.datatype.value} ${term.value}`;
    default:
      return term.value;
  }
}

/** Quads of one graph by subject, each once, in document order. */
export class QuadIndex {
  readonly quads: readonly Quad[];
  private readonly bySubject = new Map<string, Quad[]>();

  constructor(quads: Iterable<Quad>) {
    const seen = new Set<string>();
    const kept: Quad[] = [];
    for (const quad of quads) {
      const subject = termKey(quad.subject);
      const key = `${subject}\n${quad.predicate.value}\n${termKey(quad.object)}`;
      if (seen.has(key)) continue;
      seen.add(key);
      kept.push(quad);
      const own = this.bySubject.get(subject);
      if (own) own.push(quad);
      else this.bySubject.set(subject, [quad]);
    }
    this.quads = kept;
  }

  /** What is said about a term. */
  about(subject: Term): readonly Quad[] {
    return this.bySubject.get(termKey(subject)) ?? [];
  }

  /** Every subject with what is said about it, in document order. */
  groups(): Iterable<readonly Quad[]> {
    return this.bySubject.values();
  }
}
