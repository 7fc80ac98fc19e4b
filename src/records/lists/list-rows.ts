import { LIST_INSTANT } from '../../query/index/list-index.js';
import type { Row } from '../../store/graph-store.js';

const SURROGATE = /[\ud800-\udfff]/;

/**
 * The members of a list in its order, each once, from what the index says of them in any order: the newest first, then
 * by IRI, in the order of Unicode's characters. A member with several dates stands where its newest one belongs.
 * @param rows with `LIST_INSTANT` @param variable that of the members
 */
export function inListOrder(rows: readonly Row[], variable: string): readonly Row[] {
  const sorted = known.get(rows) ?? sortedRows(rows, variable);
  known.set(rows, sorted);
  return sorted;
}

/** Rows that the store gives a second time were sorted the first time. */
const known = new WeakMap<readonly Row[], readonly Row[]>();

function sortedRows(rows: readonly Row[], variable: string): Row[] {
  const newest = new Map<string, { readonly iri: string; readonly instant: number; readonly row: Row }>();
  for (const row of rows) {
    const iri = row[variable]?.value ?? '';
    const instant = Number(row[LIST_INSTANT]?.value);
    const known = newest.get(iri);
    if (!known || known.instant < instant) newest.set(iri, { iri, instant, row });
  }
  // Pairs of surrogates are no characters: by them, some would stand before others that Unicode has before them.
  const hasPairs = [...newest.keys()].some((iri) => SURROGATE.test(iri));
  const byIri = hasPairs
    ? (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
    : (a: string, b: string) => (a < b ? -1 : 1);
  return [...newest.values()]
    .sort((a, b) => b.instant - a.instant || byIri(a.iri, b.iri))
    .map(({ row }) => row);
}
