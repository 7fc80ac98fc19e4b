import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathsOf } from '../../model/ontology/call-facts.js';
import type { Ontology } from '../../model/ontology/model.js';
import { isAtOrBelow, PathTemplate } from '../../model/ontology/path-template.js';
import {
  LIST_INSTANT,
  listInstant,
  readInstants,
  type ListIndex,
} from '../../model/query/index/list-index.js';
import { iriText } from '../../model/query/sparql-term.js';
import { ownObjects, textsOf } from '../../rdf/graph-lines.js';
import { madeOnce } from '../../rdf/made-once.js';
import { rdf, sp } from '../../rdf/vocabulary.js';
import type { Row } from '../../store/graph-store.js';
import type { Scope } from '../../store/parts.js';
import type { StoredGraphs } from '../../store/stored-graphs.js';
import { recordPart } from '../record-partition.js';
import { recordIri } from '../resource-paths.js';
import { rowSearch } from '../search-rows.js';
import { isOf } from './graphs.js';
import type { ListRequest, ReadStore } from './list.js';
import type { PageQueries } from './page-queries.js';

export interface PageMembers<Member = string> {
  readonly order: readonly Member[];
  readonly total: number;
  readonly next: { limit: number; offset: number } | undefined;
  /** Where their graphs are, if narrower than the call's scope. */
  readonly scope?: Scope;
}

/** Limits for a short list: graphs, graphs beyond the page, and characters. Beyond them the engine is faster. */
const MAX_GRAPHS_OPENED = 100;
const MAX_OPENED_BESIDE_PAGE = 20;
const MAX_CHARACTERS_OPENED = 1 << 20;

/** Returns the members of a record's short list; undefined if there are too many, or some may be elsewhere. */
export function storedMembers(
  graphs: StoredGraphs,
  ontology: Ontology,
  { base, record, index }: { readonly base: string; readonly record: string; readonly index: ListIndex },
  { limit, offset }: Pick<PageQueries, 'limit' | 'offset'>,
): PageMembers | undefined {
  const most = Math.min(MAX_GRAPHS_OPENED, (limit ?? MAX_GRAPHS_OPENED) + MAX_OPENED_BESIDE_PAGE);
  const names = namesAt(graphs, placesOf(ontology, record, index), most);
  if (!names) return undefined;
  const wanted = new Set([rdf.type, sp.belongsTo, ...index.dates]);
  const owner = recordIri(base, record);
  const members: { iri: string; instant: number }[] = [];
  let left = MAX_CHARACTERS_OPENED;
  for (const iri of names) {
    const text = graphs.ntriples(iri) ?? '';
    if ((left -= text.length) < 0) return undefined;
    const own = ownObjects(iri, text, wanted);
    if (!isOf(own, index.classes, owner)) continue;
    const dates = index.dates.flatMap((property) => textsOf(own.get(property)));
    members.push({ iri, instant: listInstant(dates) });
  }
  const all = newestFirst(members).map(({ iri }) => iri);
  const end = limit === undefined ? all.length : offset + limit;
  const next = limit !== undefined && end < all.length ? { limit, offset } : undefined;
  return { order: all.slice(offset, end), total: all.length, next };
}

const templatesOf = madeOnce(({ classes }: ListIndex, ontology: Ontology): readonly PathTemplate[] => {
  const paths = classes.map((iri) => pathsOf(ontology, iri));
  const all = paths.some(({ length }) => length === 0) ? [] : [...new Set(paths.flat())];
  return all.map((path) => PathTemplate.of(path));
});

/** Returns the paths in a record that hold the list's statements; undefined if some may be elsewhere. */
function placesOf(ontology: Ontology, record: string, index: ListIndex): string[] | undefined {
  const places = templatesOf(index, ontology).map((template) => template.prefix({ record_id: record }));
  const isInside = places.length > 0 && places.every((path) => isAtOrBelow(path, recordPart(record)));
  return isInside ? places : undefined;
}

function namesAt(graphs: StoredGraphs, places: string[] | undefined, most: number): string[] | undefined {
  if (!places) return undefined;
  const names = new Set<string>();
  for (const place of places) {
    const found = graphs.under(place, most - names.size);
    if (!found) return undefined;
    for (const name of found) names.add(name);
  }
  return [...names];
}

/** Finds a search page in the store's search rows, which their graphs confirm. @returns undefined without rows */
export async function listedMembers(
  store: ReadStore,
  ontology: Ontology,
  { call, query, values, given, only, counted = true }: ListRequest,
  { limit, offset, filters }: PageQueries,
): Promise<PageMembers | undefined> {
  const { variable, plan } = query;
  const isSearch = plan.members === 'container' && plan.classes[0] === call.target;
  if (variable === undefined || limit === undefined || !isSearch) return undefined;
  const among = only?.map((iri) => iri.slice(store.base.length));
  const search = rowSearch(ontology, call, given);
  const found = search && (await store.find?.({ ...search, among, offset, most: limit + 1, counted }));
  if (!found) return undefined;
  const { names, total, scope } = found;
  const page = names.slice(0, limit);
  const chosen = `VALUES ?${variable} { ${page.map(iriText).join(' ')} }`;
  const ask = query.select(values, { filters: [chosen, ...filters] });
  const rows = page.length === 0 ? [] : await store.select(ask, scope);
  const stated = new Set(rows.map((row) => row[variable]?.value));
  return {
    order: page.filter((name) => stated.has(name)),
    total: counted ? total : offset + names.length,
    next: names.length > limit ? { limit, offset } : undefined,
    scope,
  };
}

