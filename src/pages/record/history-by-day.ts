import { html, type Html } from '../../http/html/html.js';
import { readableDay } from '../../http/html/readable.js';
import { groupedBy } from '../../rdf/by-key.js';
import type { ShownStatement } from '../shown/shown-statement.js';
import { flagMark, period, type PathOf } from './statement-list.js';

/** Statements of a kind and day that are shown at once. */
const MOST = 4;

/** Draws a history by day: what was done stands below the visit of the day, each kind on a line. */
export function historyByDay(statements: readonly ShownStatement[], pathOf: PathOf): Html[] {
  const days = groupedBy(statements, ({ date }) => date?.slice(0, 10) ?? '');
  return Array.from(days, ([day, own]) => dayOf(day, own, pathOf));
}

function dayOf(day: string, statements: readonly ShownStatement[], pathOf: PathOf): Html {
  const visits = statements.filter(({ model }) => model.shown.as === 'visit');
  const others = statements.filter((each) => !visits.includes(each));
  return html`<h3>
      ${readableDay(day)}${visits.map((visit) => html` · ${visitLink(visit, pathOf)}`)}
      ${visits.map(({ summary }) => html`<span class="kind">${summary.join(', ')}</span>`)}
    </h3>
    ${linesByKind(others, pathOf)}`;
}

/**
 * Lists statements, a line for each kind: the first few of them, and the others folded.
 * @param isOfDay whether all are of the day above; otherwise each has its own, and none is folded
 */
export function linesByKind(
  statements: readonly ShownStatement[],
  pathOf: PathOf,
  isOfDay = true,
): Html | false {
  if (statements.length === 0) return false;
  // What must be noticed is never folded.
  const weight = ({ flag }: ShownStatement): number => (flag ? (flag.isCritical ? 0 : 1) : 2);
  return html`<ul class="facts days">
    ${[...groupedBy(statements, ({ kind }) => kind)].map(([kind, own]) => {
      const sorted = own.toSorted((a, b) => weight(a) - weight(b));
      const noticed = sorted.filter(({ flag }) => flag).length;
      const shown = isOfDay ? Math.max(MOST, noticed) : own.length;
      const rest = sorted.slice(shown);
      return html`<li>
        <span class="kind">${kind}</span>
        ${sorted.slice(0, shown).map((each) => short(each, pathOf, !isOfDay))}
        ${
          rest.length > 0 &&
          html`<details>
            <summary>${rest.length} more</summary>
            ${rest.map((each) => short(each, pathOf, false))}
          </details>`
        }
      </li>`;
    })}
  </ul>`;
}

function short(statement: ShownStatement, pathOf: PathOf, isDated: boolean): Html {
  const { iri, title, kind, summary, flag } = statement;
  const path = pathOf(iri);
  // Without a title of its own, a statement is told by what it says.
  const isNamed = title.toLowerCase() !== kind.toLowerCase();
  const [name, others] = isNamed ? [title, summary] : [summary[0] ?? title, summary.slice(1)];
  const rest = [...(isDated ? [period(statement)].filter((text) => text !== '') : []), ...others];
  return html`<span class="fact"
    >${path === undefined ? name : html`<a href="${path}">${name}</a>`}
    ${rest.length > 0 && html`<span class="small">${rest.join(' · ')}</span>`} ${flagMark(flag)}</span
  > `;
}

function visitLink({ iri, title }: ShownStatement, pathOf: PathOf): Html | string {
  const path = pathOf(iri);
  return path === undefined ? title : html`<a href="${path}">${title}</a>`;
}
