/** What a token of SPARQL text is, as far as binding needs to know. */
export type TokenKind =
  | 'space'
  | 'comment'
  | 'string'
  | 'iri'
  | 'placeholder'
  | 'parameter'
  | 'variable'
  | 'name'
  | 'word'
  | 'number'
  | 'sign';

/** One token; `value` is the name of a variable, parameter or placeholder, else the text itself. */
export interface Token {
  kind: TokenKind;
  text: string;
  value: string;
  /** Offset of its first character. */
  at: number;
}

/**
 * SPARQL 1.1 §19.8 terminals, longest first where two could match. `placeholder` is ours: `{name}` without spaces,
 * which no group of SPARQL can be, and `<base{name}>`, which no IRI can be; it is only read in filter patterns. A prefix is
 * read up to 128 characters: what only looks like one is looked through from each of its characters.
 */
const kinds: readonly (readonly [TokenKind, string])[] = [
  ['space', '[\\x20\\t\\r\\n]+'],
  ['comment', '#[^\\r\\n]*'],
  [
    'string',
    '"""(?:(?:"|"")?(?:[^"\\\\]|\\\\.))*"""|\'\'\'(?:(?:\'|\'\')?(?:[^\'\\\\]|\\\\.))*\'\'\'' +
      '|"(?:[^"\\\\\\r\\n]|\\\\.)*"|\'(?:[^\'\\\\\\r\\n]|\\\\.)*\'',
  ],
  ['iri', '<[^<>"{}|^`\\\\\\x00-\\x20]*>'],
  ['placeholder', '\\{[A-Za-z_][A-Za-z0-9_]*\\}|<[^<>"{}|^`\\\\\\x00-\\x20]*\\{[A-Za-z_][A-Za-z0-9_]*\\}>'],
  ['parameter', '\\$[\\p{L}\\p{N}_][\\p{L}\\p{N}\\p{M}_\\u00B7]*'],
  ['variable', '\\?[\\p{L}\\p{N}_][\\p{L}\\p{N}\\p{M}_\\u00B7]*'],
  [
    'name',
    '(?:[\\p{L}_](?:[\\p{L}\\p{N}\\p{M}_.\\-\\u00B7]{0,126}[\\p{L}\\p{N}\\p{M}_\\-\\u00B7])?)?:' +
      "(?:(?:[\\p{L}\\p{N}_:]|%[0-9A-Fa-f]{2}|\\\\[_~.\\-!$&'()*+,;=/?#@%])" +
      "(?:(?:[\\p{L}\\p{N}\\p{M}_:.\\-\\u00B7]|%[0-9A-Fa-f]{2}|\\\\[_~.\\-!$&'()*+,;=/?#@%])*" +
      "(?:[\\p{L}\\p{N}\\p{M}_:\\-\\u00B7]|%[0-9A-Fa-f]{2}|\\\\[_~.\\-!$&'()*+,;=/?#@%]))?)?",
  ],
  ['word', '@?[\\p{L}_][\\p{L}\\p{N}_\\-]*'],
  ['number', '[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?'],
  ['sign', '.'],
];

// Numbered groups: named ones would cost an object for each token.
const terminal = new RegExp(kinds.map(([, source]) => `(${source})`).join('|'), 'gsu');

/**
 * Splits SPARQL text into tokens whose texts, joined, are the text again. It does not judge the syntax (the parser
 * does that): it only knows for certain what is inside a string, a comment or an IRI and what is not.
 */
export function tokenize(sparql: string): Token[] {
  return Array.from(sparql.matchAll(terminal), (match) => {
    const [text] = match;
    let group = 1;
    while (match[group] === undefined) group++;
    const kind = kinds[group - 1]?.[0] ?? 'sign';
    return { kind, text, value: valueOf(kind, text), at: match.index };
  });
}

/** The number of the line, from 1, in which an offset lies. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|\r|\n/).length;
}

function valueOf(kind: TokenKind, text: string): string {
  if (kind === 'placeholder') return /\{([^{}]*)\}/.exec(text)?.[1] ?? '';
  return kind === 'parameter' || kind === 'variable' ? text.slice(1) : text;
}

/** Whether a token is a keyword. @param word in capitals */
export function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toUpperCase() === word;
}

/** Whether a token says something. */
export function isSolid({ kind }: Token): boolean {
  return kind !== 'space' && kind !== 'comment';
}

/** The tokens of a text that say something. */
export const solidTokens = (sparql: string): Token[] => tokenize(sparql).filter(isSolid);
