import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { AnswerRow, JsonTerm } from '../../rdf/json-term.js';
import type { EngineAnswer } from './engine-request.js';
import { jsonRows, UnreadableAnswer } from './json-rows.js';
import type { Rows } from './streamed-answer.js';

export const JSON_RESULTS = 'application/sparql-results+json';

export async function wholeText({ body, begun }: EngineAnswer): Promise<string> {
  const whole = await text(Readable.from(body));
  begun();
  return whole;
}

export function truthIn(json: string): boolean {
  const truth = /"boolean"\s*:\s*(true|false)/u.exec(json)?.[1];
  if (truth === undefined) throw new UnreadableAnswer('The engine answered neither yes nor no.');
  return truth === 'true';
}

/** Waits for the first rows, or the end. Names of inner nodes become blank nodes, as in the container's answers. */
export async function begunRows(
  { body, begun }: EngineAnswer,
  innerLabel: (iri: string) => string | undefined,
): Promise<Rows> {
  const pieces = jsonRows(body);
  const head = await pieces.next();
  const first = head.done === true ? head : await pieces.next();
  begun();
  const rest = async function* (): AsyncGenerator<readonly AnswerRow[]> {
    try {
      for (let came = first; came.done !== true; came = await pieces.next())
        yield (came.value as readonly AnswerRow[]).map((row) => outer(row, innerLabel));
    } finally {
      await pieces.return();
    }
  };
  return { variables: (head.value ?? []) as readonly string[], pieces: rest() };
}

function outer(row: AnswerRow, innerLabel: (iri: string) => string | undefined): AnswerRow {
  let shown: Record<string, JsonTerm> | undefined;
  for (const name in row) {
    const term = row[name];
    const label = term?.type === 'uri' && term.value.includes('#_') ? innerLabel(term.value) : undefined;
    if (label !== undefined) (shown ??= { ...row })[name] = { type: 'bnode', value: label };
  }
  return shown ?? row;
}
