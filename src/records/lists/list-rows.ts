import { LIST_INSTANT } from '../../query/index/list-index.js';
import type { Row } from '../../store/graph-store.js';

const SURROGATE = /[\ud800-\udfff]/;

/**
 * The members of a list in its order, each once, from what the index says of them in any order: the newest first, then
 * by IRI, in the order of Unicode's characters. A member with several dates stands where its newest one belongs.
 * @param rows with `LIST_INSTANT` @param variable that of the members
 */
export function inListOrder(rows: readonly Row[], variable: string): Row[] {
  const entries = rows.map((row) => ({
    iri: row[variable]?.value ?? '',
    instant: Number(row[LIST_INSTANT]?.value),
    row,
  }));
  return newestFirst(entries).map(({ row }) => row);
}

/** A member of a list and an instant by which it is listed. */
interface Entry {
  readonly iri: string;
  readonly instant: number;
}

/** The same of members themselves, as `inListOrder` orders rows. */
export function newestFirst<T extends Entry>(entries: readonly T[]): T[] {
  const newest = new Map<string, T>();
  for (const entry of entries) {
    const known = newest.get(entry.iri);
    if (!known || known.instant < entry.instant) newest.set(entry.iri, entry);
  }
  // Pairs of surrogates are no characters: by them, some would stand before others that Unicode has before them.
  const hasPairs = [...newest.keys()].some((iri) => SURROGATE.test(iri));
  const byIri = hasPairs
    ? (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
    : (a: string, b: string) => (a < b ? -1 : 1);
  return [...newest.values()].sort((a, b) => b.instant - a.instant || byIri(a.iri, b.iri));
}
