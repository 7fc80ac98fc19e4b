import { pages } from '../docs-model/page-places.js';
import { html } from '../../http/html/html.js';
import { callPage } from './call-page.js';
import { classPage } from './class-page.js';
import { contents } from './contents.js';
import type { DocsSource, Links } from './docs-source.js';
import { docsSheet } from './docs-style.js';
import { callsPage, classesPage, codesPage, propertiesPage, mappingsPage } from './index-pages.js';
import { overviewPage } from './overview-page.js';
import type { DocsPage } from './page-elements.js';

/** The content of the pages without links, which depend on where a page is. */
export type DocsContent = Omit<DocsSource, 'links'>;

type MakePage = (source: DocsSource) => DocsPage;

/** Every page by its path, such as `calls/get_medications`, with the function that makes it. */
function pagesOf({ documentation }: Pick<DocsContent, 'documentation'>): ReadonlyMap<string, MakePage> {
  const { calls, classes, codeSets } = documentation;
  return new Map<string, MakePage>([
    [pages.overview, overviewPage],
    [pages.calls, callsPage],
    [pages.classes, classesPage],
    [pages.codes, codesPage],
    [pages.properties, propertiesPage],
    [pages.mappings, mappingsPage],
    ...calls.map((doc) => [doc.place.page, (source: DocsSource) => callPage(source, doc)] as const),
    ...[...classes, ...codeSets].map(
      (doc) => [doc.place.page, (source: DocsSource) => classPage(source, doc)] as const,
    ),
  ]);
}

/** Returns the paths of all pages, which are known before examples are made. */
export function placesOfPages(content: Pick<DocsContent, 'documentation'>): string[] {
  return [...pagesOf(content).keys()];
}

/** Writes a page as a complete document. @param here one of `placesOfPages` @throws RangeError for any other */
export function writeDocsPage(content: DocsContent, here: string, links: Links): string {
  const make = pagesOf(content).get(here);
  if (!make) throw new RangeError(`there is no page ${here}`);
  const source = { ...content, links };
  return docsDocument({ ...source, here }, make(source));
}

export interface DocsPageContext extends Pick<DocsSource, 'documentation' | 'container' | 'links'> {
  /** The path of the page itself, such as `calls/get_medications`. */
  readonly here: string;
}

const menu: readonly (readonly [page: string, label: string])[] = [
  [pages.overview, 'Overview'],
  [pages.calls, 'Calls'],
  [pages.classes, 'Classes'],
  [pages.codes, 'Code sets'],
  [pages.properties, 'Properties'],
];

function docsDocument(around: DocsPageContext, { title, summary, content }: DocsPage): string {
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
