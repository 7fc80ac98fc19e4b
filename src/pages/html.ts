/** Markup that may be put into a page as it is. Only `html` makes it. */
export class Html {
  constructor(readonly text: string) {}
}

/** What a page may hold: texts are escaped, lists are joined, `undefined` and `false` are nothing. */
export type Content = string | number | Html | readonly Content[] | undefined | false;

/**
 * Writes markup: what stands in the template is markup, what is put into it is text and gets escaped, in element
 * content and in quoted attributes alike.
 */
export function html(pieces: TemplateStringsArray, ...contents: readonly Content[]): Html {
  let text = '';
  for (const [index, piece] of flush(pieces).entries()) text += piece + written(contents[index]);
  return new Html(text);
}

const flushed = new WeakMap<TemplateStringsArray, readonly string[]>();

/** The markup of a template without what indents its lines: it is sent with every row. */
function flush(pieces: TemplateStringsArray): readonly string[] {
  let known = flushed.get(pieces);
  if (!known) flushed.set(pieces, (known = pieces.map((piece) => piece.replaceAll(/\n\s+/g, '\n'))));
  return known;
}

function written(content: Content): string {
  if (content === undefined || content === false) return '';
  if (content instanceof Html) return content.text;
  if (typeof content === 'string' || typeof content === 'number') return escape(String(content));
  return content.map(written).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
