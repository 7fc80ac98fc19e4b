import { readableDay } from '../../records/shown/readable.js';
import { html } from '../html.js';
import type { Page, PageContext } from '../layout.js';
import { recordPage, recordPaths, type RecordFrame } from './frame.js';

/** An access in words. */
export interface ShownAccess {
  /** ISO 8601 in UTC. */
  readonly time: string;
  readonly who: string;
  readonly what: string;
  /** Why, where it was said. */
  readonly why: string;
  readonly wasRefused: boolean;
}

/** Who looked at a record. */
export interface Accesses {
  readonly frame: RecordFrame;
  readonly accesses: readonly ShownAccess[];
  /** How many are shown at most; undefined where there are no more. */
  readonly more?: number | undefined;
}

/** The page of who looked at a record, or changed it. */
export function accessesPage(around: PageContext, { frame, accesses, more }: Accesses): Page {
  const path = recordPaths(around.basePath, frame.holder.record).accesses;
  const content = html`<section class="sheet">
    <h1>Who looked at this record</h1>
    <p class="quiet">
      Everybody who saw something of this record, changed it, or tried to, the latest first. Times are in UTC.
      <a class="noprint" href="${path}?format=csv" download>Download as a table (CSV)</a>
    </p>
    ${accesses.length === 0 && html`<p role="status">Nobody yet.</p>`}
    ${
      accesses.length > 0 &&
      html`<div class="scroll" role="region" aria-label="Accesses" tabindex="0">
        <table class="stacked">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Who</th>
              <th scope="col">What</th>
            </tr>
          </thead>
          <tbody>
            ${accesses.map(
              ({ time, who, what, why, wasRefused }) =>
                html`<tr>
                  <td><time datetime="${time}">${readableDay(time)}, ${time.slice(11, 16)}</time></td>
                  <td>${who}</td>
                  <td>
                    ${what}${wasRefused && html` <span class="outside">refused</span>`}${why !== '' && html` <span class="quiet small">Why: ${why}</span>`}
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`
    }
    ${more !== undefined && html`<p><a href="${path}?show=${more}">Show earlier ones</a></p>`}
  </section>`;
  return recordPage(around, frame, { tab: 'accesses', title: 'Who looked', content });
}
