import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { UnwritableError } from '../../rdf/rdf-errors.js';
import type { AnswerRow } from '../../rdf/json-term.js';
import type { Outcome } from '../analyst-engine.js';
import { parquetFile } from '../parquet-file.js';
import {
  PARQUET,
  resultFormatNames,
  resultFormats,
  textFormatNames,
  type ResultFormat,
} from '../result-formats.js';
import type { ResultFormatName } from '../result-formats.js';
import type { AnswerHead, AnswerTail, ThreadQuery } from '../thread-messages.js';
import { refused } from '../written-answer.js';

/** An answer that ends within this time, and has fewer characters, has its number of rows in the head. */
const HELD_MS = 250;
const HELD_CHARACTERS = 8 * 1024 * 1024;

type Begun = Extract<Outcome, { readonly head: AnswerHead }>;
type Facts = Omit<AnswerHead, keyof AnswerTail | 'mediaType'>;

export interface Wanted extends Pick<ThreadQuery, 'most' | 'isWhole'> {
  readonly format: ResultFormatName;
}

export interface Rows {
  readonly variables: readonly string[];
  readonly pieces: AsyncIterable<readonly AnswerRow[]>;
}

/** Writes a SELECT's answer while it comes, so that its memory does not depend on the number of rows. @throws FormatRefused */
export async function streamedTable(
  { variables, pieces }: Rows,
  { format, most, isWhole }: Wanted,
  facts: () => Facts,
): Promise<Begun> {
  const tail = { rows: 0, isCut: false };
  const counted = async function* (): AsyncGenerator<readonly AnswerRow[]> {
    for await (const rows of pieces) {
      const left = most - tail.rows;
      tail.isCut = rows.length > left;
      tail.rows += Math.min(rows.length, left);
      yield tail.isCut ? rows.slice(0, left) : rows;
      if (tail.isCut) return;
    }
  };
  if (format === 'parquet') {
    if (variables.length === 0) return refused('SELECT without variables takes', textFormatNames);
    const all: AnswerRow[] = [];
    for await (const rows of counted()) for (const row of rows) all.push(row);
    const chunks = parquetFile(variables, () => all);
    return { head: { ...facts(), ...tail, mediaType: PARQUET }, body: Readable.from(chunks) };
  }
  const writer: ResultFormat = resultFormats[format];
  const texts = async function* (): AsyncGenerator<string> {
    yield writer.head(variables);
    let isFirst = true;
    for await (const rows of counted()) {
      let text = '';
      for (const row of rows) {
        text += writer.row(variables, row, isFirst);
        isFirst = false;
      }
      yield text;
    }
    yield writer.tail;
  };
  return begun(texts(), tail, { mediaType: writer.mediaType, isWhole }, facts);
}

async function begun(
  texts: AsyncGenerator<string>,
  tail: AnswerTail,
  { mediaType, isWhole = false }: { readonly mediaType: string; readonly isWhole: boolean | undefined },
  facts: () => Facts,
): Promise<Begun> {
  const held: string[] = [];
  let characters = 0;
  const time = new AbortController();
  const late = wait(HELD_MS, undefined, { signal: time.signal }).catch(() => undefined);
  let next = texts.next();
  try {
    while (isWhole || characters < HELD_CHARACTERS) {
      const came = await (isWhole ? next : Promise.race([next, late]));
      if (came === undefined) break;
      if (came.done === true) return { head: { ...facts(), ...tail, mediaType }, body: Readable.from(held) };
      held.push(came.value);
      characters += came.value.length;
      next = texts.next();
    }
  } catch (error) {
    if (error instanceof UnwritableError)
      return refused(
        'a text in it has a character that XML 1.0 does not know, so SELECT takes',
        resultFormatNames.filter((name) => name !== 'xml'),
      );
    throw error;
  } finally {
    time.abort();
  }
  // The body may be destroyed before it is read.
  next.catch(() => undefined);
  const rest = async function* (): AsyncGenerator<string> {
    try {
      yield* held.splice(0);
      for (let came = await next; came.done !== true; came = await texts.next()) yield came.value;
    } finally {
      await texts.return(undefined);
    }
  };
  return { head: { ...facts(), mediaType }, body: Readable.from(rest()), tail: () => tail };
}
