import { html } from '../html.js';
import { termLink, type DocsSource } from './docs-source.js';
import { joined, section, type DocsPage } from './page-elements.js';

/** The page of the mapping of FHIR: which class is filled from what, and what stays empty. */
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
              <dd>
                ${joined(
                  filled.map((iri) => termLink(source, iri)),
                  ', ',
                )}
              </dd>
              ${
                empty.length > 0 &&
                html`<dt>Left empty</dt>
                  <dd>
                    ${joined(
                      empty.map((iri) => termLink(source, iri)),
                      ', ',
                    )}
                  </dd>`
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
