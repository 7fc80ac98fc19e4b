/** What may stand before the first keyword: space, comments and the prologue (SPARQL 1.1 §19.8, rules 4 to 6). */
const PROLOGUE = /(?:\s|#[^\r\n]*|PREFIX\s+[^\s:]*:\s*<[^>]*>|BASE\s*<[^>]*>)*/iuy;
const KEYWORD = /[A-Za-z]*/uy;

/** What the first keyword of a text makes it (SPARQL 1.1 §19.8, rules 2, 29 and 30). */
const forms: Readonly<Record<string, QueryForm>> = {
  SELECT: 'rows',
  ASK: 'rows',
  CONSTRUCT: 'text',
  DESCRIBE: 'text',
  ...Object.fromEntries(
    ['INSERT', 'DELETE', 'LOAD', 'CLEAR', 'DROP', 'CREATE', 'ADD', 'MOVE', 'COPY', 'WITH'].map((word) => [
      word,
      'update',
    ]),
  ),
};

/** `rows`: answered with solutions or a truth value; `text`: with a graph; `update`: no query at all. */
export type QueryForm = 'rows' | 'text' | 'update';

/**
 * Which form a SPARQL text has, by its first keyword; undefined for what cannot be told, which the engine's parser
 * will refuse. It decides how an answer is asked for and protects nothing.
 */
export function queryForm(sparql: string): QueryForm | undefined {
  PROLOGUE.lastIndex = 0;
  KEYWORD.lastIndex = PROLOGUE.exec(sparql)?.[0].length ?? 0;
  const keyword = KEYWORD.exec(sparql)?.[0].toUpperCase() ?? '';
  return Object.hasOwn(forms, keyword) ? forms[keyword] : undefined;
}

/**
 * Whether a query may look into named graphs. The words can stand in strings and be spelled with `\u` escapes
 * (SPARQL 1.1 §19.2), so this errs on the side of yes.
 */
export function mentionsGraphs(sparql: string): boolean {
  return /\b(?:GRAPH|FROM)\b|\\u/iu.test(sparql);
}
