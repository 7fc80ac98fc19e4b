import { pages } from '../../derive/documentation/page-places.js';
import { Problem, problemKinds, type ProblemKind } from '../../problem.js';
import { html, type Html } from '../html.js';
import type { DocsSource } from './docs-source.js';
import { accessSections } from './overview-access.js';
import { exchangeSections } from './overview-exchange.js';
import { code, section, table, type DocsPage } from './page-elements.js';
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

/** The part of the first page about queries over all records. Answers that are cut, and queries that were ended, link to it. */
function analystSection(): Html[] {
  return [
    html`<p>
      Analysts ask SPARQL 1.1 queries over all records at <code>/sparql</code>, where the container answers
      them, with a bearer token. People are not named in what they see, unless an administrator gave more.
    </p>`,
    html`<p>
      An answer has a largest number of rows. Where there are more, <code>Chartgraph-Truncated</code> is
      <code>true</code> and <code>Chartgraph-Rows</code> says how many were sent. Either let the query count
      and group, or ask for one part after the other with <code>LIMIT</code> and <code>OFFSET</code>. The
      parts fit together only where <code>ORDER BY</code> names so many variables that no two rows are alike,
      and where <code>Chartgraph-Revision</code> is the same for all of them.
    </p>`,
    html`<p>
      A query that takes too long or too much memory is ended with <code>query-limit</code>. Name the class
      and the record first, filter within the pattern that a filter is about, and ask for fewer columns;
      <code>explain=true</code> beside the query tells at which step its rows become many.
    </p>`,
  ];
}

/** The part of the first page about refusals: their form and every kind of them. */
function errorSection({ documentation }: DocsSource): Html[] {
  const call = documentation.ontology.calls.find(
    ({ scope, method }) => scope === 'record' && method === 'GET',
  );
  const { type, title, status } = new Problem('forbidden', '');
  const shown = { type, title, status, detail: 'The access token is for another record.', call: call?.iri };
  return [
    html`<p>
      Every refusal is a problem document (RFC 9457), <code>application/problem+json</code>. It names the call
      and what is wrong, and holds nothing of a patient:
    </p>`,
    code(JSON.stringify(shown, null, 2), 'application/json', 'A problem document'),
    html`<p>
      The type is <code>${type.slice(0, type.indexOf('#') + 1)}</code> and one of these. Refusals come in one
      order: no such call, no such method, not proved, not allowed, malformed, not found, and then what the
      call itself refuses.
    </p>`,
    table(
      'Kinds of refusals',
      ['Type', 'Status', 'Meaning'],
      (Object.keys(problemKinds) as ProblemKind[]).map((kind) => ({
        id: `problem-${kind}`,
        cells: [html`<code>${kind}</code>`, problemKinds[kind].status, problemKinds[kind].title],
      })),
      { slim: true },
    ),
  ];
}
