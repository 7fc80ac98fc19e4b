import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Term } from '../../rdf/terms.js';
import type { Scope } from '../../store/parts.js';
import type { ChosenPage, ListRequest, ReadStore } from './list.js';
import { inListOrder } from './list-rows.js';

/** More statements than this take some ten milliseconds and more to be read and written. */
const LONG = 100;

interface ChosenRows {
  readonly rows: readonly Record<string, Term>[];
  readonly total: number;
  /** Whether they are many, and something may have been written since they were found. */
  readonly isLong: boolean;
}

/** The rows of a page, with those beyond it that were found, and how many members there are. */
export async function chosenRows(
  store: ReadStore,
  page: ChosenPage,
  { query, values, counted = true }: ListRequest,
  { scope, mayBeLong = false }: { readonly scope: Scope | undefined; readonly mayBeLong?: boolean },
): Promise<ChosenRows> {
  const { limit, offset, filters, pattern } = page;
  // Who asks for a page goes on to the next.
  const isKept = page.isWhole && limit !== undefined;
  const found = await store.select(page.sparql, scope, isKept ? 'kept' : mayBeLong ? 'unhurried' : undefined);
  const isLong = mayBeLong && found.length > LONG && (limit === undefined || limit > LONG);
  if (page.isWhole) {
    // The engine has taken this turn of the event loop.
    if (isLong) await nextTurn();
    const all = inListOrder(found, query.variable ?? '');
    const rows = all.slice(offset, page.most === undefined ? undefined : offset + page.most);
    return { rows, total: counted ? all.length : offset + rows.length, isLong };
  }
  // A member with two dates has two rows.
  const own = new Map<string | undefined, Record<string, Term>>();
  for (const row of found) {
    const iri = row[query.variable ?? '']?.value;
    if (!own.has(iri)) own.set(iri, row);
  }
  const rows = [...own.values()];
  // Where the rows have an end, and begin anywhere, they tell the total.
  const hasEnd = page.most === undefined || found.length < page.most;
  const isKnown = counted && hasEnd && (rows.length > 0 || offset === 0);
  const total =
    isKnown || !counted
      ? offset + rows.length
      : await count(store, query.count(values, { filters, pattern }), scope);
  return { rows, total, isLong };
}

async function count(store: ReadStore, sparql: string, scope: Scope | undefined): Promise<number> {
  const [row] = await store.select(sparql, scope);
  return Number(row?.['count']?.value ?? 0);
}
