import type { RecordHolder } from '../records/people.js';
import { holderLines } from '../http/html/holder.js';
import { html, type Html } from '../http/html/html.js';
import { csrfField, doneNotice, type Page, type PageContext } from '../http/html/layout.js';

export interface GivenAccess {
  readonly app: string;
  readonly appName: string;
  readonly user: string;
  readonly userName: string;
  /** Who issued it, where its user was not asked. */
  readonly issuer: string | undefined;
  /** Undefined for a token without a record. */
  readonly holder: RecordHolder | undefined;
  /** It opens every record that the user may open. */
  readonly isForMany: boolean;
  readonly since: string;
  readonly until: string;
}

export interface AppsWithAccess {
  readonly accesses: readonly GivenAccess[];
  readonly ofAll: boolean;
  readonly revoked: boolean;
}

/** The page on which people see which apps have access, and end it. */
export function appsPage(around: PageContext, { accesses, ofAll, revoked }: AppsWithAccess): Page {
  return {
    title: 'Apps with access',
    content: html`<section class="sheet">
      <h1>Apps with access</h1>
      ${doneNotice(revoked ? 'The access has ended.' : undefined)}
      <p class="quiet">
        ${ofAll ? 'Every app that somebody let into a record, or that got a token in somebody’s name.' : 'The apps that you let into a record, or that got a token in your name.'}
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
  const { app, appName, user, userName, issuer, holder, isForMany, since, until } = access;
  const none = isForMany ? `every record that ${ofAll ? userName : 'you'} may open` : 'no record';
  const whose = holder ? holder.name || `record ${holder.record}` : none;
  const allowed = ofAll && `, allowed by ${userName}`;
  const issued = issuer !== undefined && `, issued by ${issuer}${ofAll ? ` in the name of ${userName}` : ''}`;
  return html`<li>
    <div>
      <h2>${appName}</h2>
      ${holder ? holderLines(holder) : html`<span class="quiet small">${isForMany ? `Opens ${none}` : 'Bound to no record'}</span>`}
      <p class="quiet small">Since ${since}, until ${until}${issuer === undefined ? allowed : issued}</p>
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
