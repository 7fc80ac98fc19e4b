import type { Ontology } from '../../model/ontology/model.js';
import { instants } from '../../model/query/partial-date.js';
import { madeOnce } from '../../rdf/made-once.js';
import type { ShownStatement } from './shown-statement.js';

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

/**
 * Merges kinds as far back as all were read. A day is never split.
 * @param most approximate number, unless so few days have more
 */
export function timeline<T extends Dated>(
  kinds: readonly ReadKind<T>[],
  most: number,
  days = 1,
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
  const end = few < dayOf(last) ? few : dayOf(last);
  const shown = candidates.filter((each) => dayOf(each) >= end);
  return {
    statements: shown.map(({ statement }) => statement),
    before: shown.length < dated.length || known !== '' ? end : undefined,
  };
}
