import type { Argument } from '../../derive/call-arguments.js';
import type { CallDoc } from '../../derive/documentation/documentation.js';
import { pages, placeOfCall } from '../../derive/documentation/page-places.js';
import { problemKinds } from '../../problem.js';
import { html, type Content, type Html } from '../html.js';
import { callExample } from './call-example.js';
import { argumentTable, filterNote } from './argument-table.js';
import { scopeNames } from './contents.js';
import { termLink, type DocsSource } from './docs-source.js';
import {
  factList,
  joined,
  methodBadge,
  nameOfType,
  pathCode,
  section,
  table,
  type DocsPage,
} from './page-elements.js';

/** The page of a call: what it is for, what it takes, how it is signed and what it answers. */
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
            sorted ??
              html`newest first, by
              ${joined(
                call.sortProperties.map((iri) => termLink(source, iri)),
                ' or ',
              )}`,
          ] as const,
        ]),
    ['Media types', exchange.answers.map(typeName).join(', ')],
    ['In the ontology', html`<code class="long">${call.iri}</code>`],
  ];
  return factList(rows);
}

const typeName = (type: string): string => (type === '*/*' ? 'whatever is stored' : nameOfType(type));

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
      exchange.headers.map(({ name, comment }) => ({ cells: [html`<code>${name}</code>`, comment] })),
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
      exchange.problems.map((kind) => ({
        cells: [
          html`<a href="${links.to({ page: '', anchor: `problem-${kind}` })}"><code>${kind}</code></a>`,
          problemKinds[kind].status,
          problemKinds[kind].title,
        ],
      })),
      { slim: true },
    ),
  );
}
