import type { Ontology } from '../../ontology/model.js';
import { iriText } from '../../query/sparql-term.js';
import { rowSearch } from '../search-rows.js';
import type { ChosenPage } from './chosen-page.js';
import type { ListAnswer, ListRequest, ReadStore } from './list.js';
import { readKnown } from './read-known.js';

/**
 * Answers a search by what is listed of everything: that chooses the page, of which alone the graphs are read. Whether
 * they are what is asked for, their graphs decide.
 * @returns undefined where nothing is listed that could choose it
 */
export async function searched(
  store: ReadStore,
  ontology: Ontology,
  request: ListRequest,
  { limit, offset, filters }: ChosenPage,
): Promise<ListAnswer | undefined> {
  const { call, query, values, given, only, counted = true } = request;
  const { variable, searched: target } = query;
  if (variable === undefined || limit === undefined || target !== call.target) return undefined;
  const shown = only?.map((iri) => iri.slice(store.base.length));
  const search = rowSearch(ontology, call, given);
  const found = search && (await store.find?.({ ...search, among: shown, offset, most: limit + 1, counted }));
  if (!found) return undefined;
  const { names, total, scope } = found;
  const page = names.slice(0, limit);
  const chosen = `VALUES ?${variable} { ${page.map(iriText).join(' ')} }`;
  const among = { filters: [chosen, ...filters] };
  const rows = page.length === 0 ? [] : await store.select(query.select(values, among), scope);
  const stated = new Set(rows.map((row) => row[variable]?.value));
  const order = page.filter((name) => stated.has(name));
  return {
    quads: await readKnown(store, ontology, request, order, scope),
    order,
    total: counted ? total : offset + names.length,
    next: names.length > limit ? { limit, offset } : undefined,
  };
}
