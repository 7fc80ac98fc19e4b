import type { ClassDoc, RuleDoc } from '../docs-model/class-doc.js';
import { pages, placeOfCall } from '../docs-model/page-places.js';
import { rangeInWords } from '../../model/ontology/allowed-literals.js';
import { shortName, shortNameIn } from '../../model/ontology/term-names.js';
import { rdfs } from '../../rdf/vocabulary.js';
import { html, type Content } from '../../http/html/html.js';
import { termLink, termLinks, type DocsSource } from './docs-source.js';
import { factList, methodBadge, pathCode, samples, section, table, type DocsPage } from './page-elements.js';

/** The page of a class or a code set. */
export function classPage(source: DocsSource, doc: ClassDoc): DocsPage {
  const { model, name, description, codes } = doc;
  const { links, examples } = source;
  const [page, label] = codes ? [pages.codes, 'Code sets'] : [pages.classes, 'Classes'];
  const example = examples.classes.get(model.iri);
  return {
    title: model.label,
    summary: model.comment,
    content: html`<p class="crumbs"><a href="${links.to({ page })}">${label}</a> › <code>${name}</code></p>
      <h1>${model.label}</h1>
      <code class="iri">${model.iri}</code>
      <p class="lead">${model.comment}</p>
      ${description !== '' && description !== model.comment && html`<p>${description}</p>`}
      ${facts(source, doc)} ${codes && memberTable(source.documentation, doc)} ${rules(source, doc)}
      ${example && section('example', 'Example', samples('example', `Example of ${model.label}`, example))}
      ${usage(source, doc)}`,
  };
}

function facts(source: DocsSource, { model, children }: ClassDoc): Content {
  const rows: (readonly [string, Content])[] = [
    ...(model.ancestors.length > 0 ? [['Is a', termLinks(source, model.ancestors)] as const] : []),
    ...(children.length > 0 ? [['More special', termLinks(source, children)] as const] : []),
    ...(model.basePath === undefined ? [] : [['Addressed at', pathCode(model.basePath)] as const]),
  ];
  return rows.length > 0 && factList(rows);
}

function rules(source: DocsSource, { rules: all, model }: ClassDoc): Content {
  if (all.length === 0) return undefined;
  return section(
    'properties',
    'Properties',
    table(
      `Properties of ${model.label}`,
      ['Property', 'How many', 'Value', 'Meaning'],
      all.map((rule) => row(source, rule)),
      { ids: all.map(({ rule }) => anchorOf(source, rule.property)) },
    ),
  );
}

function row(source: DocsSource, { rule, property, name, cardinality, inherited }: RuleDoc): Content[] {
  return [
    termLink(source, rule.property),
    cardinality,
    range(source, rule),
    html`${property?.comment ?? name}${inherited && html`<p class="quiet small">From ${termLink(source, rule.from)}.</p>`}`,
  ];
}

function anchorOf({ documentation }: DocsSource, iri: string): string {
  return `property-${documentation.places.get(iri)?.anchor ?? 'other'}`;
}

function range(
  source: DocsSource,
  { classes, literal, datatype, codeClass, fixed, ranges }: RuleDoc['rule'],
): Content {
  const kind = classes.length > 0 ? termLinks(source, classes) : literal ? literalName(datatype) : 'anything';
  return [
    kind,
    codeClass !== undefined && html`<p class="small">code of ${termLink(source, codeClass)}</p>`,
    fixed.map(
      ({ property, value }) =>
        html`<p class="small">
          ${termLink(source, property)} is <code>${shortNameIn(source.documentation.ontology, value)}</code>
        </p>`,
    ),
    ranges.map(
      (each) =>
        html`<p class="small">
          ${each.on !== undefined && [termLink(source, each.on), ' is ']}${rangeInWords(each)}
        </p>`,
    ),
  ];
}

const literalName = (datatype: string | undefined): Content =>
  datatype === undefined || datatype === rdfs.Literal ? 'literal' : html`<code>${shortName(datatype)}</code>`;

function memberTable({ ontology }: DocsSource['documentation'], { codes, model }: ClassDoc): Content {
  if (!codes) return undefined;
  const { closed, members } = codes;
  const isHierarchy = members.some(({ broader }) => broader.length > 0);
  const above = (iris: readonly string[]): string =>
    iris.map((iri) => ontology.codes.get(iri)?.title ?? iri).join(', ');
  const kind = closed
    ? 'The set is closed: no other code belongs to it.'
    : 'The set is open: any code of its system may be used, and the ontology names none or only some.';
  return section(
    'codes',
    'Codes',
    html`<p>${kind}</p>`,
    members.length > 0 &&
      table(
        `Codes of ${model.label}`,
        ['Title', 'Identifier', 'IRI', ...(isHierarchy ? ['Below'] : [])],
        members.map(({ title, identifier, iri, broader }) => [
          title,
          html`<code>${identifier}</code>`,
          html`<code class="long">${iri}</code>`,
          ...(isHierarchy ? [above(broader)] : []),
        ]),
      ),
  );
}

function usage(source: DocsSource, { calls, usedBy, queries }: ClassDoc): Content {
  const { links, documentation } = source;
  const answering = queries.filter((name) => !calls.some((call) => call.name === name));
  const items: readonly Content[] = [
    ...calls.map(
      (call) =>
        html`<li>${methodBadge(call)} <a href="${links.to(placeOfCall(call))}">${call.label}</a></li>`,
    ),
    ...usedBy.map(
      ({ iri, property }) => html`<li>${termLink(source, property)} of ${termLink(source, iri)}</li>`,
    ),
    ...answering.flatMap((name) => {
      const call = documentation.ontology.callByName.get(name);
      return call
        ? [html`<li>Named by the query of <a href="${links.to(placeOfCall(call))}">${call.label}</a></li>`]
        : [];
    }),
  ];
  return (
    items.length > 0 &&
    section(
      'used',
      'Where it is used',
      html`<ul>
        ${items}
      </ul>`,
    )
  );
}
