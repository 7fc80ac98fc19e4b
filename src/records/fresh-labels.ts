import { blankNode, quad, type Quad, type Term } from '../rdf/terms.js';

/**
 * Makes what gives the blank nodes of one graph after the other labels that no graph before had, so that all of them
 * can stand in one file. The quads that it gives are triples.
 */
export function freshLabels(): (quads: readonly Quad[]) => Quad[] {
  let next = 0;
  return (quads) => {
    const labels = new Map<string, Term>();
    const rename = (term: Term): Term => {
      if (term.termType !== 'BlankNode') return term;
      const known = labels.get(term.value) ?? blankNode(`b${next++}`);
      labels.set(term.value, known);
      return known;
    };
    return quads.map((found) => quad(rename(found.subject), found.predicate, rename(found.object)));
  };
}
