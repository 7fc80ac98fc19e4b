import { codeField, inputField, passwordField } from './form-fields.js';
import { html } from './html.js';
import {
  csrfField,
  describedBy,
  doneNotice,
  narrowPage,
  problemNotice,
  type Page,
  type PageContext,
} from './layout.js';

export interface SignIn {
  readonly returnUrl: string;
  readonly username?: string;
  readonly problem?: string;
  readonly done?: string | undefined;
  /** The app that sent the person here. */
  readonly app?: string | undefined;
  readonly hasPasswords: boolean;
  /** Whose identity provider people can sign in at. */
  readonly organisation: string | undefined;
}

export function signInPage(
  around: PageContext,
  { returnUrl, username = '', problem, done, app, hasPasswords, organisation }: SignIn,
): Page {
  const described = describedBy(problem);
  const there = `${around.basePath}/login/organisation?return_url=${encodeURIComponent(returnUrl)}`;
  return narrowPage(
    'Sign in',
    problemNotice(problem),
    doneNotice(done),
    html`<p class="quiet">
        ${app === undefined ? `Sign in to ${around.container}.` : html`Sign in to go on to <b>${app}</b>. The app does not see your password.`}
      </p>
      ${organisation !== undefined && html`<p><a class="button whole" href="${there}">Sign in with ${organisation}</a></p>`}
      ${
        hasPasswords &&
        html`<form method="post" action="${around.basePath}/login">
          ${csrfField(around)}
          <input type="hidden" name="return_url" value="${returnUrl}" />
          ${inputField('username', 'User name', {
            value: username,
            autocomplete: 'username',
            autocapitalize: 'none',
            spellcheck: 'false',
            maxlength: 64,
            'aria-describedby': described,
          })}
          ${passwordField('password', 'Password', 'current-password', described)}
          <button class="whole">Sign in</button>
        </form>`
      }`,
  );
}

interface SignInCode {
  /** Proves that the password was right. */
  readonly proof: string;
  readonly returnUrl: string;
  readonly problem?: string | undefined;
}

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
export function signInCodePage(around: PageContext, { proof, returnUrl, problem }: SignInCode): Page {
  return narrowPage(
    'Second factor',
    problemNotice(problem),
    html`<p class="quiet">
        Type the code that your authenticator app shows now, or one of your recovery codes.
      </p>
      <form method="post" action="${around.basePath}/login/code">
        ${csrfField(around)}
        <input type="hidden" name="proof" value="${proof}" />
        <input type="hidden" name="return_url" value="${returnUrl}" />
        ${codeField(describedBy(problem), true)}
        <button class="whole">Sign in</button>
      </form>
      <p class="small"><a href="${around.basePath}/login">Sign in as somebody else</a></p>`,
  );
}

/**
 * Leads on to where a session at an identity provider ends. A redirect would be held to the `form-action` of the page that
 * the form stood on.
 */
export function signedOutPage(there: string): Page {
  const page = narrowPage(
    'Signed out',
    html`<p role="status">You are signed out here.</p>
      <p><a href="${there}">Sign out with your organisation, too</a></p>`,
  );
  return { ...page, head: html`<meta http-equiv="refresh" content="0; url=${there}" />` };
}

/** Asks whether to sign out: only a form signs out, not a link. */
export function signOutPage(around: PageContext): Page {
  const page = narrowPage(
    'Sign out?',
    html`<p>
        Apps that you allowed keep their access; <a href="${around.basePath}/account/apps">see which</a>.
      </p>
      <form method="post" action="${around.basePath}/logout">
        ${csrfField(around)}<button class="whole">Sign out</button>
      </form>`,
  );
  return { ...page, title: 'Sign out' };
}
