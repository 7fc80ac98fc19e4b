import {
  parseSparql,
  parseUnchecked,
  resolveEscapes,
  syntaxFault,
  type PlacedTree,
} from '../model/query/syntax.js';
import { solidTokens, termsIn, tokenize, type Token } from '../model/query/tokenizer.js';
import type { Ontology } from '../model/ontology/model.js';
import type { Prefixes } from '../model/ontology/term-names.js';
import { missingPrefixes } from '../model/query/missing-prefixes.js';
import { ungrouped } from './ungrouped.js';
import { unknownTerms, type UnknownTerm } from './known-terms.js';
import { calendarWarnings } from './moved-dates.js';
import { placeOf, QueryFault } from './query-fault.js';
import { foreignTerm } from './foreign-term.js';

export const MAX_QUERY_LENGTH = 65_536;
const MAX_DEPTH = 128;
/** Tokens outside VALUES. Parsing blocks the copy, and the engine fails at fewer of most tokens apart from values. */
const MAX_TOKENS = 20_000;

export interface PreparedQuery {
  readonly text: string;
  /** The caller's text after the added declarations, and its offset. */
  readonly declared: { readonly text: string; readonly start: number };
  /** `table`: rows; `boolean`: yes or no; `graph`: triples. */
  readonly kind: 'table' | 'boolean' | 'graph';
  readonly warnings: readonly UnknownTerm[];
}

const kinds: Readonly<Record<string, PreparedQuery['kind']>> = {
  select: 'table',
  ask: 'boolean',
  construct: 'graph',
  describe: 'graph',
};

interface QueryNode {
  readonly type: string;
  readonly subType: string;
  readonly solutionModifiers?: {
    readonly limitOffset?: { readonly limit?: number; readonly offset?: number };
  };
  readonly values?: object;
}

/** What queries may name: the IRIs and the prefixes of an ontology. */
export type Named = Readonly<Pick<Ontology, 'terms' | 'prefixes'>>;

/** Adds declarations of known prefixes that the query lacks. */
export function withPrefixes(sparql: string, prefixes: Prefixes): string {
  return declarationsFor(solidTokens(sparql), prefixes) + sparql;
}

const declarationsFor = (tokens: readonly Token[], prefixes: Prefixes): string =>
  missingPrefixes(tokens, prefixes)
    .map(([prefix, iri]) => `PREFIX ${prefix}: <${iri}> `)
    .join('');

/**
 * Prepares a caller's query: declares known prefixes, refuses updates and SERVICE, and limits rows.
 * @param most rows; one more is requested, to see whether there are more. Infinity: the text has no limit but its own
 * @param hasMovedDates of the data that it asks
 * @throws QueryFault that says where and what to do
 */
export function prepareQuery(sent: string, most: number, named: Named, hasMovedDates = false): PreparedQuery {
  if (sent.length > MAX_QUERY_LENGTH) {
    throw new QueryFault(`The query is longer than ${MAX_QUERY_LENGTH} characters; ask less at once.`);
  }
  const sparql = resolved(sent);
  const tokens = solidTokens(sparql);
  if (tokens.length === 0) throw new QueryFault('The query is empty; send one, such as ASK {}.');
  refuseDepth(sparql, tokens);
  refuseLength(tokens);
  refuseServices(sparql, tokens);
  const declarations = declarationsFor(tokens, named.prefixes);
  const text = declarations + sparql;
  const start = declarations.length;
  const tree = parsed(text, sparql, start);
  const all = [...solidTokens(declarations), ...tokens.map((token) => ({ ...token, at: token.at + start }))];
  refuseForeign(tree, all, sparql, start, named.terms);
  const kind = kinds[tree.subType] ?? 'table';
  return {
    text: kind === 'boolean' ? text : bounded(text, all, tree, most + 1),
    declared: { text, start },
    kind,
    warnings: [
      ...unknownTerms(all, sparql, start, named),
      ...(hasMovedDates ? calendarWarnings(all, sparql, start) : []),
    ],
  };
}

function resolved(sent: string): string {
  try {
    return resolveEscapes(sent);
  } catch {
    throw new QueryFault(
      'The query has an escape of half a character, which names no character; escape the whole one.',
    );
  }
}

/** Engine and parser recurse for each level. */
function refuseDepth(sparql: string, tokens: readonly Token[]): void {
  let depth = 0;
  for (const { kind, text, at } of tokens) {
    if (kind !== 'sign') continue;
    if ('([{'.includes(text)) depth++;
    else if (')]}'.includes(text)) depth--;
    if (depth > MAX_DEPTH) {
      throw faultAt(sparql, at, `The query is nested more than ${MAX_DEPTH} deep; write it flatter.`);
    }
  }
}

function refuseLength(tokens: readonly Token[]): void {
  let count = 0;
  for (let at = 0; at < tokens.length; at++, count++)
    if (tokens[at]?.text.toUpperCase() === 'VALUES') at = endOfValues(tokens, at);
  if (count <= MAX_TOKENS) return;
  throw new QueryFault(
    `The query has more than ${MAX_TOKENS} words and signs; ask less at once, or put long lists into VALUES.`,
  );
}

function endOfValues(tokens: readonly Token[], word: number): number {
  const isVariable = (token?: Token): boolean => token?.kind === 'variable' || token?.kind === 'parameter';
  let at = word + 1;
  if (tokens[at]?.text === '(')
    do at++;
    while (isVariable(tokens[at]));
  if (tokens[at + 1]?.text !== '{') return word;
  at += 2;
  while (at < tokens.length && !/^[{}]$/u.test(tokens[at]?.text ?? '')) at++;
  return tokens[at]?.text === '}' ? at : word;
}

