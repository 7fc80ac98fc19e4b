import { INNER_MARK, numberBlankNodes } from '../../src/rdf/skolem-iris.js';
import { namedNode, quad, type Quad, type Term } from '../../src/rdf/terms.js';

/** A graph with its blank nodes named as the store names them: `{graphIri}#_b0`, `#_b1` … */
export async function nameInnerNodes(graphIri: string, quads: readonly Quad[]): Promise<Quad[]> {
  const numbers = await Promise.resolve().then(() => numberBlankNodes(quads));
  const name = (term: Term): Term =>
    term.termType === 'BlankNode' ? namedNode(graphIri + INNER_MARK + numbers.get(term.value)) : term;
  return quads.map((each) => quad(name(each.subject), each.predicate, name(each.object), each.graph));
}
