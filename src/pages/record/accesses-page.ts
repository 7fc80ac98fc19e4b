import { readableDay } from '../../http/html/readable.js';
import { html, type Content } from '../../http/html/html.js';
import type { Page, PageContext } from '../../http/html/layout.js';
import { rowsTable } from '../../http/html/rows-table.js';
import { recordPage, recordPaths, type RecordFrame } from './frame.js';

export interface ShownAccess {
  readonly time: string;
  readonly who: string;
  readonly what: string;
  readonly why: string;
  readonly wasRefused: boolean;
  /** How many requests of the day these are, the latest at `time`. */
  readonly times: number;
}

export interface Accesses {
  readonly frame: RecordFrame;
  readonly accesses: readonly ShownAccess[];
  /** The time before which these are; undefined for the latest. */
  readonly before: string | undefined;
  /** The time before which there are more. */
  readonly earlier: string | undefined;
  /** Whether more requests were refused than were counted. */
  readonly isCut: boolean;
}

export function accessesPage(
  around: PageContext,
  { frame, accesses, before, earlier, isCut }: Accesses,
): Page {
  const path = recordPaths(around.basePath, frame.holder.record).accesses;
  const content = html`<section class="sheet">
    <h1>Who looked at this record</h1>
    <p class="quiet">
      Everybody who saw something of this record, changed it, or tried to, the latest first. Times are in UTC.
      Requests that were refused are gathered by day.
      <a class="noprint" href="${path}?format=csv${before !== undefined && `&before=${before}`}" download
        >Download as a table (CSV)</a
      >
    </p>
    ${isCut && html`<p role="status">More requests were refused than are counted here.</p>`}
    ${accesses.length === 0 && html`<p role="status">Nobody${before === undefined ? ' yet' : ' earlier'}.</p>`}
    ${accesses.length > 0 && rowsTable('Accesses', ['When', 'Who', 'What'], accesses.map(cellsOf), 'stacked')}
    ${
      (earlier !== undefined || before !== undefined) &&
      html`<nav class="actions" aria-label="Accesses">
        ${earlier !== undefined && html`<a href="${path}?before=${earlier}" rel="next">Earlier</a>`}
        ${before !== undefined && html`<a href="${path}">Latest</a>`}
      </nav>`
    }
  </section>`;
  return recordPage(around, frame, { tab: 'accesses', title: 'Who looked', content });
}

const cellsOf = ({ time, who, what, why, wasRefused, times }: ShownAccess): Content[] => [
  html`<time datetime="${time}">${readableDay(time)}, ${time.slice(11, 16)}</time>`,
  who,
  [
    what,
    wasRefused && html` <span class="outside">refused</span>`,
    times > 1 && html` <span class="quiet small">${times} times</span>`,
    why !== '' && html` <span class="quiet small">Why: ${why}</span>`,
  ],
];
