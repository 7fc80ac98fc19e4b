import { html, type Html } from '../../http/html/html.js';
import { readableDate, readableDay, uncapital } from '../../http/html/readable.js';
import { groupedBy } from '../../rdf/by-key.js';
import { folded } from '../shown/folded.js';
import { begins } from '../shown/statement-kinds.js';
import type { ShownStatement } from '../shown/shown-statement.js';
import { firstDay, isOfDays, lastDay, stayOf, type LeftOut } from '../shown/stays.js';
import { inOrder } from '../shown/trends.js';
import { againIn, byTime, isMeasured, noticedFirst } from './statement-order.js';
import { alike, daysFrom, eachDay, repeatedIn, seriesOf, timesOf, type Series } from './series.js';
import { endOf, flagMark, isVisit, namedFor, period, type PathOf } from './statement-list.js';

/** Statements of a kind and day that are shown at once. */
const MOST = 4;
/** The same of a stay, of what has names. */
const MOST_OF_STAY = 8;
/** The same of a page about one stay, or what belongs to a statement. */
const MOST_BY_TIME = 50;
/** The number of measurements up to which all are shown there, by time. */
const FEW_BY_TIME = 20;

export interface HistoryByDay {
  /** The latest first. */
  readonly statements: readonly ShownStatement[];
  /** What ended in the time of the statements. */
  readonly ended?: readonly ShownStatement[];
  /** Stays that began before the statements. */
  readonly earlierStays?: readonly ShownStatement[];
  /** The statements are before this day, if not the latest. */
  readonly limit?: string | undefined;
  /** What was in a stay besides the statements, by its IRI. */
  readonly left?: ReadonlyMap<string, readonly LeftOut[]>;
}

/**
 * Draws a history by day: what was done, and what ended, stands below the visit or stay of the day, each kind on a line.
 * A stay of several days has what is alike once; one of which only some days are shown says so.
 */
export function historyByDay(history: HistoryByDay, pathOf: PathOf): Html[] {
  const { statements, ended = [], earlierStays = [], limit, left = new Map() } = history;
  const stays = [...statements.filter((each) => isVisit(each)), ...earlierStays].filter(isOfDays);
  const isCut = (stay: ShownStatement): boolean =>
    earlierStays.includes(stay) || (limit !== undefined && lastDay(stay) >= limit);
  const inStays = groupedBy(
    statements.filter((each) => !isVisit(each)),
    (each) => stayOf(each, stays),
  );
  const runs = [...inStays].flatMap(([stay, own]) => (stay ? alike(own) : eachDay(own)));
  const series = seriesOf(runs);
  const repeated = repeatedIn(series);
  const shown = statements.filter((each) => !repeated.has(each));
  const headOf = (each: ShownStatement): string => firstDay(stayOf(each, stays) ?? each);
  const begun = groupedBy(shown, (each) => (isVisit(each) ? firstDay(each) : headOf(each)));
  // What began below the same heading says there when it ended.
  const endOfAll = ended.map((each) => ({ each, head: headOf({ ...each, date: each.until }) }));
  const endings = groupedBy(
    endOfAll.filter(({ each, head }) => !begun.get(head)?.includes(each)),
    ({ head }) => head,
  );
  const days = [...new Set([...begun.keys(), ...endings.keys()])].sort((a, b) => b.localeCompare(a));
  return days.map((day) => {
    const going = earlierStays.filter((stay) => firstDay(stay) === day);
    const all = [...going, ...(begun.get(day) ?? [])];
    const visits = all.filter(isVisit);
    const ofDays = visits.filter(isOfDays);
    const stay = ofDays.find(isCut) ?? ofDays[0];
    const isWhole = stay !== undefined && !isCut(stay);
    const others = all.filter((each) => !visits.includes(each));
    return html`<h3>
        ${readableDay(day)}${visits.map(
          (visit) =>
            html` · ${visitLink(visit, pathOf)} <span class="kind">${visit.summary().join(', ')}</span>`,
        )}
      </h3>
      ${stay && !isWhole && cutNote(stay, inStays.get(stay) ?? [], pathOf)}
      ${linesByKind(stay ? inOrderOfKinds(others) : others, pathOf, day, {
        series,
        ended: endings.get(day)?.map(({ each }) => each),
        left: visits.flatMap(({ iri }) => left.get(iri) ?? []),
        stay: isWhole ? stay : undefined,
      })}`;
  });
}

/** Says of which days of a stay something is listed, when not all of them are. */
function cutNote(stay: ShownStatement, own: readonly ShownStatement[], pathOf: PathOf): Html | false {
  const days = own.map(firstDay).sort();
  const [first = '', last = ''] = [days[0], days.at(-1)];
  if (first === '') return false;
  const path = pathOf(stay.iri);
  return html`<p class="small">
    <strong>Only ${daysFrom(first, last)} is listed here.</strong>
    ${path !== undefined && html`<a href="${path}">The whole stay</a>`}
  </p>`;
}

const inOrderOfKinds = (all: readonly ShownStatement[]): ShownStatement[] =>
  all.toSorted((a, b) => inOrder(a.model.shown.order, b.model.shown.order));

/** Lists visits, a line for each, with what its summary says first: the reason, if one is known. */
export function visitLines(visits: readonly ShownStatement[], pathOf: PathOf): Html {
  return html`<ul class="facts days">
    ${visits.map(
      (visit) =>
        html`<li>
          <span class="kind">${readableDay(visit.date ?? '')}</span>
          <div class="said">
            <span class="fact"
              >${visitLink(visit, pathOf)} <span class="small quiet">${visit.summary()[0] ?? ''}</span></span
            >
          </div>
        </li>`,
    )}
  </ul>`;
}

