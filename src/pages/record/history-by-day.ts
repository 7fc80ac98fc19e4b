import { html, type Html } from '../../http/html/html.js';
import { readableDay } from '../../http/html/readable.js';
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

/** Draws a history by day: what was done stands below the visit or stay of the day, each kind on a line. */
export function historyByDay(statements: readonly ShownStatement[], pathOf: PathOf): Html[] {
  const stays = statements.filter((each) => each.model.shown.as === 'visit' && isOfDays(each));
  const days = groupedBy(statements, (each) => {
    const day = dayIn(each);
    const stay = stays.find((own) => dayIn(own) <= day && day <= (own.until ?? '').slice(0, 10));
    return each.model.shown.as === 'visit' || !stay ? day : dayIn(stay);
  });
  return Array.from(days, ([day, own]) => dayOf(day, own, pathOf));
}

function dayOf(day: string, statements: readonly ShownStatement[], pathOf: PathOf): Html {
  const visits = statements.filter(({ model }) => model.shown.as === 'visit');
  const others = statements.filter((each) => !visits.includes(each));
  return html`<h3>
      ${readableDay(day)}${visits.map((visit) => html` · ${visitLink(visit, pathOf)}`)}
      ${visits.map(({ summary }) => html`<span class="kind">${summary().join(', ')}</span>`)}
    </h3>
    ${linesByKind(others, pathOf, day)}`;
}

/**
 * Lists statements, a line for each kind: the first few of them, and the others folded.
 * @param day the day above, if there is one; what is of another day has its own date, and without one none is folded
 */
export function linesByKind(
  statements: readonly ShownStatement[],
  pathOf: PathOf,
  day?: string,
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
      return html`<li>
        <span class="kind">${started && own[0] ? `${own[0].model.plural} started` : kindOf(own)}</span>
        ${shown.map((each) => short(each, pathOf, isDated(each)))}
        ${
          rest.length > 0 &&
          html`<details>
            <summary>${rest.length} more</summary>
            ${rest.map((each) => short(each, pathOf, isDated(each)))}
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

function short(statement: ShownStatement, pathOf: PathOf, isDated: boolean): Html {
  const { iri, flag } = statement;
  const path = pathOf(iri);
  const [name, others] = namedFor(statement);
  const time = isDated ? period(statement) : endOf(statement);
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
