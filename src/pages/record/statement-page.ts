import { beginningOf } from '../shown/timeline.js';
import { resultsOf } from '../shown/results.js';
import type { ShownProperty, ShownStatement, ShownValue } from '../shown/shown-statement.js';
import { isDuring, isOfDays } from '../shown/stays.js';
import { html, type Html } from '../../http/html/html.js';
import { doneNotice, type Page, type PageContext } from '../../http/html/layout.js';
import { sp } from '../../rdf/vocabulary.js';
import { recordPage, recordPaths, type RecordFrame } from './frame.js';
import { linesByKind } from './history-by-day.js';
import { alike, seriesOf, type Series } from './series.js';
import { trendPath } from './results-table.js';
import { doubtMark, flagMark, NONE_SHOWN, period, type PathOf } from './statement-list.js';

export interface ShownFile {
  readonly path: string;
  readonly name: string;
  readonly isImage: boolean;
  /** What it says, if it is a plain text. */
  readonly text?: string | undefined;
}

export interface StatementDetail {
  readonly frame: RecordFrame;
  readonly strip: Html;
  /** What the reader just did. */
  readonly done?: string | undefined;
  readonly statement: ShownStatement;
  readonly kindPath?: string | undefined;
  readonly kindName: string;
  readonly properties: readonly ShownProperty[];
  /** Who wrote it, in words, by the proof of their request. */
  readonly writer: string;
  /** Statements that belong to it: those that link to it, and those that it links to. */
  readonly related: readonly ShownStatement[];
  /** For a visit, what is of the same days. */
  readonly sameDays: readonly ShownStatement[];
  /** What ended in these days, and had begun before. */
  readonly ended: readonly ShownStatement[];
  /** How many more there are. */
  readonly left: number;
  /** Whether some of the record is closed to the reader. */
  readonly isPartClosed: boolean;
  readonly trendsPath: string;
  readonly file?: ShownFile | undefined;
  readonly source: string;
  readonly pathOf: PathOf;
}

export function statementPage(around: PageContext, detail: StatementDetail): Page {
  const { frame, strip, statement, kindPath, kindName, properties, file, source, pathOf } = detail;
  const { writer, trendsPath, ended, left, isPartClosed } = detail;
  const own = properties.filter(({ values }) => !isTitle(values, statement.title));
  const linked = linksOf(properties);
  const { title } = statement;
  const shown: Shown = { title, pathOf, known: new Map(detail.related.map((each) => [each.iri, each])) };
  const isVisit = statement.model.shown.as === 'visit';
  const during = isVisit ? detail.sameDays.filter((each) => isDuring(each, statement)) : [];
  const sameDays = detail.sameDays.filter((each) => !during.includes(each));
  const related = [...detail.related.filter(({ iri }) => !linked.has(iri)), ...during];
  const isStay = isOfDays(statement);
  const day = isVisit && !isStay ? statement.date?.slice(0, 10) : undefined;
  const heading = isVisit ? `During this ${isStay ? 'stay' : 'visit'}` : 'Related';
  const isNamed = kindPath === undefined && statement.kind !== title;
  const seriesIn = (all: readonly ShownStatement[]): Series =>
    seriesOf(isStay && isVisit ? alike(latestFirst(all)) : []);
  const said = isVisit ? statement.summary() : [];
  const drawn = resultsOf(statement).filter(({ isDrawn }) => isDrawn);
  const content = html`${doneNotice(detail.done)} ${strip}
    <section class="sheet">
      ${kindPath !== undefined && html`<p class="small"><a href="${kindPath}">${kindName}</a></p>`}
      <h1>${statement.title}</h1>
      <p class="quiet">
        ${[isNamed ? statement.kind : '', period(statement)].filter((part) => part !== '').join(' · ')}
        ${statement.isOver && html`<span class="tag">Past</span>`} ${doubtMark(statement)}
        ${flagMark(statement.flag)}
      </p>
      ${statement.doubt && html`<p class="quiet">${statement.doubt.reason}.</p>`}
      ${writer !== '' && html`<p><strong>${writer}</strong></p>`} ${file && shownFile(file)}
      ${
        statement.model.iri === sp.ClinicalNote &&
        writer !== '' &&
        frame.writesNotes &&
        html`<p class="quiet small noprint">
          A note cannot be changed. If something in it is wrong,
          <a href="${recordPaths(around.basePath, frame.holder.record).note}">write another one</a> that says
          so.
        </p>`
      }
      ${isVisit ? said.length > 0 && html`<p>${said.join(', ')}</p>` : propertyList(own, shown)}
      ${
        drawn.length > 0 &&
        html`<p class="small noprint">
          Trend and earlier values:
          ${drawn.map(({ test }, at) => html`${at > 0 && ' · '}<a href="${trendPath(trendsPath, test)}">${test}</a>`)}
        </p>`
      }
    </section>
    ${
      (related.length > 0 || (isVisit && sameDays.length + ended.length === 0)) &&
      relatedSheet(heading, related, pathOf, day, {
        series: seriesIn(related),
        none: isPartClosed ? NONE_SHOWN : 'Nothing.',
      })
    }
    ${sameDays.length + ended.length > 0 && relatedSheet(isStay ? 'In the days of this stay' : 'On the same day', sameDays, pathOf, day, { series: seriesIn(sameDays), ended })}
    ${left > 0 && html`<p class="notice">${left} more entries of these days are not listed here.</p>`}
    ${
      isVisit &&
      own.some(isShown) &&
      html`<section class="sheet" aria-labelledby="about">
        <h2 id="about">About this ${isStay ? 'stay' : 'visit'}</h2>
        ${propertyList(own, shown)}
      </section>`
    }
    <section class="sheet noprint">
      <details>
        <summary>Source data</summary>
        ${propertyList(sourceOf(properties), shown)}
        <p class="quiet small">
          What apps get, in RDF (Turtle). Its address is <code>${statement.iri}</code>.
        </p>
        <pre tabindex="0" aria-label="Turtle"><code>${source}</code></pre>
      </details>
    </section>`;
  return recordPage(around, frame, { tab: 'other', title: statement.title, content });
}

