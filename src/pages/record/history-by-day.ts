import { html, type Html } from '../../http/html/html.js';
import { readableDate, readableDay, uncapital } from '../../http/html/readable.js';
import { sp } from '../../rdf/vocabulary.js';
import { groupedBy } from '../../rdf/by-key.js';
import { weightOf } from '../shown/flag.js';
import { folded } from '../shown/folded.js';
import { begins } from '../shown/statement-kinds.js';
import type { ShownStatement } from '../shown/shown-statement.js';
import { beginningOf } from '../shown/timeline.js';
import { inOrder } from '../shown/trends.js';
import { endOf, flagMark, isOfDays, namedFor, period, type PathOf } from './statement-list.js';

/** Statements of a kind and day that are shown at once. */
const MOST = 4;
/** The same of a page about one stay, or what belongs to a statement. */
const MOST_BY_TIME = 50;

/** The place among equals: of a test, or of what is measured, such as a blood pressure among vital signs. */
const placeOf = ({ model, place, quantities }: ShownStatement): number =>
  model.shown.title.length > 0 ? place : Math.min(Infinity, ...quantities.map(({ order }) => order));

const dayIn = ({ date = '' }: ShownStatement): string => date.slice(0, 10);
const lastDayIn = ({ until = '' }: ShownStatement): string => until.slice(0, 10);

const isVisit = ({ model }: ShownStatement): boolean => model.shown.as === 'visit';

/** The statements of the same on each of several days, by the latest of them, such as a treatment that goes on. */
type Series = ReadonlyMap<ShownStatement, readonly ShownStatement[]>;

/** So many days or more are a series. */
const SERIES = 3;
const DAY = 86_400_000;

/** Finds what was done on each of several days in a row, once a day and alike. Documents differ by what they hold. */
function eachDay(statements: readonly ShownStatement[]): Series {
  const series = new Map<ShownStatement, readonly ShownStatement[]>();
  const once = statements.filter(
    (each) =>
      dayIn(each).length === 10 &&
      !isVisit(each) &&
      !begins(each.model) &&
      !each.model.ancestors.includes(sp.Document) &&
      !each.flag,
  );
  const alike = groupedBy(once, (each) => JSON.stringify([each.kind, namedFor(each), endOf(each)]));
  for (const own of alike.values()) {
    const runs: ShownStatement[][] = [];
    for (const each of own) {
      const run = runs.at(-1);
      const last = run?.at(-1);
      if (last && Date.parse(dayIn(last)) - Date.parse(dayIn(each)) === DAY) run?.push(each);
      else runs.push([each]);
    }
    for (const run of runs) if (run[0] && run.length >= SERIES) series.set(run[0], run);
  }
  return series;
}

export interface HistoryByDay {
  /** The latest first. */
  readonly statements: readonly ShownStatement[];
  /** What ended in the time of the statements. */
  readonly ended?: readonly ShownStatement[];
  /** Stays that began before the statements. */
  readonly earlierStays?: readonly ShownStatement[];
}

/** Draws a history by day: what was done, and what ended, stands below the visit or stay of the day, each kind on a line. */
export function historyByDay(history: HistoryByDay, pathOf: PathOf): Html[] {
  const { statements, ended = [], earlierStays = [] } = history;
  const stays = [...statements.filter((each) => isVisit(each)), ...earlierStays].filter(isOfDays);
  const series = eachDay(statements);
  const repeated = new Set([...series.values()].flatMap((own) => own.slice(1)));
  const shown = statements.filter((each) => !repeated.has(each));
  const headOf = (day: string): string => {
    const stay = stays.find((own) => dayIn(own) <= day && day <= lastDayIn(own));
    return stay ? dayIn(stay) : day;
  };
  const begun = groupedBy(shown, (each) => (isVisit(each) ? dayIn(each) : headOf(dayIn(each))));
  // What began below the same heading says there when it ended.
  const endings = groupedBy(
    ended.filter((each) => !begun.get(headOf(lastDayIn(each)))?.includes(each)),
    (each) => headOf(lastDayIn(each)),
  );
  const days = [...new Set([...begun.keys(), ...endings.keys()])].sort((a, b) => b.localeCompare(a));
  return days.map((day) => {
    const going = earlierStays.filter((stay) => dayIn(stay) === day);
    return dayOf(day, [...going, ...(begun.get(day) ?? [])], pathOf, series, endings.get(day));
  });
}

function dayOf(
  day: string,
  statements: readonly ShownStatement[],
  pathOf: PathOf,
  series: Series,
  ended?: readonly ShownStatement[],
): Html {
  const visits = statements.filter(isVisit);
  const others = statements.filter((each) => !visits.includes(each));
  return html`<h3>
      ${readableDay(day)}${visits.map((visit) => html` · ${visitLink(visit, pathOf)}`)}
      ${visits.map(({ summary }) => html`<span class="kind">${summary().join(', ')}</span>`)}
    </h3>
    ${linesByKind(others, pathOf, day, series, ended)}`;
}

/**
 * Lists statements, a line for each kind: the first few of them, and the others folded; then those that ended.
 * @param day the day above, if there is one; what is of another day has its own date. Without one the latest come first, each with its time
 */
