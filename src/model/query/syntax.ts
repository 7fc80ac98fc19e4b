import { createRequire } from 'node:module';
import type * as traqula from '@traqula/parser-sparql-1-1';
import type * as rules from '@traqula/rules-sparql-1-1';
import { lineAt, tokenize } from './tokenizer.js';

const wordAt = /^(?:[\p{L}\d_:-]{1,40}|.)/su;
const MAX_WORD_LENGTH = 40;
const foundToken = /but found(?:: | --> )'?(.*?)'?(?: <--)?$/m;

// Loading the parser takes longer than starting a container, which does not need it for checked queries.
const require = createRequire(import.meta.url);
let parser: traqula.Parser | undefined;

function newParser(): traqula.Parser {
  const { Parser } = require('@traqula/parser-sparql-1-1') as typeof traqula;
  return new Parser({ lexerConfig: { positionTracking: 'full' } });
}

/** The first error of a SPARQL text, in the parser's words. */
export interface SyntaxFault {
  line: number | undefined;
  column?: number | undefined;
  reason: string;
  isForm: boolean;
}

/** The syntax tree of a SPARQL 1.1 query or update. @throws the parser's error */
export function parseSparql(sparql: string): ReturnType<traqula.Parser['parse']> {
  // Building the grammar takes longer than parsing all queries.
  parser ??= newParser();
  return parser.parse(sparql);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

export interface PlacedTree {
  readonly tree: ReturnType<traqula.Parser['parse']>;
  /** The input with its codepoint escapes resolved (SPARQL 1.1 §19.2). */
  readonly text: string;
}

export type SparqlQuery = Extract<PlacedTree['tree'], { type: 'query' }>;

const codepointEscape = /\\u[0-9a-f]{4}|\\U[0-9a-f]{8}/iu;

/**
 * Resolves codepoint escapes (SPARQL 1.1 §19.2), so that tokens, parser and engine read the same text. A pair of
 * backslashes before `u` keeps its meaning when the result is resolved again. @throws the parser's error
 */
export function resolveEscapes(sparql: string): string {
  if (!codepointEscape.test(sparql)) return sparql;
  const { sparqlCodepointEscape } = require('@traqula/rules-sparql-1-1') as typeof rules;
  return sparqlCodepointEscape(sparql).replace(
    /(?<=\\)[uU]/gu,
    (letter) => `\\u00${letter === 'u' ? '75' : '55'}`,
  );
}

/** Like `parseSparql`, with positions for `rangeOf`. */
export function parseWithPlaces(sparql: string, context: { skipValidation?: boolean } = {}): PlacedTree {
  parser ??= newParser();
  const { AstFactory } = require('@traqula/rules-sparql-1-1') as typeof rules;
  const text = decodedSparql(sparql);
  const astFactory = new AstFactory({ tracksSourceLocation: true });
  return { tree: parser.parse(text, { ...context, astFactory }), text };
}

/** Resolves a query's codepoint escapes (SPARQL 1.1 §19.2). */
export function decodedSparql(sparql: string): string {
  const { sparqlCodepointEscape } = require('@traqula/rules-sparql-1-1') as typeof rules;
  return sparqlCodepointEscape(sparql);
}

/** Like `parseWithPlaces`, without the grammar notes of §19.8. */
export function parseUnchecked(sparql: string): PlacedTree {
  return parseWithPlaces(sparql, { skipValidation: true });
}

/** Returns a node's position; undefined for parts that the text omits, such as a subject after `;`. */
export function rangeOf({ loc }: Pick<PlacedTree['tree'], 'loc'>): Range | undefined {
  return loc.sourceLocationType === 'source' ? loc : undefined;
}

type QueryForm = 'construct' | 'select';
export type QueryTree<F extends QueryForm = QueryForm> = Extract<SparqlQuery, { subType: F }>;

function isOfForm<F extends QueryForm>(tree: PlacedTree['tree'], form: F): tree is QueryTree<F> {
  return tree.type === 'query' && tree.subType === form;
}

/** Returns the first error of a CONSTRUCT (or SELECT) query, if any. */
export function syntaxFault(sparql: string, form: QueryForm): SyntaxFault | undefined {
  const read = treeOrFault(sparql, form);
  return 'reason' in read ? read : undefined;
}

/** Returns the syntax tree of a CONSTRUCT (or SELECT) query, or its first error. */
export function treeOrFault<F extends QueryForm>(sparql: string, form: F): QueryTree<F> | SyntaxFault {
  try {
    const tree = parseSparql(sparql);
    const escape = codepointEscape.exec(sparql);
    if (escape) {
      const reason = `has the escape ${escape[0]}; write the character itself`;
      return { line: lineAt(sparql, escape.index), reason, isForm: false };
    }
    if (isOfForm(tree, form)) return tree;
    return { line: lineOfForm(sparql), reason: `is not a ${form.toUpperCase()} query`, isForm: true };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const line = lineOf(sparql, message);
    return { line, column: columnOf(sparql, message, line), reason: summary(message, sparql), isForm: false };
  }
}

/** The parser marks a token below its line, a lexer gives an offset; for an early end it is the end of the text. */
function columnOf(sparql: string, message: string, line: number | undefined): number | undefined {
  const [, excerpt, pointer] = /\n(.*)\n(-*)\^/.exec(message) ?? [];
  const lines = sparql.split(/\r\n|\r|\n/);
  if (line !== undefined && excerpt !== undefined && lines[line - 1] === excerpt)
    return (pointer?.length ?? 0) + 1;
  const end = foundToken.exec(message)?.[1] === '' ? sparql.trimEnd().length : undefined;
  const at = unknownWord(sparql, message)?.at ?? end;
  return at === undefined
    ? undefined
    : at - Math.max(sparql.lastIndexOf('\n', at - 1), sparql.lastIndexOf('\r', at - 1));
}

/** The parser gives a line, a lexer an offset; an unknown prefix is searched for. */
function lineOf(sparql: string, message: string): number | undefined {
  const line = /\bline (\d+)/i.exec(message)?.[1];
  if (line !== undefined) return Number(line);
  if (foundToken.exec(message)?.[1] === '') return lineAt(sparql, sparql.trimEnd().length);
  const offset = /offset: (\d+)/.exec(message)?.[1];
  if (offset !== undefined) return lineAt(sparql, Number(offset));
  const prefix = /Unknown prefix: (\S*)/.exec(message)?.[1];
  const at = prefix === undefined ? -1 : sparql.indexOf(`${prefix}:`);
  return at < 0 ? undefined : lineAt(sparql, at);
}

function lineOfForm(sparql: string): number | undefined {
  const word = tokenize(sparql).find(({ kind, text }) => kind === 'word' && !/^(PREFIX|BASE)$/i.test(text));
  return word && lineAt(sparql, word.at);
}

/** Returns the whole word in which the lexer stopped: MONTHS, not just its S. */
function unknownWord(sparql: string, message: string): { at: number; word: string } | undefined {
  const offset = /unexpected character: .*? at offset: (\d+)/s.exec(message)?.[1];
  if (offset === undefined) return undefined;
  const stop = Number(offset);
  const rest = wordAt.exec(sparql.slice(stop))?.[0] ?? '';
  const before = sparql.slice(Math.max(0, stop - MAX_WORD_LENGTH), stop);
  const known = /^[\p{L}\d_]/u.test(rest) ? (/[\p{L}\d_]*$/u.exec(before)?.[0] ?? '') : '';
  return { at: stop - known.length, word: known + rest };
}

/** Shortens a message that may have an excerpt and a list of expected tokens to one line. */
function summary(message: string, sparql: string): string {
  const found = foundToken.exec(message)?.[1];
  if (found !== undefined)
    return found === '' ? 'the query ends too early' : `unexpected ${JSON.stringify(found)}`;
  const unknown = unknownWord(sparql, message);
  if (unknown) return `unexpected ${JSON.stringify(unknown.word)}`;
  return message.split('\n').filter(Boolean).at(-1) ?? message;
}

/** All nodes of a subtree, in preorder. */
export function nodesIn(part: unknown): object[] {
  return typeof part === 'object' && part !== null ? [part, ...Object.values(part).flatMap(nodesIn)] : [];
}

/** A query's namespaces by prefix. */
export function prefixesOf({ context }: QueryTree): ReadonlyMap<string, string> {
  return new Map(
    context.flatMap((entry) => (entry.subType === 'prefix' ? [[entry.key, entry.value.value] as const] : [])),
  );
}
