import { isInnerName } from '../../rdf/skolem-iris.js';
import { unwritable } from '../../rdf/rdfxml.js';
import type { Quad } from '../../rdf/terms.js';
import { refuse } from './load-problems.js';

/**
 * Refuses quads that no answer could carry: what RDF/XML, the format of the API, has no way to write, and the names
 * (`…#_b0` under the base URL) that the store keeps for blank nodes.
 * @throws RecordInputError with a sentence for each
 */
export function checkInput(quads: Iterable<Quad>, base: string): void {
  const reasons = new Set<string>();
  for (const quad of quads) {
    for (const term of [quad.subject, quad.predicate, quad.object]) {
      if (term.termType === 'NamedNode' && isInnerName(term.value, base)) {
        reasons.add(
          `The name ${term.value} is kept for blank nodes of the store; write a blank node instead.`,
        );
      }
    }
    const reason = unwritable(quad);
    if (reason !== undefined) reasons.add(`RDF/XML cannot carry a triple of the file: ${reason}`);
  }
  refuse([...reasons]);
}