const latestFirst = (all: readonly ShownStatement[]): ShownStatement[] =>
  all.toSorted((a, b) => beginningOf(b).localeCompare(beginningOf(a)));

function relatedSheet(
  title: string,
  related: readonly ShownStatement[],
  pathOf: PathOf,
  day?: string,
  besides: {
    readonly series?: Series;
    readonly ended?: readonly ShownStatement[];
    readonly none?: string;
  } = {},
): Html {
  const id = title.toLowerCase().replaceAll(' ', '-');
  return html`<section class="sheet" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${related.length === 0 && !besides.ended?.length && html`<p class="quiet">${besides.none}</p>`}
    ${linesByKind(related, pathOf, day, besides)}
  </section>`;
}

/** Returns what the values of properties link to. */
export function linksOf(properties: readonly ShownProperty[]): ReadonlySet<string> {
  const values = properties.flatMap((property) => property.values);
  return new Set(
    values.flatMap(({ link, parts = [] }) => [...(link === undefined ? [] : [link]), ...linksOf(parts)]),
  );
}

/** Returns what is for machines: codes with their systems, and properties that are nothing else. */
function sourceOf(properties: readonly ShownProperty[]): ShownProperty[] {
  return properties.flatMap(({ label, values, isSource }) => {
    if (isSource) return [{ label, values, isSource: false }];
    const codes = values.flatMap(({ text, code }) => (code === undefined ? [] : [{ text, note: code }]));
    return [
      ...(codes.length > 0 ? [{ label, values: codes, isSource: false }] : []),
      ...values.flatMap(({ parts = [] }) => sourceOf(parts)),
    ];
  });
}

function shownFile({ path, name, isImage, text }: ShownFile): Html {
  return html`<div class="file">
    ${text !== undefined && html`<div class="text">${cutText(text.trim())}</div>`}
    ${isImage && html`<a href="${path}"><img src="${path}" alt="${name}" /></a>`}
    <p>
      <a class="button" href="${path}">${isImage ? 'Open the picture' : 'Open the file'}</a>
      <span class="quiet small">${name}</span>
    </p>
  </div>`;
}

interface Shown {
  /** What the page is about: a link to something of the same name shows its day. */
  readonly title: string;
  readonly pathOf: PathOf;
  /** Linked statements that were read. */
  readonly known: ReadonlyMap<string, ShownStatement>;
}

/** Whether values only repeat the title of the page. */
function isTitle([value, another]: readonly ShownValue[], title: string): boolean {
  return (
    another === undefined && value?.text === title && value.link === undefined && !value.parts?.some(isShown)
  );
}

/** Whether a property is for people, and has something to show. */
function isShown({ isSource, values }: ShownProperty): boolean {
  return !isSource && values.some(({ text, parts = [] }) => text !== '' || parts.some(isShown));
}

/** Lists properties that are for people, linked statements the latest first. */
function propertyList(properties: readonly ShownProperty[], shown: Shown): Html | false {
  const own = properties.filter(isShown);
  const dateOf = ({ link = '' }: ShownValue): string => shown.known.get(link)?.date ?? '';
  const latestFirst = (a: ShownValue, b: ShownValue): number =>
    dateOf(a) < dateOf(b) ? 1 : dateOf(a) > dateOf(b) ? -1 : 0;
  return (
    own.length > 0 &&
    html`<dl>
      ${own.map(
        ({ label, values }) =>
          html`<div>
            <dt>${label}</dt>
            ${values.toSorted(latestFirst).map((value) => html`<dd>${shownValue(value, shown)}</dd>`)}
          </div>`,
      )}
    </dl>`
  );
}

/** Longer texts are cut here, but not in the file and the data. */
const MAX_SHOWN_LENGTH = 20_000;

const cutText = (text: string): string =>
  text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}… (cut here)` : text;

function shownValue({ text, note, link, parts }: ShownValue, shown: Shown): Html {
  const path = link === undefined ? undefined : shown.pathOf(link);
  const known = shown.known.get(link ?? '');
  // What a folded thing is called is what it is of: here its day tells more.
  const isOfThis = known?.title === shown.title && known.model.shown.as === 'folded';
  const long = isOfThis ? period(known) : (known?.title ?? text);
  const says = known && (isOfThis || known.quantities.length > 0) ? known.summary() : [];
  const besides = [...(isOfThis || note === undefined ? [] : [note]), ...says].join(' · ');
  const cut = cutText(long);
  const words = cut.includes('\n') || cut.length > 200 ? html`<div class="text">${cut}</div>` : cut;
  const picture =
    known?.isPicture && html`<img class="thumb" src="${path}?format=raw" alt="" loading="lazy" /> `;
  return html`${path === undefined ? words : html`<a href="${path}">${picture}${words}</a>`}
  ${besides !== '' && html` <span class="quiet small">${besides}</span>`} ${flagMark(known?.flag)}
  ${parts && propertyList(parts, shown)}`;
}
