import type { CallModel, Ontology } from '../ontology/model.js';
import { namedNode } from '../rdf/terms.js';
import { newestFirst } from './index/date-index.js';
import { byName } from './index/name-index.js';
import { writeSparqlTerm } from './sparql-term.js';
import type { ListOptions } from './template.js';

/**
 * The order that the ontology gives a list, as options of its query: names from A to Z, or by the default sort, newest
 * first (by instants, where the ontology says that the property holds dates) and statements without a value last.
 * Ties, and lists without any order of their own, go by IRI.
 * @param variable what the list's sub-select selects
 */
export function listOrder(
  ontology: Pick<Ontology, 'properties'>,
  { sortProperties, sortNames }: CallModel,
  variable: string,
): Required<Pick<ListOptions, 'sort' | 'orderBy'>> {
  if (sortNames.length > 0) return byName(sortNames, variable);
  if (sortProperties.length === 0) return { sort: '', orderBy: `?${variable}` };
  if (sortProperties.every((iri) => ontology.properties.get(iri)?.valueType === 'date')) {
    return newestFirst(sortProperties, variable);
  }
  const path = sortProperties.map((iri) => writeSparqlTerm(namedNode(iri))).join('|');
  const sort = `OPTIONAL { GRAPH ?${variable} { ?${variable} ${path} ?sort_value } }`;
  return { sort, orderBy: `DESC(?sort_value) ?${variable}` };
}
