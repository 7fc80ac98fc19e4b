import type { RecordHolder } from '../records/people.js';
import { holderLines } from './holder.js';
import { html, type Html } from './html.js';
import { csrfField, type Page, type PageContext } from './layout.js';

/** Access of one app to one record in the name of one user. */
export interface GivenAccess {
  readonly app: string;
  readonly appName: string;
  readonly user: string;
  readonly userName: string;
  /** Undefined for a token that is bound to no record. */
  readonly holder: RecordHolder | undefined;
  /** Dates. */
  readonly since: string;
  readonly until: string;
}

/** What the page of apps with access shows. */
export interface AppsWithAccess {
  readonly accesses: readonly GivenAccess[];
  /** Whether these are the accesses of all users. */
  readonly ofAll: boolean;
  /** Whether something was just revoked. */
  readonly revoked: boolean;
}

/** The page on which people see which apps they let in, and end it. */
export function appsPage(around: PageContext, { accesses, ofAll, revoked }: AppsWithAccess): Page {
  return {
    title: 'Apps with access',
    content: html`<section class="sheet">
      <h1>Apps with access</h1>
      ${revoked && html`<div class="notice good" role="status"><p>The access has ended.</p></div>`}
      <p class="quiet">
        ${ofAll ? 'Every app that somebody let into a record.' : 'The apps that you let into a record.'}
        Ending an access takes effect at once.
      </p>
      ${accesses.length === 0 && html`<p>No app has access.</p>`}
      <ul class="rows">
        ${accesses.map((access) => row(around, access, ofAll))}
      </ul>
    </section>`,
  };
}

function row(around: PageContext, access: GivenAccess, ofAll: boolean): Html {
  const { app, appName, user, userName, holder, since, until } = access;
  const whose = holder ? holder.name || `record ${holder.record}` : 'no record';
  return html`<li>
    <div>
      <h2>${appName}</h2>
      ${holder ? holderLines(holder) : html`<span class="quiet small">Bound to no record</span>`}
      <p class="quiet small">Since ${since}, until ${until}${ofAll && html`, allowed by ${userName}`}</p>
    </div>
    <form method="post" action="${around.basePath}/account/apps">
      ${csrfField(around)}
      <input type="hidden" name="app_id" value="${app}" />
      <input type="hidden" name="user_id" value="${user}" />
      <input type="hidden" name="record_id" value="${holder?.record ?? ''}" />
      <button class="danger" aria-label="End access of ${appName} to ${whose}">End access</button>
    </form>
  </li>`;
}
