import { inputField } from '../http/html/form-fields.js';
import { html, type Html } from '../http/html/html.js';
import type { Page, PageContext } from '../http/html/layout.js';
import { recordList, type RecordListing } from '../http/html/records-page.js';
import { appRows, linkRows, type LinkRow, type StartableApp } from '../http/html/rows-table.js';

export interface Account {
  readonly role: string;
  readonly hasAnalysts: boolean;
  readonly records?: RecordListing | undefined;
  readonly apps: readonly StartableApp[];
  /** Whether some records are not theirs to open. */
  readonly isLimited: boolean;
}

/** The page of a user's records and apps. */
export function accountPage(
  around: PageContext,
  { role, hasAnalysts, records, apps, isLimited }: Account,
): Page {
  const { basePath, reader } = around;
  return {
    title: 'Records',
    content: html`<section class="sheet">
        <h1>${records?.search ? 'Find a record' : records ? 'Your records' : 'Records'}</h1>
        <p class="quiet small">
          You are signed in as ${reader?.name ?? ''}${role !== 'person' && `, ${role}`}.
        </p>
        ${records ? recordList(records) : withoutRecords(basePath, role, hasAnalysts)}
        ${
          isLimited &&
          records?.search &&
          html`<p class="quiet small">
            Search finds only your own patients.
            <a href="${basePath}/account/emergency">Open another record in an emergency</a>
          </p>`
        }
      </section>
      ${
        apps.length > 0 &&
        html`<section class="sheet">
          <h2>Apps</h2>
          ${appRows(basePath, apps)}
        </section>`
      }`,
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
      answered with de-identified data; in the <a href="${basePath}/workbench">workbench</a> you write your
      own. <a href="${basePath}/account/query-tokens">Tokens</a> let your tools ask them.
    </p>`;
  }
  if (role !== 'admin') return html`<p>Your role opens no records.</p>`;
  return html`<p>
      Administrators open no records. You can see who looked at one, and do the rest in
      <a href="${basePath}/admin">Administration</a>.
    </p>
    <form method="get" action="${basePath}/account/accesses" class="search">
      ${inputField('record_id', 'Record number', { maxlength: 64, autocomplete: 'off' })}
      <div class="field"><button>Show who looked</button></div>
    </form>`;
}

interface Home {
  readonly description: string;
  readonly apps: readonly StartableApp[];
}

/** Lists the pages that a role can open. */
function opened(basePath: string, { role, hasWorkbench }: NonNullable<PageContext['reader']>): LinkRow[] {
  const link = (path: string, title: string, description: string): LinkRow => ({
    href: basePath + path,
    title,
    description,
  });
  switch (role) {
    case 'person':
      return [link('/account', 'Your records', 'What is written in them, and who looked')];
    case 'clinician':
      return [link('/account', 'Find a record', 'By name, date of birth or number')];
    case 'admin':
      return [link('/admin', 'Administration', 'Users, apps, tokens, the access log, and the state')];
    case 'analyst':
      return hasWorkbench
        ? [
            link('/analyses/', 'Analyses', 'Questions over all records, answered with de-identified data'),
            link('/workbench', 'Workbench', 'Write your own questions'),
            link('/account/query-tokens', 'Tokens', 'Let your tools ask questions'),
          ]
        : [];
  }
}

/** The start page: the container, and apps for signed-in users. */
export function homePage({ container, basePath, reader }: PageContext, { description, apps }: Home): Page {
  return {
    title: 'Start',
    content: html`<section class="sheet">
        <h1>${container}</h1>
        <p>${description}</p>
        ${
          reader
            ? html`${linkRows(opened(basePath, reader))} ${apps.length > 0 && html`<h2>Apps</h2>`}
              ${appRows(basePath, apps)}`
            : html`<div class="actions">
                <a class="button" href="${basePath}/login?return_url=${basePath}/account">Sign in</a>
              </div>`
        }
      </section>
      ${
        reader?.role !== 'person' &&
        html`<section class="sheet">
          <h2>For developers</h2>
          <p class="small">
            <a href="${basePath}/docs">Documentation</a> · <a href="${basePath}/manifest">Manifest</a> ·
            <a href="${basePath}/ontology">Ontology</a> ·
            <a href="${basePath}/apps/manifests/">Installed apps</a>
          </p>
        </section>`
      }`,
  };
}
