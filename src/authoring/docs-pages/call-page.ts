import type { Argument } from '../client-source/call-arguments.js';
import type { CallDoc } from '../docs-model/documentation.js';
import { pages, placeOfCall } from '../docs-model/page-places.js';
import type { CallExample } from '../examples/example.js';
import { curlExample, signedExample } from '../examples/signed-example.js';
import { factsOf } from '../../model/ontology/answer-forms.js';
import { valueTypeFacts } from '../../model/ontology/value-types.js';
import { problemKinds } from '../../model/problem.js';
import { html, type Content, type Html } from '../../http/html/html.js';
import { scopeNames } from './contents.js';
import { termLink, termLinks, type DocsSource } from './docs-source.js';
import {
  factList,
  methodBadge,
  nameOfType,
  pathCode,
  section,
  table,
  code,
  samples,
  type DocsPage,
} from './page-elements.js';

/** The page of a call: its purpose, arguments, signature and answers. */
export function callPage(source: DocsSource, doc: CallDoc): DocsPage {
  const { call, related } = doc;
  const { links } = source;
  const of = (role: Argument['role']): Argument[] =>
    doc.arguments.filter((argument) => argument.role === role);
  return {
    title: call.label,
    summary: call.comment,
    content: html`<p class="crumbs">
        <a href="${links.to({ page: pages.calls })}">Calls</a> › ${scopeNames[call.scope]}
      </p>
      <h1>${call.label}</h1>
      <p class="lead">${call.comment}</p>
      <p class="address">${methodBadge(call)} ${pathCode(call.path)}</p>
      ${facts(source, doc)} ${argumentTable('path', 'In the path', of('path'))}
      ${argumentTable('parameters', 'Parameters', of('parameter'))}
      ${argumentTable('filters', 'Filters', of('filter'), filterNote(source))} ${headers(doc)}
      ${callExample(source, doc)} ${refusals(source, doc)}
      ${
        related.length > 0 &&
        section(
          'related',
          'Related calls',
          html`<ul>
            ${related.map(
              (other) =>
                html`<li>
                  <a href="${links.to(placeOfCall(other))}">${other.label}</a>
                  <code>${other.method} ${other.path}</code>
                </li>`,
            )}
          </ul>`,
        )
      }`,
  };
}

function facts(source: DocsSource, { call, exchange }: CallDoc): Html {
  const { links, documentation } = source;
  const target = termLink(source, call.target, documentation.ontology.classes.get(call.target)?.label);
  const sorted = call.sortNames.length > 0 ? 'by name, from A to Z' : undefined;
  const rows: (readonly [string, Content])[] = [
    ['Scope', html`<a href="${links.to({ page: '', anchor: 'scopes' })}">${call.scope}</a>`],
    ['Client method', html`<code>${call.name}</code>`],
    [
      call.method === 'GET' ? 'Answers with' : 'About',
      html`${call.cardinality === 'multiple' && 'a list of: '}${target}`,
    ],
    ...(call.defaultSort === undefined && sorted === undefined
      ? []
      : [
          [
            'Order',
            sorted ?? html`newest first, by ${termLinks(source, call.sortProperties, ' or ')}`,
          ] as const,
        ]),
    ['Media types', exchange.answers.map(typeName).join(', ')],
    ['In the ontology', html`<code class="long">${call.iri}</code>`],
  ];
  return factList(rows);
}

const typeName = (type: string): string => (type === '*/*' ? 'as stored' : nameOfType(type));

function headers({ exchange, call }: CallDoc): Content {
  if (exchange.headers.length === 0 && exchange.bodies.length === 0) return undefined;
  const body =
    exchange.bodies.length > 0 &&
    html`<p>The body: ${exchange.bodies.map(bodyName).join(', ')}; at most 1 MB.</p>`;
  return section(
    'headers',
    call.method === 'GET' ? 'Headers' : 'Headers and body',
    body,
    table(
      'Headers of the request',
      ['Name', 'Meaning'],
      exchange.headers.map(({ name, comment }) => [html`<code>${name}</code>`, comment]),
      { slim: true },
    ),
  );
}

const bodyName = (type: string): string =>
  type === '*/*' ? 'any text, kept with its media type' : nameOfType(type);

function refusals({ links }: DocsSource, { exchange }: CallDoc): Html {
  return section(
    'refusals',
    'Refusals',
    table(
      'Refusals of this call',
      ['Type', 'Status', 'Meaning'],
      exchange.problems.map((kind) => [
        html`<a href="${links.to({ page: '', anchor: `problem-${kind}` })}"><code>${kind}</code></a>`,
        problemKinds[kind].status,
        problemKinds[kind].title,
      ]),
      { slim: true },
    ),
  );
}

/** A table of the arguments in one place; nothing if there are none. */
function argumentTable(id: string, title: string, all: readonly Argument[], note?: Content): Content {
  if (all.length === 0) return undefined;
  return section(
    id,
    title,
    table(
      title,
      ['Name', 'Value', 'Meaning'],
      all.map(({ name, comment, schema, valueType }) => [
        html`<code>${name}</code>`,
        valueName(schema, valueType),
        comment,
      ]),
      { slim: true },
    ),
    note,
  );
}

function valueName(schema: Argument['schema'], valueType: Argument['valueType']): Content {
  const { enum: choices, minimum, maximum } = schema;
  if (Array.isArray(choices)) return choices.map((choice) => html`<code>${String(choice)}</code> `);
  const range =
    maximum === undefined
      ? minimum !== undefined && `, from ${String(minimum)}`
      : `, ${String(minimum)} to ${String(maximum)}`;
  return [valueTypeFacts[valueType].label, range];
}

const filterNote = ({ links }: DocsSource): Html =>
  html`<p>
    Filters are combined with “and”.
    <a href="${links.to({ page: '', anchor: 'lists' })}">How dates are compared</a>
  </p>`;

/** The example of a call: a shell command, its header, and the answer; nothing if the seed has none. */
function callExample(source: DocsSource, { call }: CallDoc): Content {
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
            This container answers the call unsigned. If you sign it anyway, a wrong signature is an error.
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
