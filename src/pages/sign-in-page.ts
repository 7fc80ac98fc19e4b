import { passwordField } from './credential-fields.js';
import { html } from './html.js';
import { csrfField, describedBy, problemNotice, type Page, type PageContext } from './layout.js';

/** What the sign-in page shows beside its form. */
export interface SignIn {
  /** A local path to go on to. */
  readonly returnUrl: string;
  /** What was typed before. */
  readonly username?: string;
  /** What went wrong with it. */
  readonly problem?: string;
  /** The app that waits for the person. */
  readonly app?: string | undefined;
}

/** The sign-in form. */
export function signInPage(around: PageContext, { returnUrl, username = '', problem, app }: SignIn): Page {
  const described = describedBy(problem);
  return {
    title: 'Sign in',
    narrow: true,
    content: html`<section class="sheet">
      <h1>Sign in</h1>
      ${problemNotice(problem)}
      <p class="quiet">
        ${app === undefined ? `Sign in to ${around.container}.` : html`Sign in to go on to <b>${app}</b>. The app does not see your password.`}
      </p>
      <form method="post" action="${around.basePath}/login">
        ${csrfField(around)}
        <input type="hidden" name="return_url" value="${returnUrl}" />
        <div class="field">
          <label for="username">User name</label>
          <input
            id="username"
            name="username"
            type="text"
            value="${username}"
            autocomplete="username"
            autocapitalize="none"
            spellcheck="false"
            required
            maxlength="64"
            aria-describedby="${described}"
          />
        </div>
        ${passwordField('password', 'Password', 'current-password', described)}
        <button class="whole">Sign in</button>
      </form>
    </section>`,
  };
}

/** Asks whether to sign out, for whoever comes by a link: only a form signs out. */
export function signOutPage(around: PageContext): Page {
  return {
    title: 'Sign out',
    narrow: true,
    content: html`<section class="sheet">
      <h1>Sign out?</h1>
      <p>Apps that you allowed keep their access; <a href="${around.basePath}/account/apps">see which</a>.</p>
      <form method="post" action="${around.basePath}/logout">
        ${csrfField(around)}<button class="whole">Sign out</button>
      </form>
    </section>`,
  };
}
