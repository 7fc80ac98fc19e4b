import { instants } from '../../query/partial-date.js';
import type { ShownStatement } from './statement-reader.js';

/** The latest statements of one kind, and whether there are earlier ones that were not read. */
export interface ReadKind {
  readonly statements: readonly ShownStatement[];
  readonly more: boolean;
}

/** A part of the history of a record, the latest first. */
export interface Timeline {
  readonly statements: readonly ShownStatement[];
  /** The day before which the next part begins; undefined at the beginning of the record. */
  readonly before?: string | undefined;
}

/** When something began, as text in the order of time; '' where it has no date. */
export function beginningOf({ date }: ShownStatement): string {
  return date === undefined ? '' : (instants(date)?.low ?? '');
}

/**
 * Puts kinds together by time, as far as all of them are known: where earlier statements of a kind were not read, nothing
 * earlier than what was read of it is shown. A day is never cut in two.
 * @param most how many statements make a part, about
 */
export function timeline(kinds: readonly ReadKind[], most: number): Timeline {
  const known = kinds
    .filter(({ more }) => more)
    .map(({ statements }) => beginningOf(statements.at(-1) as ShownStatement).slice(0, 10))
    .reduce((latest, day) => (day > latest ? day : latest), '');
  const dated = kinds
    .flatMap(({ statements }) => statements)
    .map((statement) => ({ statement, begins: beginningOf(statement) }))
    .filter(({ begins }) => begins !== '')
    .sort((a, b) => (a.begins < b.begins ? 1 : a.begins > b.begins ? -1 : 0));
  const dayOf = ({ begins }: { begins: string }): string => begins.slice(0, 10);
  // The day on which the reading of a kind ended may be known in part only; it is shown when it is all there is.
  const complete = dated.filter((each) => dayOf(each) > known);
  const candidates = complete.length > 0 ? complete : dated.filter((each) => dayOf(each) >= known);
  const last = candidates[Math.min(most, candidates.length) - 1];
  if (!last) return { statements: [] };
  const shown = candidates.filter((each) => dayOf(each) >= dayOf(last));
  return {
    statements: shown.map(({ statement }) => statement),
    before: shown.length < dated.length || known !== '' ? dayOf(last) : undefined,
  };
}
