import { codeField } from './credential-fields.js';
import { html } from './html.js';
import { csrfField, describedBy, problemNotice, type Page, type PageContext } from './layout.js';

/** What the page that asks for the second factor passes on. */
export interface SignInCode {
  /** Shows that the password was right. */
  readonly proof: string;
  /** A local path to go on to. */
  readonly returnUrl: string;
  /** What went wrong with the last code. */
  readonly problem?: string | undefined;
}

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
export function signInCodePage(around: PageContext, { proof, returnUrl, problem }: SignInCode): Page {
  return {
    title: 'Second factor',
    narrow: true,
    content: html`<section class="sheet">
      <h1>Second factor</h1>
      ${problemNotice(problem)}
      <p class="quiet">Type the code that your authenticator app shows now, or one of your recovery codes.</p>
      <form method="post" action="${around.basePath}/login/code">
        ${csrfField(around)}
        <input type="hidden" name="proof" value="${proof}" />
        <input type="hidden" name="return_url" value="${returnUrl}" />
        ${codeField(describedBy(problem), true)}
        <button class="whole">Sign in</button>
      </form>
      <p class="small"><a href="${around.basePath}/login">Sign in as somebody else</a></p>
    </section>`,
  };
}
