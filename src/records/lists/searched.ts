import type { Ontology } from '../../ontology/model.js';
import { iriText } from '../../query/sparql-term.js';
import { rdf } from '../../rdf/vocabulary.js';
import type { GraphStore } from '../../store/graph-store.js';
import { rowSearch } from '../search-rows.js';
import type { ChosenPage, ListAnswer, ListRequest } from './list.js';

/**
 * Answers a search by what is listed of everything: that chooses the page, of which alone the graphs are read. Whether
 * they are what is asked for, their graphs decide.
 * @returns undefined where nothing is listed that could choose it
 */
export async function searched(
  store: GraphStore,
  ontology: Ontology,
  { call, query, values, given, only, counted = true }: ListRequest,
  { limit, offset, filters, most }: ChosenPage,
): Promise<ListAnswer | undefined> {
  const { variable, searched: target } = query;
  if (variable === undefined || limit === undefined || most === undefined || target !== call.target)
    return undefined;
  const among = only?.map((iri) => iri.slice(store.base.length));
  const search = rowSearch(ontology, call, given);
  const found = search && (await store.find?.({ ...search, among, offset, most: limit + 1, counted }));
  if (!found) return undefined;
  const { names, total, scope } = found;
  const page = names.slice(0, limit);
  const chosen = `VALUES ?${variable} { ${page.map(iriText).join(' ')} }`;
  const sparql = query.bind(values, { filters: [chosen, ...filters] });
  const quads = page.length === 0 ? [] : await store.construct(sparql, scope);
  const stated = new Set(
    quads
      .filter(({ predicate, object }) => predicate.value === rdf.type && object.value === target)
      .map(({ subject }) => subject.value),
  );
  return {
    quads,
    order: page.filter((name) => stated.has(name)),
    total: counted ? total : offset + names.length,
    next: names.length > limit ? { limit, offset } : undefined,
  };
}
