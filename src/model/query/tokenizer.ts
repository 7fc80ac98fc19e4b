/** The kinds of SPARQL tokens that binding needs to distinguish. */
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

/** `value` is the name of a variable, parameter or placeholder, else the text. */
export interface Token {
  kind: TokenKind;
  text: string;
  value: string;
  at: number;
}

/**
 * SPARQL 1.1 §19.8 terminals, longest first. `placeholder` is ours, for filter patterns: `{name}` without spaces,
 * which cannot be a group, and `<base{name}>`, which cannot be an IRI. Prefixes have at most 128 characters, because
 * lookalikes are rescanned from each of theirs.
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

// Named groups would cost an object per token.
const terminal = new RegExp(kinds.map(([, source]) => `(${source})`).join('|'), 'gsu');

/**
 * Splits SPARQL into tokens that join to the same text. It does not judge syntax, but knows for certain what is
 * inside a string, comment or IRI.
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

export function isSolid({ kind }: Token): boolean {
  return kind !== 'space' && kind !== 'comment';
}

export const solidTokens = (sparql: string): Token[] => tokenize(sparql).filter(isSolid);

/** Lists every IRI of a query in order, with prefixes expanded. */
export function termsOf(sparql: string) {
  return termsIn(solidTokens(sparql));
}

/** Like `termsOf`, from solid tokens. */
export function termsIn(tokens: readonly Token[]): { iri: string; at: number }[] {
  const prefixes = new Map<string, string>();
  return tokens.flatMap(({ kind, text, at }, index) => {
    const before = tokens[index - 1]?.text ?? '';
    if (kind === 'iri' && tokens[index - 2]?.text.toUpperCase() === 'PREFIX') {
      prefixes.set(before, text.slice(1, -1));
      return [];
    }
    if (/^(BASE|PREFIX)$/i.test(before)) return [];
    const iri = kind === 'iri' ? text.slice(1, -1) : kind === 'name' ? expand(text, prefixes) : undefined;
    return iri === undefined ? [] : [{ iri, at }];
  });
}

function expand(name: string, prefixes: ReadonlyMap<string, string>): string | undefined {
  const colon = name.indexOf(':') + 1;
  const namespace = prefixes.get(name.slice(0, colon));
  return namespace === undefined ? undefined : namespace + name.slice(colon).replace(/\\(.)/g, '$1');
}
