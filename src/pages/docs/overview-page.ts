import { pages } from '../../derive/documentation/page-places.js';
import { html, type Html } from '../html.js';
import type { DocsSource } from './docs-source.js';
import { accessSections } from './overview-access.js';
import { analystSection } from './overview-analysts.js';
import { exchangeSections } from './overview-exchange.js';
import { errorSection } from './overview-errors.js';
import { section, type DocsPage } from './page-elements.js';
import { overviewParts, type OverviewPart } from './overview-parts.js';

/** The first page: what this container is, and what holds for all of its calls. */
export function overviewPage(source: DocsSource): DocsPage {
  const { container, description, base, documentation, links } = source;
  const { calls, classes, codeSets, properties } = documentation;
  const cards = [
    [pages.calls, 'Calls', `${calls.length} calls with their parameters, an example and its answer`],
    [pages.classes, 'Classes', `${classes.length} classes with their properties and an instance of each`],
    [pages.codes, 'Code sets', `${codeSets.length} sets of codes and their members`],
    [pages.properties, 'Properties', `${properties.length} properties and where they are used`],
  ] as const;
  const parts: Record<OverviewPart, readonly Html[]> = {
    ...accessSections(source),
    ...exchangeSections(source),
    analysts: analystSection(),
    errors: errorSection(source),
    machines: machines(source),
  };
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
      ${overviewParts.map(({ id, title }) => section(id, title, ...parts[id]))}`,
  };
}

function machines({ links, served }: DocsSource): Html[] {
  return [
    html`<p>The same description, for programs:</p>
      <ul>
        <li>
          <a href="${links.served('/ontology')}">/ontology</a>: the ontology itself, in every RDF format
        </li>
        <li>
          <a href="${links.served('/manifest')}">/manifest</a>: addresses and capabilities of this container
        </li>
        ${served.map(([path, what]) => html`<li><a href="${links.served(path)}">${path}</a>: ${what}</li>`)}
      </ul>`,
  ];
}
