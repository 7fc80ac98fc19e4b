import type { RecordHolder } from '../records/people.js';
import { holderLines } from './holder.js';
import { html, type Html } from './html.js';
import { alert, csrfField, type Page, type PageContext } from './layout.js';

/** What a person decides about. */
export interface ConsentQuestion {
  readonly requestToken: string;
  readonly app: { readonly name: string; readonly description: string; readonly author: string };
  readonly holder: RecordHolder;
  /** Labels: what the app says it needs, and what its token can do. */
  readonly needs: readonly string[];
  readonly reads: readonly string[];
  readonly readsAll: boolean;
  readonly writes: readonly string[];
  /** Changes with whatever is shown and allowed. */
  readonly wording: string;
  /** Whether something else was shown, and allowed, before. */
  readonly hasChanged: boolean;
  /** Until when, as a date; and the host that the browser goes back to. */
  readonly until: string;
  readonly returnsTo: string;
}

/** The page on which a person lets an app into a record, or does not. */
export function consentPage(around: PageContext, question: ConsentQuestion): Page {
  const { requestToken, app, holder, needs, reads, readsAll, writes, wording, hasChanged, until, returnsTo } =
    question;
  return {
    title: `Allow ${app.name}?`,
    content: html`<section class="sheet">
      <h1>Allow “${app.name}” into this record?</h1>
      ${hasChanged && alert('What this app can do has changed. Read it again, and decide.')}
      <div class="card">${holderLines(holder)}</div>
      <p>${app.description}${app.author !== '' && html` <span class="quiet">By ${app.author}.</span>`}</p>
      ${
        needs.length > 0 &&
        html`<h2>What the app says it needs</h2>
          ${ticks(needs)}`
      }
      <h2>What it will be able to do</h2>
      ${
        reads.length > 0 &&
        html`<p>It can see ${readsAll ? 'everything in this record' : 'this of the record'}:</p>
          ${ticks(reads)}`
      }
      ${
        writes.length > 0 &&
        html`<p>It can also change things:</p>
          ${ticks(writes)}`
      }
      <p class="quiet small">
        The access ends on ${until}. You can end it before, at any time, under “Apps with
        access”.${returnsTo !== '' && html` Afterwards you go back to <b>${returnsTo}</b>.`}
      </p>
      <form method="post" action="${around.basePath}/oauth/authorize">
        ${csrfField(around)}
        <input type="hidden" name="oauth_token" value="${requestToken}" />
        <input type="hidden" name="record_id" value="${holder.record}" />
        <input type="hidden" name="wording" value="${wording}" />
        <div class="actions">
          <button name="decision" value="allow">Allow</button>
          <button name="decision" value="deny" class="second" formnovalidate>Do not allow</button>
        </div>
      </form>
    </section>`,
  };
}

const ticks = (labels: readonly string[]): Html =>
  html`<ul class="ticks">
    ${labels.map((label) => html`<li>${label}</li>`)}
  </ul>`;

/** Shows the verifier of an app that no browser can go back to. */
export function verifierPage(app: string, verifier: string): Page {
  return {
    title: 'Allowed',
    narrow: true,
    content: html`<section class="sheet">
      <h1>Allowed</h1>
      <p>Go back to <b>${app}</b> and enter this code there within ten minutes:</p>
      <p><code class="code" tabindex="0" aria-label="Code">${verifier}</code></p>
      <p class="quiet small">Give the code to nobody else.</p>
    </section>`,
  };
}
