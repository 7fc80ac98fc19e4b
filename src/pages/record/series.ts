import { readableDay } from '../../http/html/readable.js';
import { groupedBy } from '../../rdf/by-key.js';
import { sp } from '../../rdf/vocabulary.js';
import { begins } from '../shown/statement-kinds.js';
import type { ShownStatement } from '../shown/shown-statement.js';
import { firstDay } from '../shown/stays.js';
import { endOf, isVisit, namedFor } from './statement-list.js';

/** The statements that say the same at several times, the latest first, by the latest of them. */
export type Series = ReadonlyMap<ShownStatement, readonly ShownStatement[]>;

/** So many days or more in a row are a series. */
const SERIES = 3;
const DAY = 86_400_000;

/** Groups what says the same. Documents differ by what they hold; what must be noticed stands alone. */
function grouped(statements: readonly ShownStatement[], endingOf: (each: ShownStatement) => string) {
  const own = statements.filter(
    (each) =>
      firstDay(each).length === 10 &&
      !isVisit(each) &&
      !each.model.ancestors.includes(sp.Document) &&
      !each.flag,
  );
  return [...groupedBy(own, (each) => JSON.stringify([each.kind, namedFor(each), endingOf(each)])).values()];
}

/** Finds what is told several times in a stay, such as a medicine that is prescribed anew each day. Of what is measured, each has its time. */
export function alike(statements: readonly ShownStatement[]): (readonly ShownStatement[])[] {
  return grouped(
    statements.filter(({ quantities }) => quantities.length === 0),
    ({ isOver, ending = '', until }) => JSON.stringify([isOver, ending, until === undefined]),
  ).filter((own) => own.length > 1);
}

/** Finds what was done on each of several days in a row, once a day, such as a treatment that goes on. */
export function eachDay(statements: readonly ShownStatement[]): (readonly ShownStatement[])[] {
  const done = statements.filter(({ model }) => !begins(model));
  return grouped(done, endOf).flatMap((own) => {
    const runs: ShownStatement[][] = [];
    for (const each of own) {
      const run = runs.at(-1);
      const last = run?.at(-1);
      if (last && isNextDay(each, last)) run?.push(each);
      else runs.push([each]);
    }
    return runs.filter((run) => run.length >= SERIES);
  });
}

const isNextDay = (before: ShownStatement, after: ShownStatement): boolean =>
  Date.parse(firstDay(after)) - Date.parse(firstDay(before)) === DAY;

export const seriesOf = (runs: Iterable<readonly ShownStatement[]>): Series =>
  new Map([...runs].flatMap((run) => (run[0] ? [[run[0], run] as const] : [])));

/** Returns what a series has besides the latest. */
export const repeatedIn = (series: Series): ReadonlySet<ShownStatement> =>
  new Set([...series.values()].flatMap((own) => own.slice(1)));

/** Names two days, the month and the year only once: 4 to 8 Apr 2021. */
export function daysFrom(first: string, last: string): string {
  const to = readableDay(last);
  if (first === last) return to;
  const shared = first.slice(0, 7) === last.slice(0, 7) ? 1 : first.slice(0, 4) === last.slice(0, 4) ? 2 : 3;
  return `${readableDay(first).split(' ').slice(0, shared).join(' ')} to ${to}`;
}

/** Says when a series was. */
export function timesOf(run: readonly ShownStatement[]): string {
  const [latest, first] = [run[0], run.at(-1)];
  if (!latest || !first) return '';
  const days = daysFrom(firstDay(first), firstDay(latest));
  if (!begins(latest.model)) {
    const isEachDay =
      run.length >= SERIES && run.slice(1).every((each, at) => isNextDay(each, run[at] ?? each));
    return isEachDay ? `each day from ${days}` : `${run.length} entries, ${days}`;
  }
  const ending = endOf(latest);
  const isOne = latest.until === undefined || run.every(({ until }) => until === latest.until);
  return [`${run.length} entries, started ${days}`, isOne || ending === '' ? ending : `the latest ${ending}`]
    .filter((part) => part !== '')
    .join(', ');
}
