import type { CallDoc } from '../../derive/documentation/documentation.js';
import { curlExample } from '../../derive/examples/curl.js';
import type { CallExample } from '../../derive/examples/example.js';
import { signedExample } from '../../derive/examples/signed-example.js';
import { factsOf } from '../../ontology/answer-forms.js';
import { html, type Content, type Html } from '../html.js';
import type { DocsSource } from './docs-source.js';
import { code, nameOfType, samples, section } from './page-elements.js';

/** The example of a call: a request from a shell, its header, and the answer; nothing where the seed has none. */
export function callExample(source: DocsSource, { call }: CallDoc): Content {
  const example = source.examples.calls.get(call.name);
  if (!example) return undefined;
  return section('example', 'Example', request(source, example), answer(example));
}

function request({ base, containerAccess, links }: DocsSource, { request: sent }: CallExample): Html {
  const isOpen = sent.call.scope === 'container' && containerAccess === 'open';
  const curl = curlExample(sent, base, isOpen);
  const isLong = sent.body?.text.includes('\n') ?? false;
  const shell = [curl.token, curl.call].filter((lines) => lines !== undefined).join('\n');
  const signed = signedExample(sent.call.method, base + sent.target, sent.app);
  return html`<h3 id="request">Request</h3>
    ${isLong && html`<p>With this body in the file <code>body.rdf</code>:</p>`}
    ${isLong && sent.body && html`<div id="body">${code(sent.body.text, sent.body.mediaType, 'Body of the request')}</div>`}
    <div id="shell">${code(shell, 'shell', 'Request from a shell', true)}</div>
    ${
      isOpen
        ? html`<p>
            This container answers the call unsigned. A client that signs it all the same is told when its
            signature is wrong.
          </p>`
        : html`<p>
              The same signature by hand, with the
              <a href="${links.to({ page: '', anchor: 'signing' })}">secrets of the examples</a>, at the
              moment that it names:
            </p>
            ${code(`Authorization: ${signed.authorization}`, 'http', 'Authorization header', true)}`
    }`;
}

function answer({ request: { call }, headers, samples: shown }: CallExample): Html {
  const [first] = shown;
  const asked = shown.length > 1;
  return html`<h3 id="answer">Answer</h3>
    <p>
      <code>200</code>${first && html` with <code>Content-Type: ${first.mediaType}</code>`}${headers.map(
        ([name, value]) => html`, <code>${name}: ${value}</code>`,
      )}${first ? '.' : html`, with nothing in it.`}
      ${
        asked &&
        html`Other serialisations are asked for with Accept,
        ${shown
          .slice(1)
          .map(({ mediaType }) => nameOfType(mediaType))
          .join(' and ')}
        among them.`
      }
      ${first?.mediaType === 'application/json' && factsOf(call).example === 'json' && 'Line breaks are added here.'}
    </p>
    ${samples('answer', 'Answer', shown)}`;
}
