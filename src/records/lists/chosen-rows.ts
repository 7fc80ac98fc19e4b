import { setImmediate as nextTurn } from 'node:timers/promises';
import { readInstants } from '../../query/index/list-index.js';
import type { Row } from '../../store/graph-store.js';
import type { Scope } from '../../store/parts.js';
import type { ChosenPage } from './chosen-page.js';
import type { ListRequest, ReadStore } from './list.js';
import { inListOrder } from './list-rows.js';
import { madeOnce } from '../../rdf/made-once.js';

/** More statements than this take some ten milliseconds and more to be read and written. */
const LONG = 100;

/** Pages that share an instant, from which on its members are held for the next of them. */
const MANY = 4;

interface ChosenRows {
  readonly rows: readonly Row[];
  readonly total: number;
  /** Whether they are many, and something may have been written since they were found. */
  readonly isLong: boolean;
}

/**
 * The rows of a page, and how many members there are. Where nobody asks for that, and there are more pages to come, it is
 * only the least that it can be.
 */
export async function chosenRows(
  store: ReadStore,
  page: ChosenPage,
  request: ListRequest,
  { scope, mayBeLong = false }: { readonly scope: Scope | undefined; readonly mayBeLong?: boolean },
): Promise<ChosenRows> {
  const variable = request.query.variable ?? '';
  const { indexed, limit } = page;
  // What a web page lists has some hundreds of members, of which one query tells in less time than two.
  if (indexed && limit !== undefined && !request.dates) {
    const { rows, total } = await rowsAt(store, indexed, { ...page, limit }, variable, scope);
    return { rows, total, isLong: mayBeLong && rows.length > LONG };
  }
  const found = await store.select(page.sparql(), scope, mayBeLong ? 'unhurried' : undefined);
  const isLong = mayBeLong && found.length > LONG && (limit === undefined || limit > LONG);
  if (page.sorted) return { ...(await sortedRows(store, page, page.sorted, found, request, scope)), isLong };
  // The engine has taken this turn of the event loop.
  if (isLong) await nextTurn();
  const all = inListOrder(found, variable);
  const end = limit === undefined ? undefined : page.offset + limit;
  return { rows: all.slice(page.offset, end), total: all.length, isLong };
}

type Rows = Pick<ChosenRows, 'rows' | 'total'>;

/** Those of a page of a list in the index: when all its members are tells which of them are looked up. */
async function rowsAt(
  store: ReadStore,
  { instants, membersAt }: NonNullable<ChosenPage['indexed']>,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  variable: string,
  scope: Scope | undefined,
): Promise<Rows> {
  // Who asks for a page goes on to the next.
  const [row] = await store.select(instants(), scope, 'kept');
  const all = instantsOf(row ?? {});
  const wanted = all.subarray(offset, offset + limit);
  const [newest] = wanted;
  if (newest === undefined) return { rows: [], total: all.length };
  const chosen = { instants: [...new Set(wanted)], total: all.length };
  // Where far more share an instant than a page holds, the next pages ask for the same.
  const isMany = all.lastIndexOf(wanted.at(-1) ?? newest) - all.indexOf(newest) > MANY * limit;
  const rows = await store.select(membersAt(chosen), scope, isMany ? 'kept' : undefined);
  const found = inListOrder(rows, variable);
  // Some of its instant may stand on the page before.
  const first = offset - all.indexOf(newest);
  return { rows: found.slice(first, first + limit), total: all.length };
}

/** Read from a row that the store keeps. */
const instantsOf = madeOnce((row: Row) => readInstants(row['gathered']?.value ?? ''));

/** Those of a page that the engine has sorted. */
async function sortedRows(
  store: ReadStore,
  { limit, offset }: ChosenPage,
  { most, count }: NonNullable<ChosenPage['sorted']>,
  found: readonly Row[],
  { query, counted = true }: ListRequest,
  scope: Scope | undefined,
): Promise<Rows> {
  // A member with two values of what is sorted by has two rows.
  const own = new Map<string | undefined, Row>();
  for (const row of found) {
    const iri = row[query.variable ?? '']?.value;
    if (!own.has(iri)) own.set(iri, row);
  }
  const rows = [...own.values()];
  // Where the rows have an end, and begin anywhere, they tell the total.
  const hasEnd = most === undefined || found.length < most;
  const isKnown = counted && hasEnd && (rows.length > 0 || offset === 0);
  const total = isKnown || !counted ? offset + rows.length : await counts(store, count(), scope);
  return { rows: rows.slice(0, limit), total };
}

async function counts(store: ReadStore, sparql: string, scope: Scope | undefined): Promise<number> {
  const [row] = await store.select(sparql, scope);
  return Number(row?.['count']?.value ?? 0);
}
