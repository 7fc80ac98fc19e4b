import { passwordField } from '../http/html/form-fields.js';
import { html, type Html } from '../http/html/html.js';
import {
  csrfField,
  describedBy,
  doneNotice,
  narrowPage,
  problemNotice,
  type Page,
  type PageContext,
} from '../http/html/layout.js';

export interface ShownSession {
  readonly handle: string;
  readonly since: string;
  readonly used: string;
  readonly isOwn: boolean;
}

export interface ShownToken {
  /** Identifies the token, but cannot be used to sign. */
  readonly id: string;
  readonly app: string;
  readonly record: string;
  readonly since: string;
  readonly until: string;
}

export interface Security {
  readonly secondFactor: { readonly isSet: boolean; readonly recoveryCodes: number };
  readonly sessions: readonly ShownSession[];
  readonly tokens: readonly ShownToken[];
  readonly done?: string | undefined;
  readonly problem?: string | undefined;
}

/** The page on which people change how they sign in, and see their sessions. */
export function securityPage(around: PageContext, security: Security): Page {
  const { done, problem } = security;
  return {
    title: 'Security',
    content: html`${doneNotice(done)}
      <section class="sheet">
        <h1>Security</h1>
        <h2>Password</h2>
        ${problemNotice(problem)}
        ${
          around.reader?.signOn
            ? html`<p>You signed in with your organisation, which keeps your password.</p>`
            : passwordForm(around, describedBy(problem))
        }
      </section>
      <section class="sheet">
        <h2>Second factor</h2>
        ${secondFactor(around, security.secondFactor)}
      </section>
      <section class="sheet">
        <h2>Where you are signed in</h2>
        <ul class="rows">
          ${security.sessions.map((session) => row(around, session))}
        </ul>
      </section>
      <section class="sheet">
        <h2>Apps that act in your name</h2>
        <p class="quiet small">
          Each line is the access that one app has now. Ending it takes effect at once.
        </p>
        ${
          security.tokens.length === 0
            ? html`<p>No app has access.</p>`
            : html`<ul class="rows">
                ${security.tokens.map((token) => tokenRow(around, token))}
              </ul>`
        }
      </section>`,
  };
}

/** Asks somebody whose password an administrator set for one that nobody else knows. */
export function newPasswordPage(
  around: PageContext,
  { returnUrl, problem }: { readonly returnUrl: string; readonly problem?: string },
): Page {
  return narrowPage(
    'Choose a new password',
    problemNotice(problem),
    html`<p class="quiet">
        Somebody else set your password. Choose one that only you know, then you can go on.
      </p>
      <form method="post" action="${around.basePath}/account/security/password">
        <input type="hidden" name="return_url" value="${returnUrl}" />
        ${passwordFields(around, describedBy(problem), 'The password that you were given')}
        <button class="whole">Change password</button>
      </form>
      <p class="small"><a href="${around.basePath}/logout">Sign out</a></p>`,
  );
}

const passwordFields = (around: PageContext, described: string, current: string): Html =>
  // Tells password managers whose password this is.
  html`${csrfField(around)}
    <input type="text" name="username" autocomplete="username" value="${around.reader?.id}" hidden />
    ${passwordField('current', current, 'current-password', described)}
    ${passwordField('password', 'New password', 'new-password', described)}
    ${passwordField('again', 'New password, once more', 'new-password', described)}`;

function passwordForm(around: PageContext, described: string): Html {
  return html`<form method="post" action="${around.basePath}/account/security/password">
    ${passwordFields(around, described, 'Current password')}
    <div class="field">
      <label for="end_apps"
        ><input id="end_apps" name="end_apps" type="checkbox" value="1" /> End the access of all apps,
        too</label
      >
    </div>
    <p class="quiet small">You stay signed in here; everywhere else you are signed out.</p>
    <button>Change password</button>
  </form>`;
}

function secondFactor(
  { basePath, reader }: PageContext,
  { isSet, recoveryCodes }: Security['secondFactor'],
): Html {
  const there = `${basePath}/account/security/second-factor`;
  return isSet
    ? html`<p>On. Recovery codes left: ${recoveryCodes}.</p>
        <p><a href="${there}">Remove the second factor</a></p>`
    : reader?.signOn
      ? html`<p>Your organisation asks for it where it has one.</p>`
      : html`<p>Off: only your password protects your account.</p>
          <p><a href="${there}">Set up a second factor</a></p>`;
}

function row(around: PageContext, { handle, since, used, isOwn }: ShownSession): Html {
  return html`<li>
    <div>
      <strong>${isOwn ? 'This browser' : 'Another browser'}</strong>
      <span class="quiet small">Signed in ${since}, last used ${used}</span>
    </div>
    <form method="post" action="${around.basePath}/account/security/sessions">
      ${csrfField(around)}
      <input type="hidden" name="session" value="${handle}" />
      <button class="danger" aria-label="End session signed in ${since}${isOwn && ', this browser'}">
        End session
      </button>
    </form>
  </li>`;
}

function tokenRow(around: PageContext, { id, app, record, since, until }: ShownToken): Html {
  return html`<li>
    <div>
      <strong>${app}</strong>
      <span class="quiet small">${record} · since ${since}, until ${until}</span>
    </div>
    <form method="post" action="${around.basePath}/account/security/tokens">
      ${csrfField(around)}
      <input type="hidden" name="token" value="${id}" />
      <button class="danger" aria-label="End access of ${app} to ${record}, since ${since}">
        End access
      </button>
    </form>
  </li>`;
}
