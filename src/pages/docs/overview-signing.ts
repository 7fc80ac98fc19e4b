import type { CallExample } from '../../derive/examples/example.js';
import { exampleSecrets, signedExample } from '../../derive/examples/signed-example.js';
import { signatureMethods } from '../../oauth/signature.js';
import { html, type Html } from '../html.js';
import type { DocsSource } from './docs-source.js';
import { code, table } from './page-elements.js';

/** The part of the first page about signatures, with one that a signer can be checked against. */
export function signing({ base }: DocsSource, example: CallExample | undefined): Html[] {
  const methods = [...signatureMethods.keys()].map(
    (name) => html`<li><code>${name}</code>${name === 'PLAINTEXT' && ', over https only'}</li>`,
  );
  const rules = html`<p>
      Requests are signed with OAuth 1.0a (RFC 5849): the protocol parameters stand in the Authorization
      header, the query or a form body. The timestamp may be five minutes off, and a nonce serves once for its
      app, token and timestamp. A body that is no form may be covered by <code>oauth_body_hash</code>. The
      methods:
    </p>
    <ul>
      ${methods}
    </ul>`;
  if (!example) return [rules];
  const { request } = example;
  const { authorization, baseString } = signedExample(
    request.call.method,
    base + request.target,
    request.app,
  );
  const secrets: readonly (readonly [string, string])[] = [
    ['Consumer key', request.app],
    ['Consumer secret', exampleSecrets.consumerSecret],
    ['Token', exampleSecrets.token],
    ['Token secret', exampleSecrets.tokenSecret],
  ];
  return [
    rules,
    html`<p>
      To check a signer against: with these secrets, which no container knows, and with the timestamp and
      nonce that are shown,
    </p>`,
    table(
      'Secrets of the examples',
      ['What', 'Value'],
      secrets.map(([name, value]) => ({ cells: [name, html`<code>${value}</code>`] })),
      { slim: true },
    ),
    html`<p>
      the base string of <code>${request.call.method} ${request.target}</code> and its header with HMAC-SHA1
      are:
    </p>`,
    code(baseString, 'text', 'Signature base string', true),
    code(`Authorization: ${authorization}`, 'http', 'Authorization header', true),
  ];
}
