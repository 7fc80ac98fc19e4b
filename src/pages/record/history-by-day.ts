import { html, type Html } from '../../http/html/html.js';
import { readableDay } from '../../http/html/readable.js';
import { sp } from '../../rdf/vocabulary.js';
import { groupedBy } from '../../rdf/by-key.js';
import { weightOf } from '../shown/flag.js';
import { folded } from '../shown/folded.js';
import { begins } from '../shown/statement-kinds.js';
import type { ShownStatement } from '../shown/shown-statement.js';
import { endOf, flagMark, isOfDays, namedFor, period, type PathOf } from './statement-list.js';

/** Statements of a kind and day that are shown at once. */
const MOST = 4;

/** The place of what is measured, such as a blood pressure among vital signs. */
const placeOf = ({ quantities }: ShownStatement): number =>
  Math.min(Number.MAX_VALUE, ...quantities.map(({ order }) => order));

const dayIn = ({ date = '' }: ShownStatement): string => date.slice(0, 10);

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

/** Draws a history by day: what was done stands below the visit or stay of the day, each kind on a line. @param earlierStays that began before the statements */
export function historyByDay(
  statements: readonly ShownStatement[],
  pathOf: PathOf,
  earlierStays: readonly ShownStatement[] = [],
): Html[] {
  const stays = [...statements.filter((each) => isVisit(each)), ...earlierStays].filter(isOfDays);
  const series = eachDay(statements);
  const repeated = new Set([...series.values()].flatMap((own) => own.slice(1)));
  const shown = statements.filter((each) => !repeated.has(each));
  const days = groupedBy(shown, (each) => {
    const day = dayIn(each);
    const stay = stays.find((own) => dayIn(own) <= day && day <= (own.until ?? '').slice(0, 10));
    return isVisit(each) || !stay ? day : dayIn(stay);
  });
  return Array.from(days, ([day, own]) => {
    const going = earlierStays.filter((stay) => dayIn(stay) === day);
    return dayOf(day, [...going, ...own], pathOf, series);
  });
}

function dayOf(day: string, statements: readonly ShownStatement[], pathOf: PathOf, series: Series): Html {
  const visits = statements.filter(isVisit);
  const others = statements.filter((each) => !visits.includes(each));
  return html`<h3>
      ${readableDay(day)}${visits.map((visit) => html` · ${visitLink(visit, pathOf)}`)}
      ${visits.map(({ summary }) => html`<span class="kind">${summary().join(', ')}</span>`)}
    </h3>
    ${linesByKind(others, pathOf, day, series)}`;
}

/**
 * Lists statements, a line for each kind: the first few of them, and the others folded.
 * @param day the day above, if there is one; what is of another day has its own date, and without one none is folded
 */
export function linesByKind(
  statements: readonly ShownStatement[],
  pathOf: PathOf,
  day?: string,
  series: Series = new Map(),
): Html | false {
  if (statements.length === 0) return false;
  return html`<ul class="facts days">
    ${[...groupedBy(statements, ({ kind }) => kind).values()].map((own) => {
      const sorted = own
        .toSorted((a, b) => placeOf(a) - placeOf(b))
        .sort((a, b) => weightOf(a) - weightOf(b));
      // What must be noticed is never folded.
      const noticed = sorted.filter(({ flag }) => flag).length;
      const [shown, rest] = folded(sorted, day === undefined ? own.length : Math.max(MOST, noticed));
      const started = own.every((each) => begins(each.model) && dayIn(each) === day);
      const isDated = (each: ShownStatement): boolean =>
        dayIn(each) !== day || (begins(each.model) && !started);
      const timeOf = (each: ShownStatement): string => {
        const first = series.get(each)?.at(-1);
        if (first) return `each day from ${readableDay(dayIn(first))} to ${readableDay(dayIn(each))}`;
        return isDated(each) ? period(each) : endOf(each);
      };
      return html`<li>
        <span class="kind">${started && own[0] ? `${own[0].model.plural} started` : kindOf(own)}</span>
        ${shown.map((each) => short(each, pathOf, timeOf(each)))}
        ${
          rest.length > 0 &&
          html`<details class="rest">
            <summary>${rest.length} more</summary>
            ${rest.map((each) => short(each, pathOf, timeOf(each)))}
          </details>`
        }
      </li>`;
    })}
  </ul>`;
}

/** Names the kind of some statements: in the plural where there are several. */
function kindOf([first, second]: readonly ShownStatement[]): string {
  return first && second && first.model.heading === undefined ? first.model.plural : (first?.kind ?? '');
}

function short(statement: ShownStatement, pathOf: PathOf, time: string): Html {
  const { iri, flag } = statement;
  const path = pathOf(iri);
  const [name, others] = namedFor(statement);
  const rest = [...(time === '' ? [] : [time]), ...others];
  return html`<span class="fact"
    >${path === undefined ? name : html`<a href="${path}">${name}</a>`}
    ${rest.length > 0 && html`<span class="small">${rest.join(' · ')}</span>`} ${flagMark(flag)}</span
  > `;
}

function visitLink(visit: ShownStatement, pathOf: PathOf): Html {
  const { iri, title, until = '' } = visit;
  const path = pathOf(iri);
  return html`${path === undefined ? title : html`<a href="${path}">${title}</a>`}${isOfDays(visit) && ` until ${readableDay(until)}`}`;
}
