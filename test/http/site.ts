/** The links and the anchors of a page. */
export interface PageParts {
  /** Values of href as they stand, entities resolved. */
  readonly links: readonly string[];
  readonly anchors: ReadonlySet<string>;
  /** Every id, also one that occurs twice. */
  readonly ids: readonly string[];
}

/** Reads the links and ids of a page that we wrote ourselves: every attribute is quoted. */
export function partsOf(page: string): PageParts {
  const values = (name: string): string[] =>
    [...page.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value = '']) => unescaped(value));
  const ids = values('id');
  return { links: values('href'), ids, anchors: new Set(ids) };
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Text of a page as people read it. */
export function unescaped(text: string): string {
  return text.replace(/&([a-z]+|#39);/g, (all, name: string) => entities[name] ?? all);
}

/** The text of the `pre` elements of a part of a page, tags taken out. A line feed right at their start is none. */
export function codeIn(page: string): string[] {
  return [...page.matchAll(/<pre[^>]*>\n?(.*?)<\/pre>/gs)].map(([, inner = '']) =>
    unescaped(inner.replace(/<[^>]*>/g, '')),
  );
}
