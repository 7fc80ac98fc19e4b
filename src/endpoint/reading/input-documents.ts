import { BrokenGzip, unpacked } from '../../disk/unpacked.js';
import { decodeText } from './decode-text.js';
import type { EndpointProblem } from '../endpoint-problem.js';
import { LineReader } from './lines.js';
import { readJson, UnreadableJson } from './read-json.js';

/** Bytes that one document, and one line of NDJSON, may have. */
const MAX_DOCUMENT = 128 * 1024 * 1024;
const MAX_LINE = 16 * 1024 * 1024;

/** One JSON text of an input. */
export interface InputDocument {
  /** Its line, from 0, in NDJSON; 0 for an input that is one document. */
  readonly index: number;
  /** Whether it is a line of NDJSON. */
  readonly isLine: boolean;
  /** Undefined when it is no JSON. */
  readonly value: unknown;
  /** What is wrong with the text. */
  readonly problems: readonly EndpointProblem[];
}

export interface DocumentOptions {
  /** The input is NDJSON, one document a line; else it is when its first line is a whole JSON value. */
  readonly ndjson?: boolean | undefined;
}

/**
 * Reads the JSON documents of a stream of bytes, packed with gzip or not: one document, or NDJSON of any length, of
 * which one line at a time is in memory. A line that is no JSON is a problem of that line; the next ones follow.
 * @throws what the stream throws
 */
export async function* readDocuments(
  input: AsyncIterable<Uint8Array>,
  { ndjson = false }: DocumentOptions = {},
): AsyncGenerator<InputDocument> {
  const lines = new LineReader(unpacked(input));
  let index = 0;
  try {
    if (!ndjson) {
      const first = await readFirst(lines);
      yield first;
      if (!first.isLine) return;
      index = first.index + 1;
    }
    for (; ; index++) {
      const line = lines.ready(MAX_LINE) ?? (await lines.next(MAX_LINE));
      if (Buffer.isBuffer(line)) {
        if (!isBlank(line)) yield parsed(line, index, true);
      } else if (line.done) return;
      else if (line.line === undefined) yield unreadable(tooLarge('line', MAX_LINE), index, true);
      else if (!isBlank(line.line)) yield parsed(line.line, index, true);
    }
  } catch (error) {
    const problem = error instanceof BrokenGzip ? new UnreadableJson('unreadable', error.message) : error;
    if (!(problem instanceof UnreadableJson)) throw error;
    yield unreadable(problem, index, ndjson || index > 0);
  } finally {
    await lines.close();
  }
}

/** The first line that is not blank, where that is a document, or else all of the input. */
async function readFirst(lines: LineReader): Promise<InputDocument> {
  const all: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer): void => {
    size += part.length;
    if (size > MAX_DOCUMENT) throw tooLarge('document', MAX_DOCUMENT);
    all.push(part);
  };
  for (let index = 0; ; index++) {
    const next = lines.ready(MAX_DOCUMENT) ?? (await lines.next(MAX_DOCUMENT));
    const isThere = Buffer.isBuffer(next);
    if (!isThere && next.done) break;
    const line = isThere ? next : next.line;
    if (line === undefined) throw tooLarge('document', MAX_DOCUMENT);
    const first = isBlank(line) ? undefined : parsed(line, index, true);
    // What is no document by itself begins one that is laid out for people.
    if (first && first.value !== undefined) return first;
    add(line);
    if (first) break;
    add(LINE_END);
  }
  let more = false;
  for await (const chunk of lines.rest()) {
    // The end of the line above: the very last one may have none.
    if (!more) add(LINE_END);
    more = true;
    add(chunk);
  }
  return parsed(Buffer.concat(all), 0, false);
}

const LINE_END = Buffer.from('\n');

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function parsed(bytes: Buffer, index: number, isLine: boolean): InputDocument {
  try {
    return { index, isLine, ...readJson(decodeText(bytes), isLine ? index + 1 : 1) };
  } catch (error) {
    if (error instanceof UnreadableJson) return unreadable(error, index, isLine);
    throw error;
  }
}

function unreadable({ problem }: UnreadableJson, index: number, isLine: boolean): InputDocument {
  return { index, isLine, value: undefined, problems: [problem] };
}

function tooLarge(what: 'line' | 'document', limit: number): UnreadableJson {
  const sentence = `The ${what} is larger than ${limit / 1024 / 1024} MB${what === 'line' ? '' : '; write it as NDJSON'}.`;
  return new UnreadableJson('too-large', sentence);
}
