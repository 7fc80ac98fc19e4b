import { groupedBy } from '../../rdf/by-key.js';
import { readableDay } from '../../http/html/readable.js';
import { html, type Html } from '../../http/html/html.js';
import type { Page, PageContext } from '../../http/html/layout.js';
import { recordPage, recordPaths, type RecordFrame } from './frame.js';

export interface ShownAccess {
  readonly time: string;
  readonly who: string;
  /** The role of the person now; '' if there is none, or it is not the reader's to know. */
  readonly role: string;
  readonly isOwn: boolean;
  readonly what: string;
  readonly why: string;
  readonly wasRefused: boolean;
  /** How many requests of the day these are, the latest at `time`. */
  readonly times: number;
}

const labels = {
  all: 'Everything',
  others: 'Others, without your own views',
  changes: 'Changes',
  refused: 'Refused requests',
};

/** Which accesses the reader wants to see. */
export type Choice = keyof typeof labels;

export const isChoice = (text: string): text is Choice => Object.hasOwn(labels, text);

export interface Accesses {
  readonly frame: RecordFrame;
  readonly show: Choice;
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
  { frame, accesses, show, before, earlier, isCut }: Accesses,
): Page {
  const path = recordPaths(around.basePath, frame.holder.record).accesses;
  const shown = `${path}?show=${show}`;
  const nobody = `Nobody${show === 'all' ? '' : ' of this kind'}${before === undefined ? ' yet' : ' earlier'}.`;
  const content = html`<section class="sheet">
    <h1>Who looked at this record</h1>
    <p class="quiet">
      Everybody who saw something of this record, changed it, or tried to, newest first. Searches that only
      listed names are not shown. Times are in UTC.
      <a class="noprint" href="${shown}&format=csv${before !== undefined && `&before=${before}`}" download
        >Download as a table (CSV)</a
      >
    </p>
    <nav class="actions noprint" aria-label="Show">
      ${(Object.keys(labels) as Choice[]).map((choice) => html`<a href="${path}?show=${choice}" ${choice === show && html` aria-current="true"`}>${labels[choice]}</a>`)}
    </nav>
    ${isCut && html`<p role="status">More requests were refused than are counted here.</p>`}
    ${accesses.length === 0 && html`<p role="status">${nobody}</p>`}
    ${[...groupedBy(accesses, ({ time }) => time.slice(0, 10))].map(ofDay)}
    ${
      (earlier !== undefined || before !== undefined) &&
      html`<nav class="actions" aria-label="Accesses">
        ${earlier !== undefined && html`<a href="${shown}&before=${earlier}" rel="next">Earlier</a>`}
        ${before !== undefined && html`<a href="${shown}">Latest</a>`}
      </nav>`
    }
  </section>`;
  return recordPage(around, frame, { tab: 'accesses', title: 'Who looked', content });
}

const ofDay = ([day, accesses]: readonly [string, readonly ShownAccess[]]): Html =>
  html`<h2>${readableDay(day)}</h2>
    ${[...groupedBy(accesses, ({ who, role }) => JSON.stringify([who, role])).values()].map(ofPerson)}`;

const clock = ({ time }: ShownAccess): string => time.slice(11, 16);

/** What one person did on a day. Own views are folded. */
function ofPerson(accesses: readonly ShownAccess[]): Html | false {
  const [latest] = accesses;
  if (!latest) return false;
  const [from, to] = [clock(accesses.at(-1) ?? latest), clock(latest)];
  const acts = groupedBy(accesses, ({ what, why, wasRefused }) => JSON.stringify([what, why, wasRefused]));
  return html`<details ${!latest.isOwn && html` open`}>
    <summary>
      ${latest.who}${latest.isOwn && ' (you)'}
      <span class="quiet small"
        >${latest.role !== '' && `${latest.role} · `}${from === to ? to : `${from}–${to}`}</span
      >
    </summary>
    <ul>
      ${[...acts.values()].map(act)}
    </ul>
  </details>`;
}

function act(accesses: readonly ShownAccess[]): Html | false {
  const [latest] = accesses;
  if (!latest) return false;
  const { time, what, why, wasRefused } = latest;
  const times = accesses.reduce((sum, each) => sum + each.times, 0);
  return html`<li>
    <time datetime="${time}">${clock(latest)}</time> ${what}
    ${wasRefused && html`<span class="outside">refused</span>`}
    ${times > 1 && html`<span class="quiet small">${times} times</span>`}
    ${why !== '' && html`<span class="quiet small">Why: ${why}</span>`}
  </li>`;
}
