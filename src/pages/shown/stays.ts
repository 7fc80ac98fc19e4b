import type { ClassModel } from '../../model/ontology/model.js';
import { instants } from '../../model/query/partial-date.js';
import { groupedBy } from '../../rdf/by-key.js';
import type { ShownStatement } from './shown-statement.js';

/** A stay, or anything else with the times of one. */
type Timed = Pick<ShownStatement, 'date' | 'until'>;
type Found = Pick<ShownStatement, 'iri' | 'date' | 'until'>;

export const firstDay = ({ date = '' }: Timed): string => date.slice(0, 10);
export const lastDay = ({ until = '' }: Timed): string => until.slice(0, 10);

/** Whether something began on one day and ended on another, such as a stay in hospital. */
export function isOfDays({ date, until }: Timed): boolean {
  return date !== undefined && until !== undefined && until.slice(0, 10) > date.slice(0, 10);
}

/** Whether something lasted two nights or more. */
export const isLongStay = (each: Timed): boolean =>
  isOfDays(each) && Date.parse(lastDay(each)) - Date.parse(firstDay(each)) >= 2 * 86_400_000;

/** Whether the time of something, as finely as it is known, lies within a visit. */
export function isDuring({ date = '' }: Timed, visit: Timed): boolean {
  const [time, start] = [instants(date), instants(visit.date ?? '')];
  const end = instants(visit.until ?? '') ?? start;
  return time !== undefined && start !== undefined && start.low <= time.low && time.high <= (end?.high ?? '');
}

/** Finds the stay in which something was: where one ends on the day on which the next begins, by the time. */
export function stayOf<T extends Timed>(each: Timed, stays: readonly T[]): T | undefined {
  const day = firstDay(each);
  const own = stays.filter((stay) => firstDay(stay) <= day && day <= lastDay(stay));
  return own.find((stay) => isDuring(each, stay)) ?? own[0];
}

/** How many entries of a class were in a stay besides those that are read. */
export interface LeftOut {
  readonly model: ClassModel;
  readonly count: number;
}

/** The number of measurements of a kind that are read of a stay, the latest ones. */
const MEASURED = 50;

/**
 * Leaves out what is measured in stays beyond what a page reads.
 * @param told what the history tells, by IRI @param limit the day before which it is
 * @returns what it still tells, and what is left out by the IRI of the stay
 */
export function ofStays(
  told: ReadonlySet<string>,
  stays: readonly Found[],
  kinds: readonly { readonly model: ClassModel; readonly members: readonly Found[] }[],
  limit?: string,
) {
  const kept = new Set(told);
  const left = new Map<string, LeftOut[]>();
  const whole = stays.filter((each) => told.has(each.iri) && (limit === undefined || lastDay(each) < limit));
  for (const { model, members } of kinds) {
    const own = groupedBy(
      members.filter(({ iri }) => told.has(iri)),
      (each) => stayOf(each, whole)?.iri,
    );
    for (const [stay, all] of own) {
      const others = stay === undefined ? [] : all.slice(MEASURED);
      for (const { iri } of others) kept.delete(iri);
      if (stay !== undefined && others.length > 0)
        left.set(stay, [...(left.get(stay) ?? []), { model, count: others.length }]);
    }
  }
  return { told: kept, left };
}
