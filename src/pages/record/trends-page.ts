import {
  longAgo,
  readableAge,
  readableDate,
  readableDay,
  readableQuantity,
  readableUnit,
  uncapital,
} from '../../http/html/readable.js';
import { lastFlag, lastPoints, type Trend } from '../shown/trends.js';
import { chartSample } from '../../http/html/chart-parts.js';
import { html, type Content, type Html } from '../../http/html/html.js';
import { describedBy, problemNotice } from '../../http/html/layout.js';
import type { Stepwise } from '../../store/steps.js';
import { flagMark, type PathOf } from './statement-list.js';
import { shownValueOf, trendPath } from './results-table.js';
import type { Result } from '../shown/results.js';
import { trendSvg } from './trend-svg.js';

export interface Trends {
  readonly path: string;
  readonly trends: readonly Trend[];
  /** The title of those that were asked for; '' for all. */
  readonly of: string;
  /** The number of charts; things measured once are listed. */
  readonly most: number;
  readonly from: string;
  readonly to: string;
  readonly problem?: string | undefined;
  /** Time ranges to choose from, by their first day. */
  readonly ranges: readonly { readonly text: string; readonly from: string }[];
  /** Kinds with earlier statements than the latest, which were read. */
  readonly cut: readonly { readonly name: string; readonly read: number }[];
  /** The latest of the same substance in other specimens. */
  readonly also: readonly Result[];
  readonly birthday: string;
  /** ISO 8601. */
  readonly today: string;
  readonly pathOf: PathOf;
}

/** The page of trends: a chart for each measured thing, with its numbers in a table. */
export function* trendsContent(page: Trends): Stepwise<Html> {
  const { path, trends, of, most, from, to, problem, cut, also } = page;
  const drawn = trends.filter(hasLine);
  const once = trends.filter((trend) => !hasLine(trend));
  const charts: Html[] = [];
  for (const trend of drawn.slice(0, most)) {
    yield;
    charts.push(chart(trend, page));
  }
  return html`<h1>${of === '' ? 'Trends' : of}</h1>
    ${of !== '' && html`<p class="small noprint"><a href="${path}">All trends</a></p>`}
    ${also.length > 0 && html`<p class="small">Also measured as ${also.map((each, at) => html`${at > 0 && ', '}<a href="${trendPath(path, each.test)}">${each.test}</a> (latest ${shownValueOf(each)} ${each.unit}, ${readableDay(each.date)})`)}, not drawn here.</p>`}
    ${rangeForm(path, page)}
    ${cut.map(({ name, read }) => html`<p class="notice">Only the latest ${read} ${uncapital(name)} are drawn. Choose dates to see earlier ones.</p>`)}
    ${trends.length === 0 && problem === undefined && html`<p role="status">No measurements${(from !== '' || to !== '') && ' in this period'}.</p>`}
    <div class="charts">${charts}</div>
    ${
      drawn.length > most &&
      html`<p><a href="${path}?${query({ of, from, to, all: '1' })}">Show all ${drawn.length} charts</a></p>`
    }
    ${once.length > 0 && measuredOnce(once, page)}`;
}

const hasLine = ({ lines }: Trend): boolean => lines.some(({ points }) => points.length > 1);

