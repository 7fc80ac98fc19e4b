import type { Documentation } from '../../derive/documentation/documentation.js';
import { pages } from '../../derive/documentation/page-places.js';
import { html } from '../html.js';
import { contents } from './contents.js';
import { docsSheet } from './docs-style.js';
import type { Links } from './docs-links.js';
import type { DocsPage } from './page-elements.js';

/** Where a page of the documentation stands. */
export interface DocsPageContext {
  readonly documentation: Documentation;
  /** Name of the container. */
  readonly container: string;
  readonly links: Links;
  /** The place of the page itself, such as `calls/get_medications`. */
  readonly here: string;
}

const menu: readonly (readonly [page: string, label: string])[] = [
  [pages.overview, 'Overview'],
  [pages.calls, 'Calls'],
  [pages.classes, 'Classes'],
  [pages.codes, 'Code sets'],
  [pages.properties, 'Properties'],
];

/** Writes a page of the documentation as a whole document. */
export function docsDocument(around: DocsPageContext, { title, summary, content }: DocsPage): string {
  const { container, links, here, documentation } = around;
  const [section] = here.split('/');
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content="${summary}" />
        <title>${title} – ${container}</title>
        ${docsSheet}
      </head>
      <body class="docs">
        <a class="skip" href="#content">Skip to the content</a>
        <header>
          <div class="bar">
            <a class="brand" href="${links.home}">${container}</a>
            <nav aria-label="Documentation">
              ${menu.map(
                ([page, label]) =>
                  html`<a href="${links.to({ page })}" ${page === section && current}>${label}</a>`,
              )}
            </nav>
            <a class="menu" href="#contents">Contents</a>
          </div>
        </header>
        <div class="frame">
          <nav class="side" id="contents" aria-label="Contents">
            <a class="close" href="#content">Close</a>
            ${contents(around)}
          </nav>
          <main id="content">
            ${content}
            <footer>
              Derived from the ontology, version ${documentation.ontology.version}. Patients, people and apps
              of the examples are invented.
            </footer>
          </main>
        </div>
      </body>
    </html> `.text;
}

const current = html`aria-current="page"`;
