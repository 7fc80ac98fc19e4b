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
}

export interface Accesses {
  readonly frame: RecordFrame;
  readonly accesses: readonly ShownAccess[];
  /** The number shown; undefined if these are all. */
  readonly more?: number | undefined;
}

export function accessesPage(around: PageContext, { frame, accesses, more }: Accesses): Page {
  const path = recordPaths(around.basePath, frame.holder.record).accesses;
  const content = html`<section class="sheet">
    <h1>Who looked at this record</h1>
    <p class="quiet">
      Everybody who saw something of this record, changed it, or tried to, the latest first. Times are in UTC.
      <a class="noprint" href="${path}?format=csv" download>Download as a table (CSV)</a>
    </p>
    ${accesses.length === 0 && html`<p role="status">Nobody yet.</p>`}
    ${accesses.length > 0 && rowsTable('Accesses', ['When', 'Who', 'What'], accesses.map(cellsOf), 'stacked')}
    ${more !== undefined && html`<p><a href="${path}?show=${more}">Show earlier ones</a></p>`}
  </section>`;
  return recordPage(around, frame, { tab: 'accesses', title: 'Who looked', content });
}

const cellsOf = ({ time, who, what, why, wasRefused }: ShownAccess): Content[] => [
  html`<time datetime="${time}">${readableDay(time)}, ${time.slice(11, 16)}</time>`,
  who,
  [
    what,
    wasRefused && html` <span class="outside">refused</span>`,
    why !== '' && html` <span class="quiet small">Why: ${why}</span>`,
  ],
];