/** What lines say besides the statements. */
interface Besides {
  readonly series?: Series | undefined;
  readonly ended?: readonly ShownStatement[] | undefined;
  readonly left?: readonly LeftOut[] | undefined;
  /** The stay that has what is left out. */
  readonly stay?: ShownStatement | undefined;
}

/**
 * Lists statements, a line for each kind: the first few of them, and the others folded; then those that ended.
 * @param day the day above, if there is one; what is of another day has its own date. Without one the latest come first, each with its time
 */
export function linesByKind(
  statements: readonly ShownStatement[],
  pathOf: PathOf,
  day?: string,
  { series = new Map(), ended = [], left = [], stay }: Besides = {},
): Html | false {
  if (statements.length + ended.length === 0) return false;
  const repeated = repeatedIn(series);
  const kinds = [...groupedBy(statements, ({ kind }) => kind).values()];
  const endings = [...groupedBy(ended, ({ kind }) => kind).values()];
  const mostOf = (own: readonly ShownStatement[]): number => {
    if (day === undefined) return MOST_BY_TIME;
    if (!stay) return MOST;
    // Many measurements of a stay are better read on its page.
    return !isMeasured(own) ? MOST_OF_STAY : own.length > MOST ? 0 : MOST;
  };
  return html`<ul class="facts days">
    ${kinds.map((every) => {
      const own = every.filter((each) => !repeated.has(each));
      // Of many measurements of a stay, the earlier ones of each test are folded.
      const again = day === undefined && own.length > FEW_BY_TIME ? againIn(byTime(own)) : new Set();
      const first = own.filter((each) => !again.has(each) || each.flag);
      const sorted =
        day === undefined
          ? [...byTime(first), ...byTime(own.filter((each) => !first.includes(each)))]
          : noticedFirst(own);
      const started = own.every((each) => begins(each.model) && firstDay(each) === day);
      const isDated = (each: ShownStatement): boolean =>
        firstDay(each) !== day || (begins(each.model) && !started);
      // What is measured together has its time above it.
      const hasTimes = day === undefined && isMeasured(own);
      const timeOf = (each: ShownStatement): string => {
        const run = series.get(each);
        if (run) return timesOf(run);
        if (day === undefined) return hasTimes ? '' : momentOf(each);
        return isDated(each) ? period(each) : endOf(each);
      };
      const isStarted = started && !own.some((each) => series.has(each));
      const name = isStarted && own[0] ? `${own[0].model.plural} started` : kindOf(own);
      const textsOf = (each: ShownStatement, says: readonly string[]) => [timeOf(each), ...says];
      const counts = left.flatMap(({ model, count }) => (isOf(model.iri, own[0]) ? count : []));
      const count = counts.reduce((sum, each) => sum + each, 0);
      const others = day === undefined ? every.filter((each) => repeated.has(each)) : [];
      const most = Math.min(mostOf(own), first.length < own.length ? first.length : Infinity);
      return line(name, sorted, pathOf, { most, textsOf, hasTimes, others, count, stay });
    })}
    ${endings.map((own) => line(`${own[0]?.model.plural ?? ''} ended`, own, pathOf, { most: mostOf(own), textsOf: (each) => [period(each)] }))}
  </ul>`;
}

const isOf = (iri: string, each?: ShownStatement): boolean =>
  each !== undefined && (each.model.iri === iri || each.model.ancestors.includes(iri));

interface Line {
  /** The number that are shown at once. */
  readonly most: number;
  /** What stands beside the name of each. @param says what it says besides that name */
  readonly textsOf: (statement: ShownStatement, says: readonly string[]) => readonly string[];
  /** Whether a time stands above those that have it. */
  readonly hasTimes?: boolean;
  /** What is folded in any case. */
  readonly others?: readonly ShownStatement[];
  /** How many more there are on the page of the stay. */
  readonly count?: number;
  readonly stay?: ShownStatement | undefined;
}

/** Lists some of a kind on a line, the others folded. */
function line(name: string, own: readonly ShownStatement[], pathOf: PathOf, how: Line): Html {
  const { most, textsOf, hasTimes = false, others = [], count = 0, stay } = how;
  // What must be noticed is never folded.
  const noticed = own.findLastIndex(({ flag }) => flag !== undefined) + 1;
  const [shown, more] = folded(own, Math.max(most, noticed));
  const rest = [...more, ...others];
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
  const besides = shown.length > 0 ? 'more ' : '';
  const many = `${count + rest.length} ${besides}${uncapital(kindOf(own))}`;
  const all = pathOf(stay?.iri ?? '');
  return html`<li>
    <span class="kind">${name}</span>
    <div class="said">
      ${shown.map(fact)}
      ${
        count > 0 &&
        html`<span class="fact"
          >${all === undefined ? many : html`<a href="${all}">${many}</a>`} of this stay</span
        >`
      }
      ${
        count === 0 &&
        rest.length > 0 &&
        html`<details class="rest">
          <summary>
            ${more.length === 0 ? earlierOf(rest) : `${rest.length} ${besides}${uncapital(kindOf(rest))}`}
          </summary>
          ${rest.map(fact)}
        </details>`
      }
    </div>
  </li>`;
}

const earlierOf = ({ length }: readonly ShownStatement[]): string =>
  `${length} earlier ${length === 1 ? 'entry' : 'entries'} of these`;

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
