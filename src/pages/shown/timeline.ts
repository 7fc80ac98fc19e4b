import type { Ontology } from '../../model/ontology/model.js';
import { instants } from '../../model/query/partial-date.js';
import { madeOnce } from '../../rdf/made-once.js';
import type { ShownStatement } from './shown-statement.js';
import { firstDay, lastDay, stayOf } from './stays.js';

interface Dated extends Pick<ShownStatement, 'date'> {
  /** The first instant of the date, if that is known. */
  readonly begins?: string | undefined;
}

export interface ReadKind<T extends Dated> {
  readonly statements: readonly T[];
  readonly more: boolean;
}

export interface Timeline<T extends Dated> {
  readonly statements: readonly T[];
  /** The next part is before this day; undefined at the end. */
  readonly before?: string | undefined;
}

/** Returns the start date as sortable text; '' without a date. */
export function beginningOf({ date, begins }: Dated): string {
  return begins ?? (date === undefined ? '' : (instants(date)?.low ?? ''));
}

/** Whether something ended before a day. @param until ISO 8601 @param today ISO 8601 */
export function isOver(until: string | undefined, today: string): boolean {
  return until !== undefined && (instants(until)?.high ?? until) < today;
}

export function saysOver({ codes }: Pick<Ontology, 'codes'>, code: string | undefined): boolean {
  return code !== undefined && codes.get(code)?.isOver === true;
}

const wordsOfOver = madeOnce(
  ({ codes }: Ontology) =>
    new Set([...codes.values()].filter(({ isOver }) => isOver).map(({ title }) => title.toLowerCase())),
);

/** Whether statuses in words, parted by commas, say that something is over: in the words of a code that does. */
export function toldOver(ontology: Ontology, statuses: string): boolean {
  return statuses.split(', ').some((status) => wordsOfOver(ontology).has(status.toLowerCase()));
}

/** A stay is shown whole if so it adds no more days than these: one in a nursing home can last for years. */
const MOST_DAYS = 31;
const DAY = 86_400_000;

type Days = Pick<ShownStatement, 'date' | 'until'>;

/**
 * Goes back to where stays began that a day would split, if all since then was read.
 * @param stays the latest first @param known the earliest day read
 */
function beforeStays(day: string, all: readonly Dated[], stays: readonly Days[], known: string): string {
  const least = new Date(Date.parse(day) - MOST_DAYS * DAY).toISOString().slice(0, 10);
  let earliest = day;
  for (const stay of stays) {
    const first = firstDay(stay);
    const isSplit =
      lastDay(stay) > earliest ||
      (lastDay(stay) === earliest &&
        all.some(
          (each) => firstDay(each) === earliest && !stays.includes(each) && stayOf(each, stays) === stay,
        ));
    if (first < earliest && first > known && first >= least && isSplit) earliest = first;
  }
  return earliest;
}

/**
 * Merges kinds as far back as all were read. A day is never split.
 * @param most approximate number, unless so few days have more
 * @param stays the latest first; they are not split either, where they were read and are not too long
 */
export function timeline<T extends Dated>(
  kinds: readonly ReadKind<T>[],
  most: number,
  days = 1,
  stays: readonly Days[] = [],
): Timeline<T> {
  const known = kinds
    .filter(({ more }) => more)
    .map(({ statements }) => beginningOf(statements.at(-1) as T).slice(0, 10))
    .reduce((latest, day) => (day > latest ? day : latest), '');
  const dated = kinds
    .flatMap(({ statements }) => statements)
    .map((statement) => ({ statement, begins: beginningOf(statement) }))
    .filter(({ begins }) => begins !== '')
    .sort((a, b) => (a.begins < b.begins ? 1 : a.begins > b.begins ? -1 : 0));
  const dayOf = ({ begins }: { begins: string }): string => begins.slice(0, 10);
  // The earliest day read may be incomplete; it is shown only if there is no other.
  const complete = dated.filter((each) => dayOf(each) > known);
  const candidates = complete.length > 0 ? complete : dated.filter((each) => dayOf(each) >= known);
  const last = candidates[Math.min(most, candidates.length) - 1];
  if (!last) return { statements: [] };
  const few = [...new Set(candidates.map(dayOf))].slice(0, days).at(-1) ?? '';
  const all = candidates.map(({ statement }) => statement);
  const end = beforeStays(few < dayOf(last) ? few : dayOf(last), all, stays, known);
  const shown = candidates.filter((each) => dayOf(each) >= end);
  return {
    statements: shown.map(({ statement }) => statement),
    before: shown.length < dated.length || known !== '' ? end : undefined,
  };
}
