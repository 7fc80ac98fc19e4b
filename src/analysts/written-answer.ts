import { formats, type RdfFormat } from '../rdf/formats.js';
import { readTriples } from '../rdf/ntriples.js';
import type { Prefixes } from '../model/ontology/term-names.js';
import { writeRdf } from '../rdf/write.js';
import { parquetFile } from './parquet-file.js';
import {
  PARQUET,
  resultFormatNames,
  resultFormats,
  textFormatNames,
  type ResultFormat,
  type ResultFormatName,
  type TextFormatName,
} from './result-formats.js';
import type { AnswerRow, JsonTerm } from '../rdf/json-term.js';
import { readTsvTerm } from '../rdf/tsv-term.js';

const CHUNK = 64 * 1024;
const MAX_ARRANGED = 20_000;

export interface WrittenAnswer {
  readonly mediaType: string;
  readonly rows: number;
  readonly isCut: boolean;
  readonly chunks: Iterable<string | Uint8Array<ArrayBuffer>>;
}

/** No accepted format can express the answer. */
export class FormatRefused extends Error {}

/** @param forms the form of the query, and "takes" @throws FormatRefused */
export function refused(forms: string, names: readonly string[]): never {
  throw new FormatRefused(`None of the accepted formats can carry the answer; ${forms} ${names.join(', ')}.`);
}

type InnerLabel = (iri: string) => string | undefined;

/** Writes a SELECT's answer. @param tsv from the engine @param most rows @throws FormatRefused */
export function writtenTable(
  tsv: Uint8Array,
  format: ResultFormatName,
  most: number,
  innerLabel: InnerLabel,
): WrittenAnswer {
  const table = new Table(tsv, innerLabel);
  const counted = { rows: Math.min(table.size, most), isCut: table.size > most };
  if (format === 'parquet' && table.variables.length === 0)
    return refused('SELECT without variables takes', textFormatNames);
  if (format === 'parquet')
    return { ...counted, mediaType: PARQUET, chunks: parquetFile(table.variables, () => table.rows(most)) };
  if (format === 'xml' && hasWhatXmlLacks(tsv))
    return refused(
      'a text in it has a character that XML 1.0 does not know, so SELECT takes',
      resultFormatNames.filter((name) => name !== 'xml'),
    );
  const writer: ResultFormat = resultFormats[format];
  const lines = function* (): Generator<string> {
    yield writer.head(table.variables);
    let isFirst = true;
    for (const row of table.rows(most)) {
      yield writer.row(table.variables, row, isFirst);
      isFirst = false;
    }
    yield writer.tail;
  };
  return { ...counted, mediaType: writer.mediaType, chunks: gathered(lines()) };
}

/** Whether UTF-8 text contains a character that XML 1.0 forbids (§2.2). */
function hasWhatXmlLacks(text: Uint8Array): boolean {
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] ?? 0;
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return true;
    if (byte === 0xef && text[at + 1] === 0xbf && (text[at + 2] ?? 0) >= 0xbe) return true;
  }
  return false;
}

export function writtenTruth(answer: boolean, format: TextFormatName): WrittenAnswer {
  const { mediaType, ask } = resultFormats[format];
  return { mediaType, rows: 1, isCut: false, chunks: [ask(answer)] };
}

/** Writes the graph of a CONSTRUCT or DESCRIBE. @param text the engine's N-Triples @param most triples */
export async function writtenGraph(
  text: string,
  format: RdfFormat,
  most: number,
  innerLabel: InnerLabel,
  prefixes: Prefixes,
): Promise<WrittenAnswer> {
  const all = readTriples(text, innerLabel);
  const quads = all.slice(0, most);
  const isPlain = format === 'ntriples' || (format === 'turtle' && quads.length > MAX_ARRANGED);
  const whole = await writeRdf(quads, isPlain ? 'ntriples' : format, { prefixes });
  const { mediaType } = formats[format];
  return { mediaType, rows: quads.length, isCut: all.length > most, chunks: sliced(whole) };
}

function* gathered(texts: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const text of texts) {
    chunk += text;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

function* sliced(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + CHUNK);
    // Never splits a surrogate pair.
    if (end < text.length && /[\ud800-\udbff]/u.test(text[end - 1] ?? '')) end++;
    yield text.slice(at, end);
    at = end;
  }
}

const NEWLINE = 10;
const BLOCK = 64 * 1024;

/** The answer of a SELECT from the engine: a line of names, then a line per row (SPARQL 1.1 CSV and TSV §4). */
class Table {
  readonly variables: readonly string[];
  readonly size: number;
  readonly #tsv: Buffer;

  /** @param tsv UTF-8, read in place @param innerLabel returns the blank node label for an IRI that stands for one */
  constructor(
    tsv: Uint8Array,
    private readonly innerLabel: (iri: string) => string | undefined,
  ) {
    this.#tsv = Buffer.from(tsv.buffer, tsv.byteOffset, tsv.byteLength);
    const head = this.#tsv.toString('utf8', 0, this.#tsv.indexOf(NEWLINE));
    this.variables = head === '' ? [] : head.split('\t').map((name) => name.slice(1));
    let lines = 0;
    for (let at = this.#tsv.indexOf(NEWLINE); at >= 0; at = this.#tsv.indexOf(NEWLINE, at + 1)) lines++;
    this.size = lines - 1;
  }

  *rows(most: number): Generator<AnswerRow> {
    let left = Math.min(most, this.size);
    for (let start = this.#tsv.indexOf(NEWLINE) + 1; left > 0;) {
      const end = this.#tsv.indexOf(NEWLINE, Math.min(start + BLOCK, this.#tsv.length - 1));
      const lines = this.#tsv.toString('utf8', start, end).split('\n');
      for (const line of lines.slice(0, left)) yield this.#row(line);
      left -= lines.length;
      start = end + 1;
    }
  }

  #row(line: string): AnswerRow {
    // A variable may be ?__proto__.
    const row = Object.create(null) as Record<string, JsonTerm>;
    for (const [index, cell] of line.split('\t').entries()) {
      const name = this.variables[index];
      if (cell !== '' && name !== undefined) row[name] = this.#term(cell);
    }
    return row;
  }

  #term(cell: string): JsonTerm {
    const term = readTsvTerm(cell);
    const label = term.type === 'uri' && term.value.includes('#_') ? this.innerLabel(term.value) : undefined;
    return label === undefined ? term : { type: 'bnode', value: label };
  }
}
