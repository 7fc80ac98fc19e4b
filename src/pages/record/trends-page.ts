import {
  longAgo,
  readableAge,
  readableDate,
  readableDay,
  readableQuantity,
  readableUnit,
  severalReadings,
  uncapital,
} from '../../http/html/readable.js';
import { lastDate, lastFlag, lastPoints, type Trend } from '../shown/trends.js';
import { chartSample } from '../../http/html/chart-parts.js';
import { html, type Content, type Html } from '../../http/html/html.js';
import { describedBy, problemNotice } from '../../http/html/layout.js';
import type { Stepwise } from '../../store/steps.js';
import { flagMark, NONE_SHOWN, type PathOf } from './statement-list.js';
import { trendPath } from './results-table.js';
import { hasOwnTime, spanInWords, trendSvg } from './trend-svg.js';

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
  /** Whether some of the record is closed to the reader. */
  readonly isPartClosed: boolean;
  /** The day from which the time to choose counts back: of the latest measurement, at most today. */
  readonly until: string;
  /** Kinds with earlier statements than the latest, which were read. */
  readonly cut: readonly { readonly name: string; readonly read: number }[];
  /** Of what was asked for, all of any time. */
  readonly every: readonly Trend[];
  readonly birthday: string;
  /** ISO 8601. */
  readonly today: string;
  readonly pathOf: PathOf;
}

/** The page of trends: a chart for each measured thing, with its numbers in a table. */
export function* trendsContent(page: Trends): Stepwise<Html> {
  const { path, trends, every, of, most, from, to, problem, cut } = page;
  const hasSpecimens = of !== '' && every.some(({ title }) => title !== of);
  const inPeriod = from === '' && to === '' ? '' : ' in this period';
  const drawn = trends.filter(hasLine);
  const once = trends.filter((trend) => !hasLine(trend));
  const charts: Html[] = [];
  for (const trend of drawn.slice(0, most)) {
    yield;
    charts.push(chart(trend, hasSpecimens ? drawn : [trend], page));
  }
  return html`<h1>${of === '' ? 'Trends' : of}</h1>
    ${of !== '' && html`<p class="small noprint"><a href="${path}">All trends</a></p>`} ${rangeForm(page)}
    ${cut.map(({ name, read }) => html`<p class="notice">Only the latest ${read} ${uncapital(name)} are drawn. Choose dates to see earlier ones.</p>`)}
    ${trends.length === 0 && problem === undefined && html`<p role="status">${page.isPartClosed ? NONE_SHOWN : `No measurements${inPeriod}.`}</p>`}
    ${hasSpecimens && specimens(every, page)}
    <div class="charts${charts.length === 1 && ' one'}">${charts}</div>
    ${
      drawn.length > most &&
      html`<p><a href="${path}?${query({ of, from, to, all: '1' })}">Show all ${drawn.length} charts</a></p>`
    }
    ${once.length > 0 && latestTable('once', `Measured once${inPeriod}`, once, page)}`;
}

const hasLine = ({ lines }: Trend): boolean => lines.some(({ points }) => points.length > 1);

const DIFFERENT =
  'Results from different specimens are not of the same test, and each has a chart of its own. Charts in the same unit share a scale.';

/** Lists what one substance was in each specimen, whatever time is chosen: an earlier baseline may be in another. */
const specimens = (every: readonly Trend[], page: Trends): Html =>
  latestTable('specimens', 'In each specimen', every, page, DIFFERENT);