export function linesByKind(
  statements: readonly ShownStatement[],
  pathOf: PathOf,
  day?: string,
  series: Series = new Map(),
  ended: readonly ShownStatement[] = [],
): Html | false {
  if (statements.length + ended.length === 0) return false;
  const kinds = [...groupedBy(statements, ({ kind }) => kind).values()];
  const endings = [...groupedBy(ended, ({ kind }) => kind).values()];
  const most = day === undefined ? MOST_BY_TIME : MOST;
  return html`<ul class="facts days">
    ${kinds.map((own) => {
      const sorted = day === undefined ? byTime(own) : noticedFirst(own);
      const started = own.every((each) => begins(each.model) && dayIn(each) === day);
      const isDated = (each: ShownStatement): boolean =>
        dayIn(each) !== day || (begins(each.model) && !started);
      // What is measured together has its time above it.
      const hasTimes = day === undefined && isMeasured(own);
      const timeOf = (each: ShownStatement): string => {
        const first = series.get(each)?.at(-1);
        if (first) return `each day from ${readableDay(dayIn(first))} to ${readableDay(dayIn(each))}`;
        if (day === undefined) return hasTimes ? '' : momentOf(each);
        return isDated(each) ? period(each) : endOf(each);
      };
      const name = started && own[0] ? `${own[0].model.plural} started` : kindOf(own);
      const textsOf = (each: ShownStatement, says: readonly string[]) => [timeOf(each), ...says];
      return line(name, sorted, pathOf, { most, textsOf, hasTimes });
    })}
    ${endings.map((own) => line(`${own[0]?.model.plural ?? ''} ended`, own, pathOf, { most, textsOf: (each) => [period(each)] }))}
  </ul>`;
}

interface Line {
  /** So many are shown at once. */
  readonly most: number;
  /** What stands beside the name of each. @param says what it says besides that name */
  readonly textsOf: (statement: ShownStatement, says: readonly string[]) => readonly string[];
  /** Whether a time stands above those that have it. */
  readonly hasTimes?: boolean;
}

/** Lists some of a kind on a line, the others folded. */
function line(name: string, own: readonly ShownStatement[], pathOf: PathOf, how: Line): Html {
  const { most, textsOf, hasTimes = false } = how;
  // What must be noticed is never folded.
  const noticed = own.findLastIndex(({ flag }) => flag !== undefined) + 1;
  const [shown, rest] = folded(own, Math.max(most, noticed));
  const fact = (each: ShownStatement, at: number, all: readonly ShownStatement[]): Html => {
    const [title, says] = namedFor(each);
    const path = pathOf(each.iri);
    const texts = textsOf(each, says).filter((text) => text !== '');
    const before = all[at - 1];
    const isNext = hasTimes && (before === undefined || momentOf(before) !== momentOf(each));
    return html`${isNext && html`<div class="when quiet small">${momentOf(each)}</div>`}<span class="fact"
        >${path === undefined ? title : html`<a href="${path}">${title}</a>`}
        ${texts.length > 0 && html`<span class="small">${texts.join(' · ')}</span>`}
        ${flagMark(each.flag)}</span
      > `;
  };
  return html`<li>
    <span class="kind">${name}</span>
    ${shown.map(fact)}
    ${
      rest.length > 0 &&
      html`<details class="rest">
        <summary>${rest.length} more ${uncapital(kindOf(rest))}</summary>
        ${rest.map(fact)}
      </details>`
    }
  </li>`;
}

const isMeasured = (statements: readonly ShownStatement[]): boolean =>
  statements.some(({ quantities }) => quantities.length > 0);

/** Compares what is measured by its place, then by its title; all else keeps its order. */
function byPlace(statements: readonly ShownStatement[]) {
  const hasTitles = isMeasured(statements);
  return (a: ShownStatement, b: ShownStatement): number =>
    inOrder(placeOf(a), placeOf(b)) || (hasTitles ? a.title.localeCompare(b.title) : 0);
}

/** Sorts what must be noticed first, then the latest of each test before earlier ones, then by place. */
function noticedFirst(statements: readonly ShownStatement[]): ShownStatement[] {
  const seen = new Set<string>();
  const again = new Set(
    statements.filter(({ model, code, title, quantities }) => {
      const charts = quantities.map(({ chart }) => chart);
      const key = JSON.stringify([model.shown.title.length > 0 && (code ?? title), charts]);
      const isAgain = quantities.length > 0 && seen.has(key);
      seen.add(key);
      return isAgain;
    }),
  );
  return statements
    .toSorted(byPlace(statements))
    .sort((a, b) => weightOf(a) - weightOf(b) || Number(again.has(a)) - Number(again.has(b)));
}

/** Sorts the latest first, and of one moment what must be noticed. */
const byTime = (statements: readonly ShownStatement[]): ShownStatement[] =>
  statements
    .toSorted(byPlace(statements))
    .sort((a, b) => beginningOf(b).localeCompare(beginningOf(a)) || weightOf(a) - weightOf(b));

/** Says when something was, to the minute where that is recorded and it does not last. */
const momentOf = (each: ShownStatement): string =>
  each.date !== undefined && !isOfDays(each) && each.model.shown.group === 'history'
    ? readableDate(each.date)
    : period(each);

/** Names the kind of some statements: in the plural where there are several. */
function kindOf([first, second]: readonly ShownStatement[]): string {
  return first && second && first.model.heading === undefined ? first.model.plural : (first?.kind ?? '');
}

function visitLink(visit: ShownStatement, pathOf: PathOf): Html {
  const { iri, title, until = '' } = visit;
  const path = pathOf(iri);
  return html`${path === undefined ? title : html`<a href="${path}">${title}</a>`}${isOfDays(visit) && ` until ${readableDay(until)}`}`;
}
