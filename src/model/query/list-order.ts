import type { CallModel, Ontology } from '../ontology/model.js';
import { namedNode } from '../../rdf/terms.js';
import { newestFirst } from './index/date-index.js';
import { byName } from './index/name-index.js';
import { writeSparqlTerm } from './sparql-term.js';
import type { ListOptions } from './template.js';

/**
 * A list's order as query options: names from A to Z, or by the default sort, newest first (by instants for dates),
 * with missing values last and ties by IRI.
 * @param variable selected by the list's sub-select
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
