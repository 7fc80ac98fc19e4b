import { passwordField } from './credential-fields.js';
import { html, type Html } from './html.js';
import { csrfField, describedBy, problemNotice, type Page, type PageContext } from './layout.js';

/** A token of an analyst, as its owner sees it. */
export interface ShownQueryToken {
  /** Finds it; nobody can ask anything with it. */
  readonly id: string;
  readonly purpose: string;
  readonly isIdentified: boolean;
  /** Times, as people read them. */
  readonly since: string;
  readonly until: string;
}

/** What the page of tokens shows. */
export interface QueryTokens {
  readonly tokens: readonly ShownQueryToken[];
  /** The most days that a token made here may live. */
  readonly mostDays: number;
  /** The address that tools ask. */
  readonly endpoint: string;
  /** A token that was just made: it is seen this once. */
  readonly made?: string | undefined;
  /** Whether one was just ended. */
  readonly ended?: boolean;
  /** Why none was made, and what was typed. */
  readonly problem?: string | undefined;
  readonly typed?: { readonly purpose: string; readonly days: string } | undefined;
}

/** The page on which analysts make tokens for their tools, and end them. */
export function queryTokensPage(around: PageContext, all: QueryTokens): Page {
  const { tokens, made, ended = false, problem, endpoint } = all;
  return {
    title: 'Tokens for tools',
    content: html`${ended && html`<div class="notice good" role="status"><p>The token has ended.</p></div>`}
      ${made !== undefined && madeNotice(made, endpoint)}
      <section class="sheet">
        <h1>Tokens for tools</h1>
        <p>
          With a token, programs ask queries in your name at <code>${endpoint}</code>. What they see is
          without what tells who a person is.
        </p>
        ${problemNotice(problem)} ${form(around, all)}
      </section>
      <section class="sheet">
        <h2>Your tokens</h2>
        ${
          tokens.length === 0
            ? html`<p>You have none.</p>`
            : html`<ul class="rows">
                ${tokens.map((token) => row(around, token))}
              </ul>`
        }
      </section>`,
  };
}

function madeNotice(token: string, endpoint: string): Html {
  const command = [
    `curl ${endpoint}`,
    `  -H 'Authorization: Bearer ${token}'`,
    `  --data-urlencode 'query=ASK {}'`,
  ].join(' \\\n');
  return html`<div class="notice good" role="status">
    <p><strong>Copy the token now: it is not shown again.</strong></p>
    <p><code>${token}</code></p>
    <p>Try it:</p>
    <pre tabindex="0"><code>${command}</code></pre>
  </div>`;
}

function form(around: PageContext, { mostDays, problem, typed }: QueryTokens): Html {
  const described = describedBy(problem);
  return html`<form method="post" action="${around.basePath}/account/query-tokens">
    ${csrfField(around)}
    <div class="field">
      <label for="purpose">Purpose (stands in the access log)</label>
      <input
        id="purpose"
        name="purpose"
        type="text"
        required
        maxlength="500"
        value="${typed?.purpose ?? ''}"
        aria-describedby="${described}"
      />
    </div>
    <div class="field">
      <label for="days">Days that it lives, at most ${mostDays}</label>
      <input
        id="days"
        name="days"
        type="text"
        inputmode="numeric"
        required
        maxlength="2"
        value="${typed?.days ?? '30'}"
        aria-describedby="${described}"
      />
    </div>
    ${passwordField('current', 'Your password', 'current-password', described)}
    <button>Make a token</button>
  </form>`;
}

function row(around: PageContext, { id, purpose, isIdentified, since, until }: ShownQueryToken): Html {
  return html`<li>
    <div>
      <strong>${purpose}</strong>
      <span class="quiet small"
        >${isIdentified ? 'Shows who people are' : 'De-identified'} · since ${since}, until ${until}</span
      >
    </div>
    <form method="post" action="${around.basePath}/account/query-tokens/end">
      ${csrfField(around)}
      <input type="hidden" name="token" value="${id}" />
      <button class="danger" aria-label="End token for ${purpose}, since ${since}">End token</button>
    </form>
  </li>`;
}