const MANY_PAGES = 4;
const MANY_ROWS = 100;

/** Finds the rows of a page's members with the engine, and the requested dates. */
export async function foundRows(
  store: ReadStore,
  page: PageQueries,
  request: ListRequest,
  scope: Scope | undefined,
): Promise<PageMembers<Row>> {
  const { indexed, sorted, limit, offset } = page;
  const variable = request.query.variable ?? '';
  const { rows, total } =
    // A web page lists some hundreds of members: one query is faster than two.
    indexed && limit !== undefined && !request.dates
      ? await rowsAt(store, indexed, { limit, offset }, variable, scope)
      : sorted
        ? await sortedRows(store, page, sorted, request, scope)
        : await allRows(store, page, variable, scope);
  const next = limit !== undefined && offset + rows.length < total ? { limit, offset } : undefined;
  return { order: rows, total, next };
}

interface Rows {
  readonly rows: readonly Row[];
  readonly total: number;
}

async function allRows(
  store: ReadStore,
  { members, limit, offset }: PageQueries,
  variable: string,
  scope: Scope | undefined,
): Promise<Rows> {
  const found = await store.select(members(), scope, 'yielding');
  if (found.length > MANY_ROWS) await nextTurn();
  const all = inListOrder(found, variable);
  return { rows: all.slice(offset, limit === undefined ? undefined : offset + limit), total: all.length };
}

/** Reads a page of an indexed list: all instants show which members to look up. */
async function rowsAt(
  store: ReadStore,
  { instants, membersAt }: NonNullable<PageQueries['indexed']>,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  variable: string,
  scope: Scope | undefined,
): Promise<Rows> {
  const [row] = await store.select(instants(), scope, 'cached');
  const all = instantsOf(row ?? {});
  const wanted = all.subarray(offset, offset + limit);
  const [newest] = wanted;
  if (newest === undefined) return { rows: [], total: all.length };
  const chosen = { instants: [...new Set(wanted)], total: all.length };
  // If many more members than a page share an instant, the next pages run the same query.
  const isMany = all.lastIndexOf(wanted.at(-1) ?? newest) - all.indexOf(newest) > MANY_PAGES * limit;
  const rows = await store.select(membersAt(chosen), scope, isMany ? 'cached' : undefined);
  const found = inListOrder(rows, variable);
  const first = offset - all.indexOf(newest);
  return { rows: found.slice(first, first + limit), total: all.length };
}

const instantsOf = madeOnce((row: Row) => readInstants(row['gathered']?.value ?? ''));

async function sortedRows(
  store: ReadStore,
  { members, limit, offset }: PageQueries,
  { most, count }: NonNullable<PageQueries['sorted']>,
  { query, counted = true }: ListRequest,
  scope: Scope | undefined,
): Promise<Rows> {
  const found = await store.select(members(), scope, 'yielding');
  // A member with two sort values has two rows.
  const own = new Map<string | undefined, Row>();
  for (const row of found) {
    const iri = row[query.variable ?? '']?.value;
    if (!own.has(iri)) own.set(iri, row);
  }
  const rows = [...own.values()].slice(0, limit);
  const hasEnd = most === undefined || found.length < most;
  const isKnown = !counted || (hasEnd && (own.size > 0 || offset === 0));
  if (isKnown) return { rows, total: offset + own.size };
  const [row] = await store.select(count(), scope);
  return { rows, total: Number(row?.['count']?.value ?? 0) };
}

const SURROGATE = /[\ud800-\udfff]/;

/** Returns distinct members in list order. @param rows with `LIST_INSTANT` @param variable of the members */
export function inListOrder(rows: readonly Row[], variable: string): Row[] {
  const entries = rows.map((row) => ({
    iri: row[variable]?.value ?? '',
    instant: Number(row[LIST_INSTANT]?.value),
    row,
  }));
  return newestFirst(entries).map(({ row }) => row);
}

/** Sorts newest first, then by IRI in Unicode order; of several dates the newest counts. */
export function newestFirst<T extends { readonly iri: string; readonly instant: number }>(
  entries: readonly T[],
): T[] {
  const newest = new Map<string, T>();
  for (const entry of entries) {
    const known = newest.get(entry.iri);
    if (!known || known.instant < entry.instant) newest.set(entry.iri, entry);
  }
  // UTF-16 order differs from Unicode order for surrogate pairs.
  const hasPairs = [...newest.keys()].some((iri) => SURROGATE.test(iri));
  const byIri = hasPairs
    ? (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
    : (a: string, b: string) => (a < b ? -1 : 1);
  return [...newest.values()].sort((a, b) => b.instant - a.instant || byIri(a.iri, b.iri));
}
