/** Derives a variable name: `sp:labName` and `sp:labName/dcterms:title` become `labName`. */
export function variableOf(path: string): string {
  const [name = ''] = path.split('/');
  const local = name.slice(name.indexOf(':') + 1).replaceAll(/\W/gu, '_');
  return local.charAt(0).toLowerCase() + local.slice(1);
}

/** Adds a pattern to the last group of a query, on a variable of the class. @returns the text and cursor position */
export function withPattern(text: string, className: string, property?: string) {
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

/** Text in which braces and dots have no meaning: comments, strings and IRIs. */
const OPAQUE = String.raw`#[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|<[^<>\s]*>`;

/** Ends the last pattern of a group with a dot, if needed. */
function finished(begun: string): string {
  const before = begun.trimEnd();
  const isComment = (match: string): boolean => match.startsWith('#');
  const said = before
    .replaceAll(new RegExp(OPAQUE, 'gu'), (match) => (isComment(match) ? '' : match))
    .trimEnd();
  if (/[.{};]$/u.test(said)) return before;
  return said === before ? `${before} .` : `${before}\n  .`;
}

/** Returns the end of the last top-level group; undefined if there is none. */
function endOfGroup(text: string): number | undefined {
  let depth = 0;
  let end: number | undefined;
  for (const { 0: sign, index } of text.matchAll(new RegExp(`${OPAQUE}|[{}]`, 'gu'))) {
    if (sign === '{') depth++;
    else if (sign === '}') {
      depth--;
      if (depth === 0) end = index;
    }
  }
  return end;
}
