import type { RecordHolder } from '../../records/people.js';
import { holderFacts } from '../holder.js';
import { html, type Content, type Html } from '../html.js';
import type { Page, PageContext } from '../layout.js';

/** The record that a page is about, as its reader sees it. */
export interface RecordFrame {
  readonly holder: RecordHolder;
  /** How old its holder is, or was when they died, or ''. */
  readonly age: string;
  /** The path of its photograph, where it has one. */
  readonly photograph?: string | undefined;
  /** Whether the reader opens the record, or only sees who did. */
  readonly isOpen: boolean;
  /** Whether the reader sees who looked at it. */
  readonly seesAccesses: boolean;
  /** Whether the reader may write notes. */
  readonly writesNotes: boolean;
}

export type RecordTab = 'record' | 'trends' | 'note' | 'accesses' | 'other';

/** The paths of the pages of a record. */
export function recordPaths(basePath: string, record: string) {
  const account = `${basePath}/account`;
  return {
    record: `${account}/records/${record}`,
    trends: `${account}/trends/${record}`,
    note: `${account}/notes/${record}`,
    accesses: `${account}/accesses/${record}`,
    export: `${account}/exports/${record}`,
  };
}

/** What a page calls whose record it is. */
export function nameOf({ name, record }: RecordHolder): string {
  return name || `Record ${record}`;
}

/** A page of a record: whose it is, the ways to its other pages, and the content. */
export function recordPage(
  { basePath }: PageContext,
  frame: RecordFrame,
  { tab, title, content }: { readonly tab: RecordTab; readonly title: string; readonly content: Content },
): Page {
  const { holder } = frame;
  const name = nameOf(holder);
  return {
    title: title === name ? name : `${title} – ${name}`,
    wide: true,
    content: html`${whose(frame, tab, name)} ${tabs(basePath, frame, tab)} ${content}`,
  };
}

function whose({ holder, age, photograph }: RecordFrame, tab: RecordTab, name: string): Html {
  return html`<div class="whose">
    ${photograph !== undefined && html`<img src="${photograph}" alt="Photograph of ${name}" width="72" height="72" />`}
    <div>
      ${tab === 'record' ? html`<h1>${name}</h1>` : html`<p class="name">${name}</p>`}
      <p class="quiet">${holderFacts(holder, age)}</p>
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
    ${writesNotes && link('note', 'Write a note')} ${seesAccesses && link('accesses', 'Who looked')}
  </nav>`;
}
