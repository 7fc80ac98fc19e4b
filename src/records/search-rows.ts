import type { DataDirectory } from '../store/disk/data-directory.js';
import type { CallModel, Ontology } from '../model/ontology/model.js';
import type { RowSearch } from '../store/search/find-rows.js';
import { isTooLong, type SearchList } from '../store/search/search-lists.js';
import { makeRows } from '../store/search/make-rows.js';
import { givenTerms, type Given } from './lists/arguments.js';
import { placesOf, recordPartition } from './record-partition.js';
import { byKey } from '../rdf/by-key.js';

/** Fills the search rows of an ontology unless they exist. @param progress receives the number of records done */
export function listForSearches(
  directory: DataDirectory,
  base: string,
  ontology: Ontology,
  progress?: (done: number) => void,
): Promise<void> {
  const lists = searchLists(ontology);
  return makeRows({ directory, base, lists, partition: recordPartition(ontology), progress });
}

/** Returns the search lists of an ontology, in an order independent of its calls'. */
export function searchLists(ontology: Ontology): SearchList[] {
  const all = ontology.calls.flatMap((call) => {
    const places = placesOf(ontology, call);
    if (!places) return [];
    const terms = call.parameters.flatMap(({ operator, paths }) =>
      operator === undefined ? [] : [{ target: call.target, places, kind: operator, paths }],
    );
    return [orderOf(call, places), ...terms];
  });
  return byKey(new Map(all.map((list) => [JSON.stringify(list), list])));
}

/** Converts a request to a search of rows; undefined if rows cannot answer it. @throws Problem invalid-parameter */
export function rowSearch(
  ontology: Ontology,
  call: CallModel,
  given: Given,
): Pick<RowSearch, 'order' | 'terms'> | undefined {
  const places = placesOf(ontology, call);
  if (!places || (call.sortNames.length === 0 && call.sortProperties.length > 0)) return undefined;
  const asked = givenTerms(call, given);
  const terms = asked.flatMap(([argument, values]) => {
    const [value, ...others] = values.map((term) => term.value);
    if (!('paths' in argument) || argument.operator === undefined) return [];
    if (value === undefined || others.length > 0 || isTooLong(value)) return [];
    return [{ list: { target: call.target, places, kind: argument.operator, paths: argument.paths }, value }];
  });
  return terms.length < asked.length ? undefined : { order: orderOf(call, places), terms };
}

const orderOf = ({ target, sortNames }: CallModel, places: readonly string[]): SearchList => ({
  target,
  places,
  kind: 'order',
  paths: sortNames,
});
