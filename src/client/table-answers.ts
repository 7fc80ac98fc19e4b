import type { AnswerRow, JsonTerm } from '../rdf/json-term.js';
import { xsd } from '../rdf/vocabulary.js';
import type { CellValue, TableAnswer } from './answer-types.js';
import { answerOf, requestOf, textOf, type MadeCall, type Tools } from './call.js';
import { ChartgraphError } from './chartgraph-error.js';

const JSON_RESULTS = 'application/sparql-results+json';
const numbers: ReadonlySet<string> = new Set([xsd.integer, xsd.decimal, xsd.double, xsd.float]);

/** The table of an analysis (SPARQL 1.1 Query Results JSON Format §3). */
export async function answerTable(tools: Tools, call: MadeCall): Promise<TableAnswer<string>> {
  const received = await tools.send(requestOf(call, { headers: { Accept: JSON_RESULTS } }));
  const raw = textOf(call, received);
  const { columns, bindings } = tableIn(call, raw);
  return {
    ...answerOf(received),
    columns,
    rows: bindings.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, term]) => [name, valueOf(term)])),
    ),
    isCut: received.response.headers.get('Chartgraph-Truncated') === 'true',
    raw,
  };
}

/** @throws ChartgraphError where the text is no table */
function tableIn(
  { name }: MadeCall,
  raw: string,
): { columns: readonly string[]; bindings: readonly AnswerRow[] } {
  try {
    const { head, results } = JSON.parse(raw) as {
      head: { vars: readonly string[] };
      results: { bindings: readonly AnswerRow[] };
    };
    return { columns: [...head.vars], bindings: [...results.bindings] };
  } catch {
    throw new ChartgraphError('answer', name, 'the answer is no table.');
  }
}

function valueOf({ type, value, datatype = '' }: JsonTerm): CellValue {
  if (type !== 'literal') return value;
  if (datatype === xsd.boolean) return value === 'true' || value === '1';
  if (!numbers.has(datatype)) return value;
  const number = Number(value);
  // What a number would not hold stays as it is written.
  const isHeld = Number.isFinite(number) && (datatype !== xsd.integer || Number.isSafeInteger(number));
  return isHeld ? number : value;
}
