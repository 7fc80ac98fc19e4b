/** Everything allowed before the first keyword: space, comments and the prologue (SPARQL 1.1 §19.8, rules 4 to 6). */
const PROLOGUE = /(?:\s|#[^\r\n]*|PREFIX\s+[^\s:]*:\s*<[^>]*>|BASE\s*<[^>]*>)*/iuy;
const KEYWORD = /[A-Za-z]*/uy;

/** Forms by first keyword (SPARQL 1.1 §19.8, rules 2, 29 and 30). */
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

/** `rows`: solutions or a truth value; `text`: a graph; `update`: not a query. */
export type QueryForm = 'rows' | 'text' | 'update';

/** Classifies a query by its first keyword; undefined if the engine will reject it. Not a security check. */
export function queryForm(sparql: string): QueryForm | undefined {
  PROLOGUE.lastIndex = 0;
  KEYWORD.lastIndex = PROLOGUE.exec(sparql)?.[0].length ?? 0;
  const keyword = KEYWORD.exec(sparql)?.[0].toUpperCase() ?? '';
  return Object.hasOwn(forms, keyword) ? forms[keyword] : undefined;
}

/** Tells whether a query may read named graphs; true in doubt, as in strings or `\u` escapes (SPARQL §19.2). */
export function mentionsGraphs(sparql: string): boolean {
  return /\b(?:GRAPH|FROM)\b|\\u/iu.test(sparql);
}
