import type { CallModel, Ontology } from '../../../ontology/model.js';
import { sp } from '../../../rdf/vocabulary.js';

/** The call that adds a note to a record; undefined where the ontology has none. */
export function noteCall({ calls }: Ontology): CallModel | undefined {
  return calls.find(
    ({ method, scope, target, answer }) =>
      method === 'POST' && scope === 'record' && target === sp.ClinicalNote && answer === 'rdf',
  );
}
