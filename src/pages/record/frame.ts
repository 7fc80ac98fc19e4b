import type { OpenedRecord } from '../../http/recorded-reads.js';
import type { RecordHolder } from '../../records/people.js';
import { holderFacts } from '../../http/html/holder.js';
import { readableDay, readableMinute } from '../../http/html/readable.js';
import { html, type Content, type Html } from '../../http/html/html.js';
import type { Page, PageContext } from '../../http/html/layout.js';

export interface RecordFrame {
  readonly holder: RecordHolder;
  readonly age: string;
  readonly photograph?: string | undefined;
  /** What the page tells the patient. */
  readonly emergencies?: readonly OpenEmergency[] | undefined;
  /** Whether the reader may open the record, or only see who used it. */
  readonly isOpen: boolean;
  /** Why the reader may open it, or see who used it; '' where nobody would ask. */
  readonly why: string;
  readonly closed: OpenedRecord['closed'];
  readonly seesAccesses: boolean;
  readonly writesNotes: boolean;
  /** Whether notes are closed to the reader, who can write none then. */
  readonly isWithoutNotes: boolean;
}

/** That somebody opened the record in an emergency, which goes on. */
export interface OpenEmergency {
  readonly who: string;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

export type RecordTab = 'record' | 'trends' | 'note' | 'accesses' | 'closed' | 'other';

export function recordPaths(basePath: string, record: string) {
  const account = `${basePath}/account`;
  return {
    record: `${account}/records/${record}`,
    trends: `${account}/trends/${record}`,
    note: `${account}/notes/${record}`,
    noteCheck: `${account}/notes/${record}/check`,
    accesses: `${account}/accesses/${record}`,
    closed: `${account}/closed/${record}`,
    export: `${account}/exports/${record}`,
  };
}

/** Returns the holder's name, or a replacement. */
export function nameOf({ name, record }: RecordHolder): string {
  return name || `Record ${record}`;
}

/** A page of a record: its holder, the tabs, and the content. */
export function recordPage(
  { basePath, reader }: PageContext,
  frame: RecordFrame,
  { tab, title, content }: { readonly tab: RecordTab; readonly title: string; readonly content: Content },
): Page {
  const { holder } = frame;
  const name = nameOf(holder);
  return {
    title: title === name ? name : `${title} – ${name}`,
    wide: true,
    content: html`${whose(frame, tab, name)}
    ${isOfOther(reader, holder) && html`<p class="small">You are looking at ${name}’s record.</p>`}
    ${tabs(basePath, frame, tab)} ${closedNotice(basePath, frame, tab)} ${emergencyNotices(basePath, frame)}
    ${content} ${frame.why !== '' && html`<p class="quiet small why noprint">${frame.why}</p>`}`,
  };
}

/** Why there is nothing to write a note with. */
export const NOTES_CLOSED = 'Notes are closed to you, so you cannot write one.';

/** Tells a clinician that they do not see everything, or that they do only now. */
function closedNotice(basePath: string, frame: RecordFrame, tab: RecordTab): Html | false {
  const { closed, holder, isWithoutNotes } = frame;
  const there = `${basePath}/account/emergency?number=${encodeURIComponent(holder.record)}`;
  return (
    closed !== undefined &&
    html`<p class="notice">
      ${
        typeof closed === 'object'
          ? `You opened this record in an emergency. Until ${readableMinute(closed.openUntil)}, you also see the parts that are closed to you.`
          : 'Parts of this record are closed to you.'
      }
      ${isWithoutNotes && tab === 'record' && NOTES_CLOSED}
      ${typeof closed !== 'object' && html`<a class="noprint" href="${there}">Open them in an emergency</a>`}
    </p>`
  );
}

/** Tells the patient who opened the record in an emergency. */
function emergencyNotices(basePath: string, { emergencies = [], holder }: RecordFrame): Html[] {
  const { accesses } = recordPaths(basePath, holder.record);
  return emergencies.map(
    ({ who, reason, until }) =>
      html`<p class="notice">
        ${who} opened this record in an emergency, with all parts that are closed, until
        ${readableMinute(until)}. Why: ${reason}. <a href="${accesses}">Who looked</a>
      </p>`,
  );
}

/** Whether a person reads a record of another name, such as that of a child. Clinicians do so all day. */
function isOfOther(reader: PageContext['reader'], { name }: RecordHolder): boolean {
  const words = name.split(' ');
  return (
    reader?.role === 'person' && name !== '' && !reader.name.split(' ').every((each) => words.includes(each))
  );
}

function whose({ holder, age, photograph }: RecordFrame, tab: RecordTab, name: string): Html {
  return html`<div class="whose">
    ${photograph !== undefined && html`<img src="${photograph}" alt="Photograph of ${name}" width="72" height="72" />`}
    <div>
      ${tab === 'record' ? html`<h1>${name}</h1>` : html`<p class="name">${name}</p>`}
      ${holder.died !== undefined && html`<p><strong>Died ${readableDay(holder.died)}${age && ` at ${age}`}</strong></p>`}
      <p class="quiet">
        ${holderFacts({ ...holder, died: undefined }, holder.died === undefined ? age : '')}
      </p>
    </div>
  </div>`;
}

function tabs(
  basePath: string,
  { holder, isOpen, seesAccesses, writesNotes }: RecordFrame,
  tab: RecordTab,
): Html {
  const paths = recordPaths(basePath, holder.record);
  const link = (name: RecordTab & keyof typeof paths, text: string): Html =>
    html`<a href="${paths[name]}" ${tab === name && html` aria-current="page"`}>${text}</a>`;
  return html`<nav class="views" aria-label="Record">
    ${isOpen && html`${link('record', 'Overview')} ${link('trends', 'Trends')}`}
    ${writesNotes && link('note', 'Write a note')}
    ${seesAccesses && html`${link('accesses', 'Who looked')} ${link('closed', 'Closed parts')}`}
  </nav>`;
}
