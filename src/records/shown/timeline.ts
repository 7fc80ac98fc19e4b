import type { Ontology } from '../../ontology/model.js';
import { instants } from '../../query/partial-date.js';
import type { ShownStatement } from './shown-statement.js';

type Dated = Pick<ShownStatement, 'date'>;

/** The latest statements of one kind, and whether there are earlier ones that were not read. */
export interface ReadKind<T extends Dated> {
  readonly statements: readonly T[];
  readonly more: boolean;
}

/** A part of the history of a record, the latest first. */
export interface Timeline<T extends Dated> {
  readonly statements: readonly T[];
  /** The day before which the next part begins; undefined at the beginning of the record. */
  readonly before?: string | undefined;
}

/** When something began, as text in the order of time; '' where it has no date. */
export function beginningOf({ date }: Dated): string {
  return date === undefined ? '' : (instants(date)?.low ?? '');
}

/** Whether what ended at a date was over before a day. @param until ISO 8601 @param today the same */
export function isOver(until: string | undefined, today: string): boolean {
  return until !== undefined && (instants(until)?.high ?? until) < today;
}

/** Whether a code says that what has it as its status is over. @param code its IRI */
export function saysOver({ codes }: Pick<Ontology, 'codes'>, code: string | undefined): boolean {
  return code !== undefined && codes.get(code)?.isOver === true;
}

/**
 * Puts kinds together by time, as far as all of them are known: where earlier statements of a kind were not read, nothing
 * earlier than what was read of it is shown. A day is never cut in two.
 * @param most how many statements make a part, about
 */
export function timeline<T extends Dated>(kinds: readonly ReadKind<T>[], most: number): Timeline<T> {
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
