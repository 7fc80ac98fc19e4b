/** A place in the documentation: a page below its own address, '' for the first, and an anchor in it. */
export interface Target {
  readonly page: string;
  readonly anchor?: string;
}

/** How one page of the documentation leads to others and out of it. */
export interface Links {
  /** To another page of the documentation. */
  to(target: Target): string;
  /** To what the container serves beside it: `/ontology`. */
  served(path: string): string;
  /** Where the name of the container leads. */
  readonly home: string;
}

const anchored = ({ anchor }: Target): string => (anchor === undefined ? '' : `#${anchor}`);

/** Links of pages that a container serves below `/docs`. @param basePath the path of the base URL, '' or `/x` */
export function servedLinks(basePath: string): Links {
  return {
    to: (target) => `${basePath}/docs${target.page === '' ? '' : `/${target.page}`}${anchored(target)}`,
    served: (path) => basePath + path,
    home: `${basePath}/`,
  };
}

/** What is written beside the pages, when they are written as files, of what a container serves. */
export const writtenBeside: Readonly<Record<string, string>> = {
  '/openapi.json': 'openapi.json',
  '/context.jsonld': 'context.jsonld',
};

/**
 * Links between pages that are files: relative, so that they work wherever the files are, without a server.
 * @param page the page that they stand on @param base the base URL of the container
 */
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

/** The file of a page. */
export function fileOf(page: string): string {
  return `${page === '' ? 'index' : page}.html`;
}
