import { capital, readableDay } from '../../http/html/readable.js';
import type { Flag } from '../shown/flag.js';
import type { ShownStatement } from '../shown/shown-statement.js';
import { isOfDays } from '../shown/stays.js';
import { groupedBy } from '../../rdf/by-key.js';
import { html, type Html } from '../../http/html/html.js';

/** Returns the path of a statement's page; undefined if it has none. */
export type PathOf = (iri: string) => string | undefined;

export interface ListOptions {
  readonly pathOf: PathOf;
  readonly kinds?: boolean;
}

/** Stands for an empty list whose statements may be closed to the reader. */
export const NONE_SHOWN = 'None shown: parts of this record are closed to you.';

/** Lists statements in short, with links. */
export function statementList(statements: readonly ShownStatement[], options: ListOptions): Html {
  return html`<ul class="facts">
    ${statements.map((statement) => row(statement, options))}
  </ul>`;
}

/** Returns what a statement is called in lists, and the rest: without a title of its own, what it says first. */
export function namedFor({ title, kind, summary }: ShownStatement): readonly [string, readonly string[]] {
  const said = summary();
  const [first, ...others] = said;
  return title.toLowerCase() !== kind.toLowerCase() || first === undefined ? [title, said] : [first, others];
}

/** Parts statements by what heads them: a long history by years, what is current by what it is; what may be over, and what is social, come last. */
export function byHeading(statements: readonly ShownStatement[]): Map<string, readonly ShownStatement[]> {
  const [first] = statements;
  const own = ({ kind, isSocial, doubt, model, date }: ShownStatement): string => {
    if (model.shown.group === 'history' && statements.length > FEW) return (date ?? '').slice(0, 4);
    if (model.shown.group !== 'current') return '';
    return isSocial ? SOCIAL : (doubt?.reason ?? (kind === first?.kind ? '' : kind));
  };
  const place = ({ isSocial, doubt }: ShownStatement): number => (isSocial ? 2 : doubt ? 1 : 0);
  return groupedBy(
    statements.toSorted((a, b) => place(a) - place(b)),
    own,
  );
}

/** Up to so many need no headings of years. */
const FEW = 20;
const SOCIAL = 'Social and other findings';

function row(statement: ShownStatement, { pathOf, kinds = false }: ListOptions): Html {
  const { iri, kind, title, flag, isOver } = statement;
  const path = pathOf(iri);
  const [name, rest] = namedFor(statement);
  return html`<li class="${isOver && 'past'}">
    <span class="head">
      ${path === undefined ? html`<b>${name}</b>` : html`<a href="${path}">${name}</a>`}
      ${kinds && name === title && html`<span class="kind">${kind}</span>`}
    </span>
    ${(rest.length > 0 || flag) && html`<span class="small">${rest.join(' · ')} ${flagMark(flag)}</span>`}
    <span class="quiet small">${period(statement, isOver)} ${doubtMark(statement)}</span>
  </li>`;
}

/** Marks what a reader must notice: a result that is not normal, a severe allergy. */
export function flagMark(flag: Flag | undefined): Html | false {
  if (!flag) return false;
  const { letters, text, isCritical } = flag;
  return html`<span class="outside${isCritical && ' critical'}"
    >${letters !== '' && html`<b>${letters}</b> `}${text}</span
  >`;
}

/** Says how long ago something began that may be over. */
export function doubtMark({ doubt }: ShownStatement): Html | false {
  return doubt !== undefined && doubt.age !== '' && html`<span class="tag">${doubt.age}</span>`;
}

export const isVisit = ({ model }: ShownStatement): boolean => model.shown.as === 'visit';

/** Formats the time of a statement: a day, since when, or a period. @param isPast whether a heading says that it is over */
export function period(statement: ShownStatement, isPast = false): string {
  const { date, until, model, isOver, doubt } = statement;
  const lasts = model.shown.until.length > 0 && model.shown.group === 'current';
  const unsaid = isPast || until !== undefined ? '' : ' · end date not recorded';
  const ending = endingOf(statement);
  if (ending !== '')
    return date === undefined
      ? capital(ending) + unsaid
      : `Started ${readableDay(date)}, ${until === undefined ? 'later ' : ''}${ending}`;
  if (date === undefined) return until === undefined ? '' : `until ${readableDay(until)}`;
  if (until !== undefined && (lasts || isOfDays({ date, until })))
    return `${readableDay(date)} to ${readableDay(until)}`;
  if (!lasts) return readableDay(date);
  if (!isOver) return `${doubt ? 'Started' : 'since'} ${readableDay(date)}`;
  return `Started ${readableDay(date)}${unsaid}`;
}

/** Says how, and when, something ended whose status says that it is over: stopped 3 Mar 2020; '' for all else. */
function endingOf({ ending, until }: ShownStatement): string {
  if (ending === undefined) return '';
  if (until === undefined) return ending;
  // An adjective, such as inactive, says how it stands, not what happened on the day.
  return ending.endsWith('ed')
    ? `${ending} ${readableDay(until)}`
    : `ended ${readableDay(until)} (${ending})`;
}

/** Says when something ended that is listed by the day on which it began; '' while it lasts. */
export function endOf(statement: ShownStatement): string {
  const { isOver, until } = statement;
  if (!isOver) return '';
  const ending = endingOf(statement);
  if (ending !== '') return until === undefined ? `later ${ending}` : ending;
  return until === undefined ? '' : `until ${readableDay(until)}`;
}
