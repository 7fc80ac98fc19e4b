import { curlExample } from '../../derive/examples/curl.js';
import type { CallExample } from '../../derive/examples/example.js';
import { placeOfCall } from '../../derive/documentation/page-places.js';
import { answerKeyOf } from '../../ontology/answer-forms.js';
import { html, type Html } from '../html.js';
import type { DocsSource } from './docs-source.js';
import { signing } from './overview-signing.js';
import { code, table } from './page-elements.js';

/** The parts of the first page about who may call and how it is proved. */
export function accessSections(
  source: DocsSource,
): Record<'first-call' | 'scopes' | 'signing' | 'tokens', readonly Html[]> {
  const example = shownCall(source);
  return {
    'first-call': firstCall(source, example),
    scopes: scopes(source),
    signing: signing(source, example),
    tokens: tokens(source),
  };
}

/** A list of a record that the seed has, the shortest path first. */
function shownCall({ examples }: DocsSource): CallExample | undefined {
  return [...examples.calls.values()]
    .filter(({ request: { call } }) => call.scope === 'record' && answerKeyOf(call) === 'rdf GET')
    .sort((a, b) => a.request.target.length - b.request.target.length)[0];
}

function firstCall({ base, links }: DocsSource, example: CallExample | undefined): Html[] {
  if (!example) {
    return [
      html`<p>
        <code>npx chartgraph token issue</code> hands out a token for a record, and
        <code>npx chartgraph sign</code> signs a request with it for curl.
      </p>`,
    ];
  }
  const { request } = example;
  const { token = '', call } = curlExample(request, base, false);
  return [
    html`<p>
      On the machine of the container, the command line hands out a token for one of the invented patients and
      signs for curl:
    </p>`,
    code(`${token}\n${call}`, 'shell', 'The first call from a shell', true),
    html`<p>
      What comes back is shown at
      <a href="${links.to({ ...placeOfCall(request.call), anchor: 'answer' })}">${request.call.label}</a>.
      Every call has such an example, and each of them can be sent as it stands to a container that was
      started with the shipped seed.
    </p>`,
  ];
}

function scopes({ containerAccess }: DocsSource): Html[] {
  const open = containerAccess === 'open';
  const rows: readonly (readonly [string, string, string])[] = [
    [
      'container',
      open ? 'Nobody has to sign.' : 'Signed by an app; a token is not needed.',
      'Manifests, the ontology, the search for records and users',
    ],
    [
      'record',
      'Signed by an app with an access token for this record. Writing is for what belongs to the app itself, and notes.',
      'Everything below /records/{record_id}',
    ],
    [
      'user',
      'Signed by an app with an access token of this user; only for what the same app keeps.',
      'What an app keeps for a user',
    ],
  ];
  return [
    table(
      'Scopes',
      ['Scope', 'Who may call', 'What'],
      rows.map(([name, who, what]) => ({ cells: [html`<code>${name}</code>`, who, what] })),
    ),
    html`<p>
      Who proves nothing where proof is asked for gets 401; who proves to be somebody else, 403, whether or
      not there is such a record.
    </p>`,
  ];
}

function tokens({ base }: DocsSource): Html[] {
  const steps: readonly (readonly [string, Html])[] = [
    [
      `POST ${base}/oauth/request_token`,
      html`signed by the app alone, with <code>oauth_callback</code>; gives a request token.`,
    ],
    [
      `GET ${base}/oauth/authorize`,
      html`in the browser, with <code>oauth_token</code>: the person signs in, sees what the app may do, and
        allows it. The browser goes back to the address in the app’s manifest, with
        <code>oauth_verifier</code>.`,
    ],
    [
      `POST ${base}/oauth/access_token`,
      html`signed with the request token, with <code>oauth_verifier</code>; gives the access token, with
        <code>record_id</code> and <code>user_id</code>.`,
    ],
  ];
  return [
    html`<p>An app asks for access in three legs; a person who allowed it before is not asked again.</p>
      <ol class="steps">
        ${steps.map(([address, what]) => html`<li><code>${address}</code>, ${what}</li>`)}
      </ol>
      <p>
        Background apps take theirs, one record after another, from
        <code>${base}/apps/{app_id}/tokens/records/first</code> and <code>…/records/{record_id}/next</code>.
      </p>`,
  ];
}
