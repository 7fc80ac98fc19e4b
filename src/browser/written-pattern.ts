/** A text with a place in it. */
export interface EditedText {
  readonly text: string;
  readonly cursor: number;
}

/** `sp:labName` and `sp:labName/dcterms:title` → `labName`: a name that a variable can have. */
export function variableOf(path: string): string {
  const [name = ''] = path.split('/');
  const local = name.slice(name.indexOf(':') + 1).replaceAll(/\W/gu, '_');
  return local.charAt(0).toLowerCase() + local.slice(1);
}

/**
 * A query with the pattern of a class, and of a property or path from it, in its last group. A variable that is of the class
 * already is taken; a text without a group becomes a query.
 */
export function withPattern(text: string, className: string, property?: string): EditedText {
  const known = new RegExp(
    String.raw`([?$]\w+)\s+a\s+${className.replaceAll(/[.-]/gu, '\\$&')}(?![\w-])`,
    'u',
  ).exec(text)?.[1];
  const subject = known ?? `?${variableOf(className)}`;
  const of = known === undefined ? [`${subject} a ${className} .`] : [];
  const value = property === undefined ? [] : [`${subject} ${property} ?${variableOf(property)} .`];
  const lines = [...of, ...value].map((line) => `  ${line}\n`).join('');
  const end = endOfGroup(text);
  if (end === undefined) {
    const begun = `${text.trimEnd()}${text.trim() === '' ? '' : '\n'}SELECT * WHERE {\n${lines}`;
    return { text: `${begun}}\nLIMIT 100\n`, cursor: begun.length - 1 };
  }
  const begun = `${finished(text.slice(0, end))}\n${lines}`;
  return { text: begun + text.slice(end), cursor: begun.length - 1 };
}

/** What may hold braces and dots that are none: comments, strings and IRIs. */
const OTHER = String.raw`#[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|<[^<>\s]*>`;

/** The beginning of a group with a dot at its end, where its last pattern has none. */
function finished(begun: string): string {
  const before = begun.trimEnd();
  const isComment = (match: string): boolean => match.startsWith('#');
  const said = before
    .replaceAll(new RegExp(OTHER, 'gu'), (match) => (isComment(match) ? '' : match))
    .trimEnd();
  if (/[.{};]$/u.test(said)) return before;
  return said === before ? `${before} .` : `${before}\n  .`;
}

/** Where the last group that lies in no other ends; undefined where there is none. */
function endOfGroup(text: string): number | undefined {
  let depth = 0;
  let end: number | undefined;
  for (const { 0: sign, index } of text.matchAll(new RegExp(`${OTHER}|[{}]`, 'gu'))) {
    if (sign === '{') depth++;
    else if (sign === '}') {
      depth--;
      if (depth === 0) end = index;
    }
  }
  return end;
}
