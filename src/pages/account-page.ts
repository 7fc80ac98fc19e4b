import { appRows, type StartableApp } from './app-rows.js';
import { html, type Html } from './html.js';
import type { Page, PageContext } from './layout.js';
import { recordList, type RecordListing } from './records-page.js';

/** What somebody who is signed in begins with. */
export interface Account {
  readonly role: string;
  /** Whether the container answers queries of analysts. */
  readonly hasAnalysts: boolean;
  /** The records that they open: theirs, or a search. */
  readonly records?: RecordListing | undefined;
  /** The apps that they can start. */
  readonly apps: readonly StartableApp[];
}

/** The page of somebody's records and apps. */
export function accountPage(around: PageContext, { role, hasAnalysts, records, apps }: Account): Page {
  const { basePath, reader } = around;
  return {
    title: 'Records',
    content: html`<section class="sheet">
        <h1>${records?.search ? 'Find a record' : records ? 'Your records' : 'Records'}</h1>
        <p class="quiet small">You are ${reader?.name ?? ''}, signed in as ${role}.</p>
        ${records ? recordList(records) : withoutRecords(basePath, role, hasAnalysts)}
      </section>
      ${apps.length > 0 && appList(basePath, apps)}`,
  };
}

function withoutRecords(basePath: string, role: string, hasAnalysts: boolean): Html {
  if (role === 'analyst' && !hasAnalysts) {
    return html`<p>
      Analysts open no records, and queries over all of them are turned off here. Ask whoever runs this
      container to turn them on.
    </p>`;
  }
  if (role === 'analyst') {
    return html`<p>
      Analysts open no records. <a href="${basePath}/analyses/">Analyses</a> are questions over all of them,
      answered without what tells who a person is; in the <a href="${basePath}/workbench">workbench</a> you
      write your own. <a href="${basePath}/account/query-tokens">Tokens</a> let your tools ask them.
    </p>`;
  }
  if (role !== 'admin') return html`<p>Your role opens no records.</p>`;
  return html`<p>Administrators open no records. You can see who looked at one.</p>
    <form method="get" action="${basePath}/account/accesses" class="search">
      <div class="field">
        <label for="record_id">Number of the record</label>
        <input type="text" id="record_id" name="record_id" required maxlength="64" autocomplete="off" />
      </div>
      <div class="field"><button>Who looked at it</button></div>
    </form>`;
}

function appList(basePath: string, apps: Account['apps']): Html {
  return html`<section class="sheet">
    <h2>Apps</h2>
    ${appRows(basePath, apps)}
  </section>`;
}
