import { inputField, proofField } from '../../http/html/form-fields.js';
import { html, type Html } from '../../http/html/html.js';
import {
  csrfField,
  describedBy,
  problemNotice,
  type Page,
  type PageContext,
} from '../../http/html/layout.js';

export interface ShownQueryToken {
  /** Identifies the token, but cannot be used as one. */
  readonly id: string;
  readonly purpose: string;
  readonly isIdentified: boolean;
  readonly since: string;
  readonly until: string;
}

export interface QueryTokens {
  readonly tokens: readonly ShownQueryToken[];
  /** The longest life of a token made here, in days. */
  readonly mostDays: number;
  readonly endpoint: string;
  /** A new token, shown only this once. */
  readonly made?: string | undefined;
  readonly ended?: boolean;
  /** Why no token was made, and what was typed. */
  readonly problem?: string | undefined;
  readonly typed?: { readonly purpose: string; readonly days: string } | undefined;
}

/** The page on which analysts make and end tokens for their tools. */
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
    ${inputField('purpose', 'Purpose (stands in the access log)', {
      maxlength: 500,
      value: typed?.purpose ?? '',
      'aria-describedby': described,
    })}
    ${inputField('days', `Days that it lives, at most ${mostDays}`, {
      inputmode: 'numeric',
      maxlength: 2,
      value: typed?.days ?? '30',
      'aria-describedby': described,
    })}
    ${proofField(around, 'Your password', '/account/query-tokens', described)}
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
