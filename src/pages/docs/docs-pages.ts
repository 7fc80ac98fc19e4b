import { pages } from '../../derive/documentation/page-places.js';
import { callPage } from './call-page.js';
import { classPage } from './class-page.js';
import type { DocsSource } from './docs-source.js';
import { callsPage, classesPage, codesPage, propertiesPage } from './index-pages.js';
import { docsDocument } from './docs-layout.js';
import type { Links } from './docs-links.js';
import { mappingsPage } from './mappings-page.js';
import { overviewPage } from './overview-page.js';
import type { DocsPage } from './page-elements.js';

/** What the pages are made of, but for their links, which depend on where each page stands. */
export type DocsContent = Omit<DocsSource, 'links'>;

type MakePage = (source: DocsSource) => DocsPage;

/** Every page of the documentation by its place, `calls/get_medications`, with the function that makes it. */
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

/** The places of all pages; they are known before any example is made. */
export function placesOfPages(content: Pick<DocsContent, 'documentation'>): string[] {
  return [...pagesOf(content).keys()];
}

/**
 * Writes one page of the documentation as a whole document.
 * @param here its place, one of `placesOfPages`
 * @throws RangeError for any other place
 */
export function writeDocsPage(content: DocsContent, here: string, links: Links): string {
  const make = pagesOf(content).get(here);
  if (!make) throw new RangeError(`there is no page ${here}`);
  const { documentation, container } = content;
  return docsDocument({ documentation, container, links, here }, make({ ...content, links }));
}
