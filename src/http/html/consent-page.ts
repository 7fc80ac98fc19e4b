import type { RecordHolder } from '../../records/people.js';
import { holderLines } from './holder.js';
import { html } from './html.js';
import { alert, csrfField, narrowPage, type Page, type PageContext } from './layout.js';

export interface ConsentQuestion {
  /** The path of the form, and what it sends back. */
  readonly action: string;
  readonly kept: Readonly<Record<string, string>>;
  readonly app: { readonly name: string; readonly description: string; readonly author: string };
  /** Undefined for every record that the person may open, or none. */
  readonly holder: RecordHolder | undefined;
  /** Labels of what the token allows. */
  readonly reads: readonly string[];
  readonly readsAll: boolean;
  readonly writes: readonly string[];
  readonly wording: string;
  readonly hasChanged: boolean;
  /** The end date of the access, and the host that the browser returns to. */
  readonly until: string;
  readonly returnsTo: string;
}

/** The page on which a person allows or denies an app access to a record. */
export function consentPage(around: PageContext, question: ConsentQuestion): Page {
  const { action, kept, app, holder, reads, readsAll, writes, wording, hasChanged, until, returnsTo } =
    question;
  const opened = holder ? 'this record' : reads.length > 0 ? 'every record that you may open' : 'your name';
  // What reaches furthest comes first.
  const rights = [
    ...(readsAll ? [html`<b>See everything in ${opened}</b>`] : []),
    ...writes.map((label) => html`<b>${label}</b>`),
    ...(readsAll ? [] : reads),
  ];
  return {
    title: `Let ${app.name} use ${opened}?`,
    content: html`<section class="sheet">
      <h1>Let “${app.name}” use ${opened}?</h1>
      ${hasChanged && alert('What this app can do has changed. Read it again, and decide.')}
      ${holder && html`<div class="card">${holderLines(holder)}</div>`}
      <p>${app.description}${app.author !== '' && html` <span class="quiet">By ${app.author}.</span>`}</p>
      <h2>What it will be able to do</h2>
      <ul class="ticks">
        ${rights.map((right) => html`<li>${right}</li>`)}
      </ul>
      ${
        readsAll &&
        html`<details>
          <summary>What everything is</summary>
          <p>${reads.join(' · ')}</p>
        </details>`
      }
      <p class="quiet small">
        Access ends on ${until}. You can end it earlier, at any time, under “Apps with
        access”.${returnsTo !== '' && html` Afterwards you go back to <b>${returnsTo}</b>.`}
      </p>
      <form method="post" action="${action}">
        ${csrfField(around)}
        ${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <input type="hidden" name="record_id" value="${holder?.record ?? ''}" />
        <input type="hidden" name="wording" value="${wording}" />
        <div class="actions">
          <button name="decision" value="allow">Allow</button>
          <button name="decision" value="deny" class="second" formnovalidate>Do not allow</button>
        </div>
      </form>
    </section>`,
  };
}

/** Shows the verifier, for an app without a callback. */
export function verifierPage(app: string, verifier: string): Page {
  return narrowPage(
    'Allowed',
    html`<p>Go back to <b>${app}</b> and enter this code there within ten minutes:</p>
      <p><code class="code" tabindex="0" aria-label="Code">${verifier}</code></p>
      <p class="quiet small">Give the code to nobody else.</p>`,
  );
}