/** Lists things measured once in a table, since a point makes no line. */
function measuredOnce(trends: readonly Trend[], { pathOf, today }: Trends): Html {
  return html`<section class="sheet" aria-labelledby="once">
    <h2 id="once">Measured once</h2>
    <div class="scroll" tabindex="0" role="group" aria-labelledby="once">
      <table>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Value</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          ${trends.map((trend) => {
            const path = pathOf(trend.lines[0]?.points[0]?.iri ?? '');
            const age = longAgo(lastDate(trend), today);
            return html`<tr>
              <th scope="row">
                ${path === undefined ? trend.title : html`<a href="${path}">${trend.title}</a>`}
              </th>
              <td>${latestOf(trend)} ${flagMark(lastFlag(trend))}</td>
              <td>${readableDay(lastDate(trend))} ${age !== '' && html`<span class="tag">${age}</span>`}</td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>
  </section>`;
}

function latestOf({ lines, unit }: Trend): string {
  const last = lines.map(({ points }) => lastPoints(points));
  const [{ length = 0 } = []] = last;
  const isEven = last.every((points) => points.length === length);
  const values = Array.from({ length: isEven ? length : 1 }, (_, at) =>
    readableQuantity(last.map((points) => points.at(-1 - at)?.text ?? '').join('/'), unit),
  );
  const different = [...new Set(values)].toReversed();
  return different.join(' and ') + (different.length > 1 ? ' at the same time' : '');
}

const query = (values: Readonly<Record<string, string>>): string =>
  new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')).toString();

function rangeForm(path: string, { of, ranges, from, to, problem }: Trends): Html {
  const described = describedBy(problem);
  const field = (name: 'from' | 'to', label: string, value: string): Html =>
    html`<div class="field">
      <label for="${name}">${label}</label
      ><input type="date" id="${name}" name="${name}" value="${value}" aria-describedby="${described}" />
    </div>`;
  return html`<div class="noprint">
    ${problemNotice(problem)}
    <nav class="views small" aria-label="Time">
      ${ranges.map(({ text, from: first }) => html`<a href="${path}?${query({ of, from: first })}" ${first === from && to === '' && html` aria-current="true"`}>${text}</a>`)}
    </nav>
    <details${(to !== '' || problem !== undefined) && html` open`}>
      <summary>Choose dates</summary>
      <form method="get" action="${path}" class="search">
        ${of !== '' && html`<input type="hidden" name="of" value="${of}" />`} ${field('from', 'From', from)} ${field('to', 'To', to)}
        <div class="field"><button>Show</button></div>
      </form>
    </details>
  </div>`;
}

function chart(trend: Trend, { of, birthday, today, pathOf }: Trends): Html {
  const { title, lines, normal, targets, unit } = trend;
  const age = longAgo(lastDate(trend), today);
  const born = Date.parse(birthday.slice(0, 10));
  return html`<section class="sheet trend" aria-label="${title}">
    <h2>${title}</h2>
    <p class="latest">
      <strong>${latestOf(trend)}</strong>
      ${flagMark(lastFlag(trend))}
      ${age !== '' && html`<span class="tag">${age}</span>`}
      <span class="quiet small">${readableDay(lastDate(trend))}${normal && `, normal ${normal.text}`}${targets.map(({ text }) => `, target ${readableQuantity(text, unit)}`)}</span>
    </p>
    ${trendSvg(trend, Number.isNaN(born) ? undefined : born)}
    ${
      lines.length > 1 &&
      html`<p class="legend small">
        ${lines.map(({ label }, index) => html`<span class="sample">${chartSample('line', index)}${label}</span> `)}
      </p>`
    }
    <details${of !== '' && html` open`}>
      <summary>All values</summary>
      ${table(trend, birthday, pathOf)}
    </details>
  </section>`;
}

function lastDate({ lines }: Trend): string {
  const dates = lines.flatMap(({ points }) => points.at(-1) ?? []).sort((a, b) => b.time - a.time);
  return dates[0]?.date ?? '';
}

/** The numbers of a chart, the latest first; values measured together share a row. */
function table({ title, unit, lines, againstAge }: Trend, birthday: string, pathOf: PathOf): Html {
  const rows = new Map<string, { date: string; time: number; iri: string; values: Map<string, Content> }>();
  for (const { label, points } of lines) {
    for (const { iri, date, time, text, flag } of points) {
      const row = rows.get(iri) ?? { date, time, iri, values: new Map<string, Content>() };
      rows.set(iri, row);
      row.values.set(label, [text, ' ', flagMark(flag)]);
    }
  }
  const shown = readableUnit(unit);
  const sorted = [...rows.values()].sort((a, b) => b.time - a.time);
  return html`<table>
    <caption>
      ${title}${shown !== '' && ` in ${shown}`}
    </caption>
    <thead>
      <tr>
        <th scope="col">Date</th>
        ${againstAge && html`<th scope="col">Age</th>`}${lines.map(({ label }) => html`<th scope="col">${lines.length > 1 ? label : 'Value'}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${sorted.map(({ date, iri, values }) => {
        const path = pathOf(iri);
        const day = readableDate(date);
        return html`<tr>
          <th scope="row">${path === undefined ? day : html`<a href="${path}">${day}</a>`}</th>
          ${againstAge && html`<td>${readableAge(birthday, date)}</td>`}
          ${lines.map(({ label }) => html`<td>${values.get(label) ?? ''}</td>`)}
        </tr>`;
      })}
    </tbody>
  </table>`;
}
