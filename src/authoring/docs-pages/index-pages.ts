import { html, type Html } from '../../http/html/html.js';
import { callGroups, classGroups, kindNames, scopeNames } from './contents.js';
import { termLink, termLinks, type DocsSource } from './docs-source.js';
import { methodBadge, pathCode, section, table, joined, type DocsPage } from './page-elements.js';

export function callsPage({ documentation, links }: DocsSource): DocsPage {
  return {
    title: 'Calls',
    summary: 'Every call of this container, with its path and its scope.',
    content: html`<h1>Calls</h1>
      <p class="lead">
        ${documentation.calls.length} calls, each described by the ontology. Paths stand below the base URL; a
        slash at their end means nothing.
      </p>
      ${callGroups(documentation).map(({ scope, calls }) =>
        section(
          `scope-${scope}`,
          scopeNames[scope],
          table(
            scopeNames[scope],
            ['Call', 'Path', 'What for'],
            calls.map(({ call, place }) => [
              html`<a href="${links.to(place)}">${call.label}</a>`,
              html`${methodBadge(call)} ${pathCode(call.path)}`,
              call.comment,
            ]),
            { ids: calls.map(({ call }) => call.name) },
          ),
        ),
      )}`,
  };
}

export function classesPage({ documentation, links }: DocsSource): DocsPage {
  const { ontology, classes } = documentation;
  return {
    title: 'Classes',
    summary: 'The classes of the record model, and what each is for.',
    content: html`<h1>The record model</h1>
      <code class="iri">${ontology.iri}</code>
      <p class="lead">
        ${classes.length} classes of the ontology, version ${ontology.version}. A record is made of
        statements; their values are coded, measured or told in parts that have classes of their own.
      </p>
      <p>
        The ontology itself is at <a href="${links.served('/ontology')}">/ontology</a>, as RDF for those who
        ask for it. Its <a href="${links.to({ page: 'codes' })}">code sets</a> and
        <a href="${links.to({ page: 'properties' })}">properties</a> have pages of their own.
      </p>
      ${classGroups(documentation).map(({ kind, classes: own }) =>
        section(
          `kind-${kind}`,
          kindNames[kind],
          html`<ul class="cards">
            ${own.map(
              ({ model, place }) =>
                html`<li>
                  <a href="${links.to(place)}"
                    ><strong>${model.label}</strong><span>${model.comment}</span></a
                  >
                </li>`,
            )}
          </ul>`,
        ),
      )}`,
  };
}

export function codesPage({ documentation, links }: DocsSource): DocsPage {
  return {
    title: 'Code sets',
    summary: 'The sets of codes that values come from.',
    content: html`<h1>Code sets</h1>
      <p class="lead">Coded values take their codes from these sets. A closed set lists all its members.</p>
      ${table(
        'Code sets',
        ['Set', 'Codes', 'What for'],
        documentation.codeSets.map(({ model, place, codes }) => [
          html`<a href="${links.to(place)}">${model.label}</a>`,
          codes?.closed === true ? `${codes.members.length}, closed` : 'open',
          model.comment,
        ]),
      )}`,
  };
}

export function propertiesPage(source: DocsSource): DocsPage {
  const { properties } = source.documentation;
  return {
    title: 'Properties',
    summary: 'Every property of the ontology, with the classes that have it.',
    content: html`<h1>Properties</h1>
      <p class="lead">${properties.length} properties, with the classes that have rules for them.</p>
      ${properties.map(
        ({ model, name, jsonName, place, classes }): Html =>
          html`<section class="entry" aria-labelledby="${place.anchor ?? ''}">
            <h3 id="${place.anchor ?? ''}">
              <code>${name}</code
              ><a class="anchor" href="#${place.anchor ?? ''}" aria-label="Link to this property">#</a>
            </h3>
            <p>${model.comment === '' ? model.label : model.comment}</p>
            <p class="small quiet">
              ${kinds[model.kind]}${jsonName !== undefined && html` · <code>${jsonName}</code> in JSON-LD`}${
                model.choices.length > 0 && html` · one of ${model.choices.join(', ')}`
              }${classes.length > 0 && html` · of ${termLinks(source, classes)}`}
            </p>
          </section>`,
      )}`,
  };
}

const kinds = { datatype: 'Literal', object: 'Link', annotation: 'Annotation' } as const;

/** The page of the mapping of FHIR: what fills each class, and what stays empty. */
export function mappingsPage(source: DocsSource): DocsPage {
  const { mappings } = source;
  return {
    title: 'From FHIR',
    summary: 'How resources of FHIR R4 become statements.',
    content: html`<h1>From FHIR R4</h1>
      <p class="lead">
        ${
          mappings.length === 0
            ? 'This container has no mapping of FHIR resources.'
            : `${mappings.length} queries make statements of FHIR resources when a file of them is loaded.`
        }
      </p>
      ${mappings.map(({ name, summary, target, sources, elements, filled, empty }) =>
        section(
          `mapping-${name}`,
          termLink(source, target),
          html`<p>${summary}</p>
            <dl>
              <dt>From</dt>
              <dd>${sources.join(', ')}</dd>
              <dt>Filled</dt>
              <dd>${termLinks(source, filled)}</dd>
              ${
                empty.length > 0 &&
                html`<dt>Left empty</dt>
                  <dd>${termLinks(source, empty)}</dd>`
              }
              <dt>Read</dt>
              <dd>
                ${joined(
                  elements.map((path) => html`<code>${path}</code>`),
                  ', ',
                )}
              </dd>
            </dl>`,
        ),
      )}`,
  };
}