function refuseServices(sparql: string, tokens: readonly Token[]): void {
  const service = tokens.find(({ kind, text }) => kind === 'word' && text.toUpperCase() === 'SERVICE');
  if (!service) return;
  throw faultAt(
    sparql,
    service.at,
    'SERVICE asks another server, and nothing leaves this one; ask each by itself and join the answers.',
  );
}

function refuseForeign(
  tree: object,
  all: readonly Token[],
  sparql: string,
  start: number,
  terms: ReadonlySet<string>,
): void {
  const found = foreignTerm(tree, terms);
  if (found === undefined) return;
  const message =
    'Only functions of SPARQL 1.1 and predicates of the data can be used; the schema shows what there is.';
  const at = termsIn(all).find(({ iri, at: place }) => iri === found && place >= start)?.at;
  throw at === undefined ? new QueryFault(message) : faultAt(sparql, at - start, message);
}

function parsed(text: string, sparql: string, start: number): QueryNode {
  let tree: PlacedTree['tree'];
  try {
    tree = parseSparql(text);
  } catch {
    throw ungroupedFault(text, sparql, start) ?? syntaxFaultOf(text, sparql, start);
  }
  // The parser checks this only for COUNT, and the engine's message does not help.
  if (ungrouped(tree)) throw ungroupedFault(text, sparql, start);
  if (tree.type === 'query') return tree as unknown as QueryNode;
  throw new QueryFault('This is an update, and data is only read here; write it with the calls of the API.');
}

/** Explains a variable without a single value in a SELECT with grouped rows, if that is the error. */
function ungroupedFault(text: string, sparql: string, start: number): QueryFault | undefined {
  let placedTree: PlacedTree;
  try {
    placedTree = parseUnchecked(text);
  } catch {
    return undefined;
  }
  const found = ungrouped(placedTree.tree);
  if (!found) return undefined;
  const { name, isNamedThere, at } = found;
  const advice =
    name === '*'
      ? 'SELECT * selects every variable, and where rows are grouped most have no single value; name those of GROUP BY, and take one of the values of others with SAMPLE.'
      : isNamedThere
        ? `?${name} is the name of an expression of the same SELECT, which takes no other one's value where rows are grouped; write the expression out, or select it in a subquery.`
        : `?${name} is in SELECT and neither in GROUP BY nor within an aggregate, so it has no single value; add it to GROUP BY, or take one of its values with SAMPLE(?${name}).`;
  return at === undefined || placedTree.text !== text
    ? new QueryFault(advice)
    : faultAt(sparql, at - start, advice);
}

function syntaxFaultOf(text: string, sparql: string, start: number): QueryFault {
  const fault = syntaxFault(text, 'select');
  const reason = fault?.reason ?? 'the query cannot be read';
  const prefix = /Unknown prefix: (\S*)/u.exec(reason)?.[1];
  if (prefix !== undefined) {
    const at = tokenize(sparql).find(
      ({ kind, text: name }) => kind === 'name' && name.startsWith(`${prefix}:`),
    );
    const advice = `The prefix ${prefix}: is not declared; add PREFIX ${prefix}: <…> before the query.`;
    return at ? faultAt(sparql, at.at, advice) : new QueryFault(advice);
  }
  const sentence = `The query is not SPARQL 1.1: ${reason}.`;
  if (fault?.line === undefined) return new QueryFault(sentence);
  // Declarations precede the caller's first line.
  const column = fault.line === 1 && fault.column !== undefined ? fault.column - start : fault.column;
  return placed(sentence, fault.line, column === undefined ? undefined : Math.max(1, column));
}

/** Limits the rows of a query (SPARQL 1.1 §15.5), unless it has a lower limit. */
function bounded(
  text: string,
  tokens: readonly Token[],
  { solutionModifiers, values }: QueryNode,
  most: number,
): string {
  const limit = solutionModifiers?.limitOffset?.limit;
  if (most === Infinity || (limit !== undefined && limit < most)) return text;
  const outer = outerWords(tokens);
  const end = values === undefined ? text.length : (outer.get('VALUES')?.at ?? text.length);
  const word = limit === undefined ? undefined : outer.get('LIMIT');
  const body = word ? text.slice(0, word.at) + text.slice(word.end, end) : text.slice(0, end);
  return `${body}\nLIMIT ${most}\n${text.slice(end)}`;
}

/** Returns the last position of each word outside braces; `end` includes the next token. */
function outerWords(tokens: readonly Token[]): ReadonlyMap<string, { at: number; end: number }> {
  const words = new Map<string, { at: number; end: number }>();
  let depth = 0;
  for (const [index, { kind, text: word, at }] of tokens.entries()) {
    if (kind === 'sign') depth += word === '{' ? 1 : word === '}' ? -1 : 0;
    const next = tokens[index + 1];
    if (kind === 'word' && depth === 0 && next)
      words.set(word.toUpperCase(), { at, end: next.at + next.text.length });
  }
  return words;
}

function faultAt(sparql: string, offset: number, message: string): QueryFault {
  const { line, column } = placeOf(sparql, offset);
  return placed(message, line, column);
}

function placed(message: string, line: number, column: number | undefined): QueryFault {
  const where = column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
  return new QueryFault(`${message.replace(/\.$/u, '')} (${where}).`, line, column);
}
