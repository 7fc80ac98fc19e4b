import { numberBlankNodes } from '../../src/rdf/skolem-iris.js';
import { writeTriples } from '../../src/rdf/ntriples.js';
import { blankNode, quad, type Term } from '../../src/rdf/terms.js';
import type { NamedGraph } from '../../src/store/graph-store.js';

/** Graphs as sorted text with canonical blank node labels: equal exactly when the graphs are isomorphic. */
export function numberedCanonical(graphs: readonly NamedGraph[]): Record<string, string[]> {
  const entries = graphs.map(({ name, quads }) => {
    const numbers = numberBlankNodes(quads);
    const rename = (term: Term): Term =>
      term.termType === 'BlankNode' ? blankNode(`n${numbers.get(term.value)}`) : term;
    const lines = quads.map((one) =>
      writeTriples([quad(rename(one.subject), one.predicate, rename(one.object))]),
    );
    return [name, lines.sort()] as const;
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
