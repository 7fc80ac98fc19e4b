import type { Answer, FileAnswer, JsonAnswer, NotModified, CellValue, TableAnswer } from './answer-types.js';
import { jsonBody, textBody } from './request-body.js';
import { answerOf, notModified, requestOf, textOf, type MadeCall, type Tools } from './call.js';
import { ChartgraphError } from './chartgraph-error.js';
import type { Received } from './send.js';
import type { AnswerRow, JsonTerm } from '../rdf/json-term.js';
import { xsd } from '../rdf/vocabulary.js';

export async function answerJson(tools: Tools, call: MadeCall): Promise<JsonAnswer<unknown> | NotModified> {
  const headers = { Accept: 'application/json' };
  const received = await tools.send(requestOf(call, { ...jsonBody(call.body), headers }));
  const unchanged = notModified(received);
  if (unchanged) return unchanged;
  const raw = textOf(call, received);
  try {
    return { ...answerOf(received), object: JSON.parse(raw) as unknown, raw };
  } catch {
    throw new ChartgraphError('answer', call.name, 'the answer is no JSON.');
  }
}

export async function answerFile(tools: Tools, call: MadeCall): Promise<FileAnswer | NotModified> {
  const received = await tools.send(requestOf(call, { headers: { Accept: '*/*' } }));
  return notModified(received) ?? fileOf(call, received);
}

export async function answerStored(tools: Tools, call: MadeCall): Promise<FileAnswer> {
  const received = await tools.send(requestOf(call, textBody(call.body, call.options.contentType)));
  return fileOf(call, received);
}

export async function answerRemoved(tools: Tools, call: MadeCall): Promise<Answer> {
  return answerOf(await tools.send(requestOf(call)));
}

function fileOf(call: MadeCall, received: Received): FileAnswer {
  return { ...answerOf(received), raw: received.bytes, text: () => textOf(call, received) };
}

const JSON_RESULTS = 'application/sparql-results+json';
const numbers: ReadonlySet<string> = new Set([xsd.integer, xsd.decimal, xsd.double, xsd.float]);

/** Returns the table of an analysis (SPARQL 1.1 Query Results JSON Format §3). */
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

/** @throws ChartgraphError when the text is no table */
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
  // A number that JavaScript cannot hold exactly stays text.
  const isHeld = Number.isFinite(number) && (datatype !== xsd.integer || Number.isSafeInteger(number));
  return isHeld ? number : value;
}
