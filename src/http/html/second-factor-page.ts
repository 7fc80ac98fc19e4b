import { renderSVG } from 'uqr';
import type { Enrolment } from '../../access/accounts/second-factor.js';
import { codeField, proofField } from './form-fields.js';
import { Html, html } from './html.js';
import { csrfField, describedBy, narrowPage, problemNotice, type Page, type PageContext } from './layout.js';

export interface SecondFactorStep {
  readonly returnUrl: string;
  /** Whether the user must set it up before anything else. */
  readonly isDemanded?: boolean;
  readonly problem?: string | undefined;
}

/** Asks whether to begin. */
export function beginSecondFactorPage(around: PageContext, step: SecondFactorStep): Page {
  return narrowPage(
    'Set up a second factor',
    step.isDemanded && html`<p><b>Your role needs a second factor. Set it up to go on.</b></p>`,
    html`<p>
      With a second factor ${wayIn(around)} alone signs nobody in: at each sign-in you also type a code that
      an authenticator app on your phone shows${around.reader?.signOn && ', unless you typed one there'}.
    </p>`,
    form(
      around,
      step,
      'begin',
      html`${proofField(around, 'Current password', '/account/security/second-factor', describedBy(step.problem))}
        <button class="whole">Set up a second factor</button>`,
    ),
  );
}

/** Shows the secret once, and asks for the first code. @param given left out after a wrong code */
export function confirmSecondFactorPage(
  around: PageContext,
  step: SecondFactorStep,
  given?: Enrolment,
): Page {
  const again = `${around.basePath}/account/security/second-factor?return_url=${encodeURIComponent(step.returnUrl)}`;
  return narrowPage(
    'Set up a second factor',
    given &&
      html`<p>Scan this with your authenticator app:</p>
        <div class="qr" role="img" aria-label="QR code of the secret below">${drawn(given.uri)}</div>
        <p>Or type this secret into it, or <a href="${given.uri}">open it in the app</a> on this device:</p>
        <p><code class="code" tabindex="0" aria-label="Secret">${given.secret}</code></p>`,
    given
      ? html`<p>Then type the code that the app shows.</p>`
      : html`<p>
          Type the code that the app shows. The secret is not shown again: where the app does not have it,
          begin again.
        </p>`,
    form(
      around,
      step,
      'confirm',
      html`${codeField(describedBy(step.problem))}<button class="whole">Confirm</button>`,
    ),
    html`<p class="small"><a href="${again}">Begin again with a new secret</a></p>`,
  );
}

/** Shows the recovery codes, once. */
export function recoveryCodesPage(codes: readonly string[], returnUrl: string): Page {
  return narrowPage(
    'Recovery codes',
    html`<p role="status">The second factor is set up.</p>`,
    html`<p>
      Write these codes down and keep them apart from your phone. Each signs you in once in place of a code of
      the app. They are not shown again.
    </p>`,
    html`<ul class="codes" aria-label="Recovery codes">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ul>`,
    html`<p><a class="button whole" href="${returnUrl}">Go on</a></p>`,
  );
}

/** Asks for a code before removing the second factor. */
export function removeSecondFactorPage(around: PageContext, step: SecondFactorStep): Page {
  const fields = html`${codeField(describedBy(step.problem))}
    <button class="whole danger">Remove the second factor</button>`;
  return narrowPage(
    'Remove the second factor',
    html`<p>
      Type a code of your authenticator app or a recovery code. Afterwards ${wayIn(around)} alone signs you
      in.
    </p>`,
    form(around, step, 'remove', fields),
  );
}

const wayIn = ({ reader }: PageContext): string => (reader?.signOn ? 'your organisation' : 'your password');

function form(
  around: PageContext,
  { returnUrl, problem }: SecondFactorStep,
  step: 'begin' | 'confirm' | 'remove',
  fields: Html,
): Html {
  return html`${problemNotice(problem)}
    <form method="post" action="${around.basePath}/account/security/second-factor">
      ${csrfField(around)}
      <input type="hidden" name="step" value="${step}" />
      <input type="hidden" name="return_url" value="${returnUrl}" />
      ${fields}
    </form>`;
}

/** A QR code as markup: it contains only shapes, no input text. */
const drawn = (uri: string): Html => new Html(renderSVG(uri, { ecc: 'M', border: 3 }));
