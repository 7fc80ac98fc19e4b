import type { Rule } from '../check/rule.js';
import { QueryFileError } from './query-file-error.js';
import { isSolid, isWord, lineAt, tokenize, type Token } from './tokenizer.js';

/** The parts of a template: text, placeholders for terms, and positions where a list adds something. */
export type Segment =
  | { kind: 'text'; text: string }
  | { kind: 'parameter'; name: string }
  | { kind: 'distinct' }
  | { kind: 'columns' }
  | { kind: 'gathered' }
  | { kind: 'pattern'; own: Segment[] }
  | { kind: 'filters' }
  | { kind: 'sort' }
  | { kind: 'page' }
  | { kind: 'members' };

/** The whole query; for a list also its sub-select, counted, gathered, and with known members. */
export interface CompiledTemplate {
  parameters: string[];
  whole: Segment[];
  list?: {
    variable: string;
    select: Segment[];
    count: Segment[];
    gather: Segment[];
    known: Segment[];
  };
}

const marks: Readonly<Record<string, 'filters' | 'page'>> = { '#:filters': 'filters', '#:page': 'page' };

/** Splits a query file. @throws QueryFileError for marks that are not in one simple sub-select */
export function compile(file: string, sparql: string): CompiledTemplate {
  const tokens = tokenize(sparql);
  const parameters = [
    ...new Set(tokens.filter(({ kind }) => kind === 'parameter').map(({ value }) => value)),
  ];
  const span = findSubSelect(file, sparql, tokens);
  if (!span) return { parameters, whole: segmentsOf(tokens) };
  const { open, select, where, brace, filters, whereEnd, end, variable, distinct } = span;
  const mayRepeat: Segment[] = distinct ? [] : [{ kind: 'distinct' }];
  const construct = tokens.findIndex((token) => isWord(token, 'CONSTRUCT'));
  const prologue = segmentsOf(tokens.slice(0, Math.max(construct, 0)));
  const toWhereEnd = (from: number): Segment[] => [
    ...segmentsOf(tokens.slice(from, brace + 1)),
    { kind: 'pattern', own: segmentsOf(tokens.slice(brace + 1, filters)) },
    ...segmentsOf(tokens.slice(filters, whereEnd)),
  ];
  // An order's pattern is optional, so it comes after the choice.
  const afterSelect: Segment[] = [
    ...toWhereEnd(select + 1),
    { kind: 'sort' },
    ...segmentsOf(tokens.slice(whereEnd, end)),
  ];
  const members = [...toWhereEnd(where), ...segmentsOf(tokens.slice(whereEnd, end))];
  const text = (value: string): Segment => ({ kind: 'text', text: value });
  return {
    parameters,
    whole: [
      ...segmentsOf(tokens.slice(0, select + 1)),
      ...mayRepeat,
      ...afterSelect,
      ...segmentsOf(tokens.slice(end)),
    ],
    list: {
      variable,
      select: [...prologue, text('SELECT'), ...mayRepeat, { kind: 'columns' }, ...afterSelect],
      count: [...prologue, text(`SELECT (COUNT(DISTINCT ?${variable}) AS ?count) `), ...members],
      gather: [...prologue, text('SELECT '), { kind: 'gathered' }, ...members],
      known: [
        ...segmentsOf(tokens.slice(0, open)),
        text(`{ VALUES ?${variable} {`),
        { kind: 'members' },
        text('} }'),
        ...segmentsOf(tokens.slice(end + 1)),
      ],
    },
  };
}

/** `check/binding-rules.ts` finds lists without marks. */
export const queryList: Rule = {
  id: 'query-list',
  severity: 'error',
  summary: 'A list has one sub-select with the marks #:filters and #:page at their places.',
  hint: 'Write { SELECT ?statement WHERE { … #:filters } #:page }, each mark on a line of its own.',
};

/** Returns token indices; `brace` and `whereEnd` delimit the pattern. */
function findSubSelect(file: string, sparql: string, tokens: readonly Token[]) {
  const found = tokens.flatMap((token, index) =>
    markOf(token) ? [{ index, mark: markOf(token), at: token.at }] : [],
  );
  const filters = found.find(({ mark }) => mark === 'filters');
  const page = found.find(({ mark }) => mark === 'page');
  const first = found[0];
  if (!first) return undefined;
  const fail = (reason: string): never => {
    throw new QueryFileError(queryList, file, lineAt(sparql, first.at), reason);
  };
  if (!filters || !page || found.length !== 2) return fail('a list has exactly one #:filters and one #:page');
  const open = enclosingGroups(tokens, page.index).find((brace) =>
    isWord(tokens[solidAfter(tokens, brace)], 'SELECT'),
  );
  if (open === undefined) return fail('#:page must stand at the end of a sub-select');
  const select = solidAfter(tokens, open);
  const end = closing(tokens, open);
  const brace = tokens.findIndex(
    (token, index) => index > select && token.kind === 'sign' && token.text === '{',
  );
  const whereEnd = closing(tokens, brace);
  if (filters.index < brace || filters.index > whereEnd)
    return fail('#:filters must stand in the sub-select of #:page');
  if (page.index < whereEnd) return fail('#:page must stand after the pattern of its sub-select');
  if (tokens.slice(whereEnd + 1, end).some(isSolid))
    return fail('beside #:page the sub-select has no modifiers');
  const head = tokens.slice(select + 1, brace).filter(isSolid);
  const words = head.filter(({ kind }) => kind === 'word').map(({ text }) => text.toUpperCase());
  const [variable, ...others] = head.filter(({ kind }) => kind === 'variable');
  const plain = head.every(({ kind }) => kind === 'word' || kind === 'variable');
  if (!variable || others.length > 0 || !plain)
    return fail('the sub-select of a list selects exactly one variable');
  const where = tokens.findIndex((token, index) => index > select && index < brace && isWord(token, 'WHERE'));
  const distinct = words.includes('DISTINCT');
  return {
    open,
    select,
    where: where < 0 ? brace : where,
    brace,
    filters: filters.index,
    whereEnd,
    end,
    variable: variable.value,
    distinct,
  };
}

function segmentsOf(tokens: readonly Token[]): Segment[] {
  const segments: Segment[] = [];
  for (const token of tokens) {
    const mark = markOf(token);
    const last = segments.at(-1);
    if (mark) segments.push({ kind: mark });
    else if (token.kind === 'parameter') segments.push({ kind: 'parameter', name: token.value });
    else if (token.kind === 'comment') continue;
    else if (last?.kind === 'text') last.text += token.text;
    else segments.push({ kind: 'text', text: token.text });
  }
  return segments;
}

function markOf({ kind, text }: Token): 'filters' | 'page' | undefined {
  return kind === 'comment' ? marks[text.trimEnd()] : undefined;
}

function solidAfter(tokens: readonly Token[], index: number): number {
  return tokens.findIndex((token, i) => i > index && isSolid(token));
}

function enclosingGroups(tokens: readonly Token[], at: number): number[] {
  const open: number[] = [];
  for (const [index, { kind, text }] of tokens.slice(0, at).entries()) {
    if (kind !== 'sign') continue;
    if (text === '{') open.unshift(index);
    else if (text === '}') open.shift();
  }
  return open;
}

function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  const found = tokens.findIndex(({ kind, text }, index) => {
    if (index < open || kind !== 'sign') return false;
    if (text === '{') depth++;
    return text === '}' && --depth === 0;
  });
  return found < 0 ? tokens.length : found;
}
