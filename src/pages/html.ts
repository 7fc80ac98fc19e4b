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
  return new Html(pieces.map((piece, index) => piece + written(contents[index])).join(''));
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
