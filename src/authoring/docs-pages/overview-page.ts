import { readFileSync } from 'node:fs';
import { pages, placeOfCall } from '../docs-model/page-places.js';
import { curlExample, exampleSecrets, signedExample } from '../examples/signed-example.js';
import type { CallExample } from '../examples/example.js';
import { signatureMethods } from '../../access/oauth/signature.js';
import { answerKeyOf } from '../../model/ontology/answer-forms.js';
import { Problem, problemKinds } from '../../model/problem.js';
import { answeredFormats, formats, postedFormats } from '../../rdf/formats.js';
import { api } from '../../rdf/vocabulary.js';
import { LARGEST_PAGE } from '../../records/lists/page-limits.js';
import { filled, html, type Content, type Html } from '../../http/html/html.js';
import { termLink, type DocsSource } from './docs-source.js';
import { code, nameOfType, section, table, type DocsPage } from './page-elements.js';

export const overviewParts: readonly {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}[] = readFileSync(new URL('./overview.html', import.meta.url), 'utf8')
  .split('<section ')
  .slice(1)
  .map((part) => {
    const [, id = '', title = '', text = ''] = /^id="(.*)" title="(.*)">([^]*)<\/section>/u.exec(part) ?? [];
    return { id, title, text };
  });

/** The first page: this container, and the rules for all its calls. */
export function overviewPage(source: DocsSource): DocsPage {
  const { container, description, base, documentation, links } = source;
  const { calls, classes, codeSets, properties } = documentation;
  const cards = [
    [pages.calls, 'Calls', `${calls.length} calls with their parameters, an example and its answer`],
    [pages.classes, 'Classes', `${classes.length} classes with their properties and an instance of each`],
    [pages.codes, 'Code sets', `${codeSets.length} sets of codes and their members`],
    [pages.properties, 'Properties', `${properties.length} properties and where they are used`],
  ] as const;
  const values = valuesOf(source);
  return {
    title: 'Documentation',
    summary: `How to use the health records of ${container}: calls, signing, formats, errors.`,
    content: html`<h1>${container}</h1>
      <p class="lead">${description}</p>
      <p>
        This is a container of health records. Apps read and write one patient’s record at a time, with the
        access that a person gave them; what they get is RDF in the SMART Classic vocabulary. The ontology of
        the container describes its record model and its calls, and this documentation is made from it.
      </p>
      <p class="address"><span>Base URL</span> <code>${base}</code></p>
      <ul class="cards">
        ${cards.map(
          ([page, title, what]) =>
            html`<li>
              <a href="${links.to({ page })}"><strong>${title}</strong><span>${what}</span></a>
            </li>`,
        )}
      </ul>
      ${overviewParts.map(({ id, title, text }) => section(id, title, filled(text, values)))}`,
  };
}

function valuesOf(source: DocsSource): Readonly<Record<string, Content>> {
  const example = shownCall(source);
  const { type, title, status } = new Problem('forbidden', '');
  const call = source.documentation.ontology.calls.find(
    ({ scope, method }) => scope === 'record' && method === 'GET',
  );
  const shown = { type, title, status, detail: 'The access token is for another record.', call: call?.iri };
  return {
    base: source.base,
    firstCall: firstCall(source, example),
    scopes: scopes(source),
    signatureMethods: [...signatureMethods.keys()].map(
      (name) => html`<li><code>${name}</code>${name === 'PLAINTEXT' && ', over https only'}</li>`,
    ),
    signedExample: example && signing(source.base, example),
    formats: formatTable(),
    largestPage: LARGEST_PAGE,
    responseSummary: termLink(source, api.ResponseSummary),
    postedFormats: postedFormats.map((name) => nameOfType(formats[name].mediaType)).join(', '),
    problem: code(JSON.stringify(shown, null, 2), 'application/json', 'A problem document'),
    problemBase: type.slice(0, type.indexOf('#') + 1),
    problemKinds: problems(),
    served: served(source),
  };
}

