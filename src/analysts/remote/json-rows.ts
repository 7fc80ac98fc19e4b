import type { AnswerRow, JsonTerm } from '../../rdf/json-term.js';

/** Bytes that one row may take, and what comes before the rows. */
const MAX_PIECE = 16 * 1024 * 1024;

/** The answer cannot be read, or broke off. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer';
}

/**
 * Reads SPARQL 1.1 Query Results JSON while it comes. @returns the variables, then arrays of rows
 * @throws UnreadableAnswer
 */
export async function* jsonRows(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly string[] | readonly AnswerRow[], void> {
  const decoder = new TextDecoder();
  let text = '';
  let isInRows = false;
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > MAX_PIECE) throw new UnreadableAnswer('The engine sent a row that is too long.');
    if (!isInRows) {
      const start = /^\s*\{\s*"head"\s*:\s*(\{[^}]*\})[^[]*"bindings"\s*:\s*\[/u.exec(text);
      if (!start) continue;
      yield variablesIn(start[1] ?? '');
      text = text.slice(start[0].length);
      isInRows = true;
    }
    const [rows, rest] = mostRowsIn(text) ?? rowsIn(text);
    if (rows.length > 0) yield rows;
    text = rest;
  }
  const [rows, , isEnd] = rowsIn(text);
  if (rows.length > 0) yield rows;
  if (!isInRows || !isEnd) throw new UnreadableAnswer('The engine broke off its answer.');
}

function variablesIn(head: string): readonly string[] {
  const { vars } = parsed(head) as { readonly vars?: readonly string[] };
  return vars ?? [];
}

type Taken = readonly [rows: AnswerRow[], rest: string];

/** Takes all rows but the last by the end of a row. @returns undefined where that end is in a string */
function mostRowsIn(text: string): Taken | undefined {
  const end = /^.*\}\s*\}(?=\s*,)/su.exec(text)?.[0].length;
  if (end === undefined) return undefined;
  try {
    return [rowsOf(text.slice(0, end)), text.slice(end)];
  } catch {
    return undefined;
  }
}

/** Takes the complete rows sign by sign. */
function rowsIn(text: string): readonly [...Taken, isEnd: boolean] {
  let [depth, last] = [0, 0];
  let isEnd = false;
  // Strings are skipped whole, so that braces in them do not count.
  for (const { 0: sign, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}\]"]/gsu)) {
    if (sign === '{') depth++;
    else if (sign === '}' && --depth === 0) last = index + 1;
    isEnd = sign === ']' && depth === 0;
    if (isEnd || sign === '"') break;
  }
  return [rowsOf(text.slice(0, last)), text.slice(last), isEnd];
}

function rowsOf(text: string): AnswerRow[] {
  const rows = parsed(`[${text.replace(/^[\s,]+/u, '')}]`) as Record<string, JsonTerm>[];
  // The name of literals with a datatype in Virtuoso.
  if (text.includes('"typed-literal"'))
    for (const row of rows)
      for (const [name, term] of Object.entries(row))
        if ((term.type as string) === 'typed-literal') row[name] = { ...term, type: 'literal' };
  return rows;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new UnreadableAnswer('The engine sent no SPARQL results in JSON.', { cause });
  }
}