/** Lists the latest of each trend; a point alone makes no line. */
function latestTable(id: string, heading: string, every: readonly Trend[], page: Trends, note = ''): Html {
  const { of, path, trends, today, pathOf } = page;
  const row = (trend: Trend): Html => {
    const { title, lines, normal } = trend;
    const single = hasLine(trend) ? undefined : pathOf(lines[0]?.points[0]?.iri ?? '');
    const target = note !== '' && title !== of ? trendPath(path, title) : single;
    const age = longAgo(lastDate(trend), today);
    const spans = lines
      .filter(({ points }) => points.length > 1)
      .map(({ label, points }) => `${lines.length > 1 ? `${label}: ` : ''}${spanInWords(points)}`);
    if (normal) spans.push(`normal ${normal.text}`);
    return html`<tr>
      <th scope="row">${target === undefined ? title : html`<a href="${target}">${title}</a>`}</th>
      <td>${latestOf(trend)} ${flagMark(lastFlag(trend))}</td>
      <td>
        ${readableDay(lastDate(trend))} ${age !== '' && html`<span class="tag">${age}</span>`}
        ${!trends.some((each) => each.title === title) && html`<span class="tag">not in this period</span>`}
        ${spans.length > 0 && html`<br /><span class="quiet small">${spans.join('; ')}</span>`}
      </td>
    </tr>`;
  };
  return html`<section class="sheet" aria-labelledby="${id}">
    <h2 id="${id}">${heading}</h2>
    ${note !== '' && html`<p>${note}</p>`}
    <div class="scroll" tabindex="0" role="group" aria-labelledby="${id}">
      <table>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">${note === '' ? 'Value' : 'Latest'}</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          ${every.map(row)}
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
  return different.join(' and ') + (different.length > 1 ? ` ${severalReadings(different.length)}` : '');
}

const query = (values: Readonly<Record<string, string>>): string =>
  new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')).toString();

/** Times to choose, in months. */
const MONTHS = [120, 60, 24, 12, 3, 1];

/** The day some months before another; of years the first of the month. @param day ISO 8601 */
function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  // Every month has 28 days.
  const first = Date.UTC(year, month - 1 - months, months < 12 ? Math.min(date, 28) : 1);
  return new Date(first).toISOString().slice(0, 10);
}

/** The times to choose with the days on which they begin: shorter than what there is, and less than a year where a line is in it. */
function timesToChoose({ of, every, from, to, until }: Trends): [string, string][] {
  const dates = every.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(({ date }) => date)));
  // Of all trends only those in the time that was chosen are known.
  const isWhole = of !== '' || (from === '' && to === '');
  return MONTHS.map((months): [number, string] => [months, monthsBefore(until, months)])
    .filter(([months, first]) => {
      if (first === from || !isWhole) return first === from || months >= 12;
      const within = dates.filter((date) => date >= first).length;
      return within < dates.length && (months >= 12 || (of !== '' && within > 2));
    })
    .map(([months, first]) => [inMonths(months), first]);
}

function inMonths(months: number): string {
  const [count, word] = months < 12 ? [months, 'month'] : [months / 12, 'year'];
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

function rangeForm(page: Trends): Html {
  const { path, of, from, to, until, today, problem } = page;
  const times = timesToChoose(page);
  const described = describedBy(problem);
  const field = (name: 'from' | 'to', label: string, value: string): Html =>
    html`<div class="field">
      <label for="${name}">${label}</label
      ><input type="date" id="${name}" name="${name}" value="${value}" aria-describedby="${described}" />
    </div>`;
  const choice = (text: string, first: string): Html =>
    html`<a
      href="${path}?${query({ of, from: first })}"
      ${first === from && to === '' && html` aria-current="true"`}
      >${text}</a
    >`;
  return html`<div class="noprint">
    ${problemNotice(problem)}
    <nav class="views small" aria-label="Time">
      ${choice('All', '')}
      ${until !== today && times.length > 0 && html`<span>Back from ${readableDay(until)}:</span>`}
      ${times.map(([text, first]) => choice(text, first))}
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

const OWN_TIME = 'Drawn over its own time, which is far shorter than that of the other specimens.';

/** @param beside what has the same time axis, and in the same unit the same scale */
function chart(trend: Trend, beside: readonly Trend[], { of, birthday, today, pathOf }: Trends): Html {
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
    ${trendSvg(trend, Number.isNaN(born) ? undefined : born, beside)}
    ${hasOwnTime(trend, beside) && html`<p class="quiet small">${OWN_TIME}</p>`}
    ${
      lines.length > 1 &&
      html`<p class="legend small">
        ${lines.map(({ label }, index) => html`<span class="sample">${chartSample('line', index)}${label}</span> `)}
      </p>`
    }
    <details${of !== '' && beside.length < 2 && html` open`}>
      <summary>All values</summary>
      ${table(trend, birthday, pathOf)}
    </details>
  </section>`;
}

/** The numbers of a chart, the latest first; values measured together share a row. */
function table({ title, unit, lines, againstAge }: Trend, birthday: string, pathOf: PathOf): Html {
  const rows = new Map<string, { date: string; time: number; iri: string; values: Map<string, Content> }>();
  for (const { label, points } of lines) {
    for (const { iri, date, time, text, exact, flag } of points) {
      const row = rows.get(iri) ?? { date, time, iri, values: new Map<string, Content>() };
      rows.set(iri, row);
      row.values.set(label, [exact ?? text, ' ', flagMark(flag)]);
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