/** Returns the example of a record's list with the shortest path. */
function shownCall({ examples }: DocsSource): CallExample | undefined {
  return [...examples.calls.values()]
    .filter(({ request: { call } }) => call.scope === 'record' && answerKeyOf(call) === 'rdf GET')
    .sort((a, b) => a.request.target.length - b.request.target.length)[0];
}

function firstCall({ base, links }: DocsSource, example: CallExample | undefined): Html {
  if (!example) {
    return html`<p>
      <code>npx chartgraph token issue</code> hands out a token for a record, and
      <code>npx chartgraph sign</code> signs a request with it for curl.
    </p>`;
  }
  const { request } = example;
  const { token = '', call } = curlExample(request, base, false);
  return html`<p>
      On the machine of the container, the command line hands out a token for one of the invented patients and
      signs for curl:
    </p>
    ${code(`${token}\n${call}`, 'shell', 'The first call from a shell', true)}
    <p>
      What comes back is shown at
      <a href="${links.to({ ...placeOfCall(request.call), anchor: 'answer' })}">${request.call.label}</a>.
      Every call has such an example, and each of them can be sent as it stands to a container that was
      started with the shipped seed.
    </p>`;
}

function scopes({ containerAccess }: DocsSource): Html {
  const rows: readonly (readonly [string, string, string])[] = [
    [
      'container',
      containerAccess === 'open' ? 'Nobody has to sign.' : 'Signed by an app; a token is not needed.',
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
  return table(
    'Scopes',
    ['Scope', 'Who may call', 'What'],
    rows.map(([name, who, what]) => [html`<code>${name}</code>`, who, what]),
  );
}

/** A signature to test a client's signing against. */
function signing(base: string, { request }: CallExample): Html {
  const { method } = request.call;
  const { authorization, baseString } = signedExample(method, base + request.target, request.app);
  const secrets: readonly (readonly [string, string])[] = [
    ['Consumer key', request.app],
    ['Consumer secret', exampleSecrets.consumerSecret],
    ['Token', exampleSecrets.token],
    ['Token secret', exampleSecrets.tokenSecret],
  ];
  return html`<p>
      To check a signer against: with these secrets, which no container knows, and with the timestamp and
      nonce that are shown,
    </p>
    ${table(
      'Secrets of the examples',
      ['What', 'Value'],
      secrets.map(([name, value]) => [name, html`<code>${value}</code>`]),
      { slim: true },
    )}
    <p>the base string of <code>${method} ${request.target}</code> and its header with HMAC-SHA1 are:</p>
    ${code(baseString, 'text', 'Signature base string', true)}
    ${code(`Authorization: ${authorization}`, 'http', 'Authorization header', true)}`;
}

function formatTable(): Html {
  const rows = answeredFormats.map((name, index) => {
    const { mediaType } = formats[name];
    const shown = html`${nameOfType(mediaType)}${index === 0 && ', the default'}`;
    return [shown, html`<code>${mediaType}</code>`, html`<code>${name}</code>`];
  });
  return table('Formats of graphs', ['Format', 'Media type', '_format'], rows, { slim: true });
}

function problems(): Html {
  const kinds = Object.entries(problemKinds);
  const rows = kinds.map(([kind, { status, title }]) => [html`<code>${kind}</code>`, status, title]);
  const ids = kinds.map(([kind]) => `problem-${kind}`);
  return table('Kinds of refusals', ['Type', 'Status', 'Meaning'], rows, { slim: true, ids });
}

function served({ links, served }: DocsSource): Html[] {
  const all = [
    ['/ontology', 'the ontology itself, in every RDF format'],
    ['/manifest', 'addresses and capabilities of this container'],
    ...served,
  ] as const;
  return all.map(([path, what]) => html`<li><a href="${links.served(path)}">${path}</a>: ${what}</li>`);
}
