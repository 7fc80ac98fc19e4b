/** Markup that is inserted unescaped. Only `html` and `filled` make it. */
export class Html {
  constructor(readonly text: string) {}
}

/** Content of a page: text is escaped, lists are joined, `undefined` and `false` are left out. */
export type Content = string | number | Html | readonly Content[] | undefined | false;

/** A template tag for markup: it escapes the values, in content and in quoted attributes. */
export function html(pieces: TemplateStringsArray, ...contents: readonly Content[]): Html {
  let text = '';
  for (const [index, piece] of flush(pieces).entries()) text += piece + written(contents[index]);
  return new Html(text);
}

/** Fills in names in double braces in markup from a file. @throws Error for a name without a value */
export function filled(markup: string, values: Readonly<Record<string, Content>>): Html {
  const text = markup.replaceAll(/\n\s+/gu, '\n').replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) => {
    if (!(name in values)) throw new Error(`nothing is given for ${name}`);
    return written(values[name]);
  });
  return new Html(text);
}

const flushed = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Removes the indentation of a template: it would be sent with every row. */
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
