import { createRequire } from 'node:module';
import type * as traqula from '@traqula/parser-sparql-1-1';
import type * as rules from '@traqula/rules-sparql-1-1';
import { lineAt, tokenize } from './tokenizer.js';

/** A word, or the one character that begins none, at the start of a text. */
const wordAt = /^(?:[\p{L}\d_:-]{1,40}|.)/su;
/** So much of a word is looked at before where a lexer stops in it. */
const LONGEST_WORD = 40;
const foundToken = /but found(?:: | --> )'?(.*?)'?(?: <--)?$/m;

// To load the parser takes longer than to start a container with queries that were checked before, which needs none.
const require = createRequire(import.meta.url);
let parser: traqula.Parser | undefined;

function newParser(): traqula.Parser {
  const { Parser } = require('@traqula/parser-sparql-1-1') as typeof traqula;
  return new Parser({ lexerConfig: { positionTracking: 'full' } });
}

/** What is wrong with a SPARQL text, in the parser's words, and where. */
export interface SyntaxFault {
  line: number | undefined;
  /** From 1, where the parser says it. */
  column?: number | undefined;
  reason: string;
  /** Whether it is SPARQL, but a query of another form. */
  isForm: boolean;
}

/** The syntax tree of a SPARQL 1.1 query or update; throws the parser's own error. */
export function parseSparql(sparql: string): ReturnType<traqula.Parser['parse']> {
  // Building the grammar takes longer than parsing every query of a container.
  parser ??= newParser();
  return parser.parse(sparql);
}

/** A range of a text, by offsets. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A syntax tree whose nodes know where they stand, and the text in which they do. */
export interface PlacedTree {
  readonly tree: ReturnType<traqula.Parser['parse']>;
  /** What was given, with the characters in the place of their codepoint escapes (SPARQL 1.1 §19.2). */
  readonly text: string;
}

/** The tree of a query, as opposed to that of an update. */
export type SparqlQuery = Extract<PlacedTree['tree'], { type: 'query' }>;

/** As `parseSparql`, for `rangeOf`. */
export function parseWithPlaces(sparql: string): PlacedTree {
  return placedTree(sparql, {});
}

/** As `parseWithPlaces`, of what has the grammar of SPARQL, whether or not it keeps to the notes on that (§19.8). */
export function parseUnchecked(sparql: string): PlacedTree {
  return placedTree(sparql, { skipValidation: true });
}

function placedTree(sparql: string, context: { skipValidation?: boolean }): PlacedTree {
  parser ??= newParser();
  const { AstFactory, sparqlCodepointEscape } = require('@traqula/rules-sparql-1-1') as typeof rules;
  const text = sparqlCodepointEscape(sparql);
  const astFactory = new AstFactory({ tracksSourceLocation: true });
  return { tree: parser.parse(text, { ...context, astFactory }), text };
}

/** Where a node of a placed tree stands; undefined for what the text leaves out, such as a subject before `;`. */
export function rangeOf({ loc }: Pick<PlacedTree['tree'], 'loc'>): Range | undefined {
  return loc.sourceLocationType === 'source' ? loc : undefined;
}

/** The forms of queries that files hold. */
type QueryForm = 'construct' | 'select';
/** The tree of a query of one form. */
export type QueryTree<F extends QueryForm = QueryForm> = Extract<SparqlQuery, { subType: F }>;

function isOfForm<F extends QueryForm>(tree: PlacedTree['tree'], form: F): tree is QueryTree<F> {
  return tree.type === 'query' && tree.subType === form;
}

/** The first fault of a text that is to be a CONSTRUCT (or SELECT) query, or undefined. */
export function syntaxFault(sparql: string, form: QueryForm): SyntaxFault | undefined {
  const read = treeOrFault(sparql, form);
  return 'reason' in read ? read : undefined;
}

/** The syntax tree of a text that is to be a CONSTRUCT (or SELECT) query, or its first fault: parsed once for both. */
export function treeOrFault<F extends QueryForm>(sparql: string, form: F): QueryTree<F> | SyntaxFault {
  try {
    const tree = parseSparql(sparql);
    if (isOfForm(tree, form)) return tree;
    return { line: lineOfForm(sparql), reason: `is not a ${form.toUpperCase()} query`, isForm: true };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const line = lineOf(sparql, message);
    return { line, column: columnOf(sparql, message, line), reason: summary(message, sparql), isForm: false };
  }
}

/** The parser points at a token beneath its line; a lexer gives an offset; what ends too early ends with the text. */
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

/** The parser names a line, a lexer an offset, and an unknown prefix is found where it is used. */
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

/** Where the word stands by which a query says its form. */
function lineOfForm(sparql: string): number | undefined {
  const word = tokenize(sparql).find(({ kind, text }) => kind === 'word' && !/^(PREFIX|BASE)$/i.test(text));
  return word && lineAt(sparql, word.at);
}

/** The word in which a lexer stops, behind what it knows of it, as at the S of MONTHS; people look for the whole word. */
function unknownWord(sparql: string, message: string): { at: number; word: string } | undefined {
  const offset = /unexpected character: .*? at offset: (\d+)/s.exec(message)?.[1];
  if (offset === undefined) return undefined;
  const stop = Number(offset);
  const rest = wordAt.exec(sparql.slice(stop))?.[0] ?? '';
  const before = sparql.slice(Math.max(0, stop - LONGEST_WORD), stop);
  const known = /^[\p{L}\d_]/u.test(rest) ? (/[\p{L}\d_]*$/u.exec(before)?.[0] ?? '') : '';
  return { at: stop - known.length, word: known + rest };
}

/** One line of a message that may hold an excerpt and a list of all tokens that were expected. */
function summary(message: string, sparql: string): string {
  const found = foundToken.exec(message)?.[1];
  if (found !== undefined)
    return found === '' ? 'the query ends too early' : `unexpected ${JSON.stringify(found)}`;
  const unknown = unknownWord(sparql, message);
  if (unknown) return `unexpected ${JSON.stringify(unknown.word)}`;
  return message.split('\n').filter(Boolean).at(-1) ?? message;
}

/** The nodes of a part of a syntax tree, each before those in it. */
export function nodesIn(part: unknown): object[] {
  return typeof part === 'object' && part !== null ? [part, ...Object.values(part).flatMap(nodesIn)] : [];
}

/** The namespaces of a query by their prefixes. */
export function prefixesOf({ context }: QueryTree): ReadonlyMap<string, string> {
  return new Map(
    context.flatMap((entry) => (entry.subType === 'prefix' ? [[entry.key, entry.value.value] as const] : [])),
  );
}
