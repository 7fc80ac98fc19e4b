import type { Documentation } from '../docs-model/documentation.js';
import type { MappingDoc } from '../docs-model/mapping-doc.js';
import type { PageAddress } from '../docs-model/page-places.js';
import type { Examples } from '../examples/example.js';
import { shortNameIn } from '../../model/ontology/term-names.js';
import { html, type Content, type Html } from '../../http/html/html.js';

/** Makes the links of one page. */
export interface Links {
  /** Links to another page of the documentation. */
  to(target: PageAddress): string;
  /** Links to another path of the container, such as `/ontology`. */
  served(path: string): string;
  readonly home: string;
}

const anchored = ({ anchor }: PageAddress): string => (anchor === undefined ? '' : `#${anchor}`);

/** Makes links for pages that a container serves below `/docs`. @param basePath of the base URL, '' or `/x` */
export function servedLinks(basePath: string): Links {
  return {
    to: (target) => `${basePath}/docs${target.page === '' ? '' : `/${target.page}`}${anchored(target)}`,
    served: (path) => basePath + path,
    home: `${basePath}/`,
  };
}

/** Documents written with the pages, if written as files, by the container's path. */
export const writtenBeside: Readonly<Record<string, string>> = {
  '/openapi.json': 'openapi.json',
  '/context.jsonld': 'context.jsonld',
};

/** Makes relative links between pages in files. @param page that they are on @param base URL of the container */
export function fileLinks(page: string, base: string): Links {
  const up = '../'.repeat(page.split('/').length - 1);
  return {
    to: (target) => `${up}${fileOf(target.page)}${anchored(target)}`,
    served: (path) => {
      const file = writtenBeside[path];
      return file === undefined ? base + path : up + file;
    },
    home: `${up}${fileOf('')}`,
  };
}

export function fileOf(page: string): string {
  return `${page === '' ? 'index' : page}.html`;
}

export interface DocsSource {
  readonly documentation: Documentation;
  readonly examples: Examples;
  readonly mappings: readonly MappingDoc[];
  readonly links: Links;
  readonly base: string;
  readonly container: string;
  readonly description: string;
  readonly containerAccess: 'open' | 'signed';
  /** Further paths that the container serves, with descriptions. */
  readonly served: readonly (readonly [path: string, what: string])[];
}

/** Links a class or property to its explanation; an IRI without one is plain text. */
export function termLink({ documentation, links }: DocsSource, iri: string, label?: string): Html {
  const place = documentation.places.get(iri);
  const shown = label ?? html`<code>${shortNameIn(documentation.ontology, iri)}</code>`;
  return place ? html`<a href="${links.to(place)}">${shown}</a>` : html`${shown}`;
}

/** Links several terms with a separator. */
export const termLinks = (source: DocsSource, iris: readonly string[], between = ', '): Content =>
  iris.map((iri, index) => [index > 0 && between, termLink(source, iri)]);
