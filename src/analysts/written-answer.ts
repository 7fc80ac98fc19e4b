import { formats, type RdfFormat } from '../rdf/formats.js';
import { readTriples } from '../rdf/ntriples.js';
import { prefixes } from '../rdf/vocabulary.js';
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
import { Table } from './table-rows.js';

/** Characters of a chunk, about. */
const CHUNK = 64 * 1024;
/** More triples are written a line each, which is Turtle, too. */
const ARRANGED = 20_000;

/** An answer as it is sent. */
export interface WrittenAnswer {
  readonly mediaType: string;
  readonly rows: number;
  readonly isCut: boolean;
  readonly chunks: Iterable<string | Uint8Array<ArrayBuffer>>;
}

/** No format that the caller takes can carry the answer. */
export class FormatRefused extends Error {}

/** @param forms what the query is, and that it takes @throws FormatRefused */
export function refused(forms: string, names: readonly string[]): never {
  throw new FormatRefused(`None of the accepted formats can carry the answer; ${forms} ${names.join(', ')}.`);
}

type InnerLabel = (iri: string) => string | undefined;

/** @param tsv the engine's, which is read as the chunks are @param most rows that are given @throws FormatRefused */
export function writtenTable(
  tsv: Uint8Array,
  format: ResultFormatName,
  most: number,
  innerLabel: InnerLabel,
): WrittenAnswer {
  const table = new Table(tsv, innerLabel);
  const counted = { rows: Math.min(table.size, most), isCut: table.size > most };
  // No reader takes a file without columns: it could not say how many rows it has.
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

/** Whether UTF-8 holds a character that stands in no XML, not even as a reference (XML 1.0 §2.2). */
function hasWhatXmlLacks(text: Uint8Array): boolean {
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] ?? 0;
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return true;
    // U+FFFE and U+FFFF.
    if (byte === 0xef && text[at + 1] === 0xbf && (text[at + 2] ?? 0) >= 0xbe) return true;
  }
  return false;
}

/** The answer to an ASK. */
export function writtenTruth(answer: boolean, format: TextFormatName): WrittenAnswer {
  const { mediaType, ask } = resultFormats[format];
  return { mediaType, rows: 1, isCut: false, chunks: [ask(answer)] };
}

/**
 * The graph of a CONSTRUCT or DESCRIBE, every triple once.
 * @param text the engine's, as N-Triples @param most triples that are given
 */
export async function writtenGraph(
  text: string,
  format: RdfFormat,
  most: number,
  innerLabel: InnerLabel,
): Promise<WrittenAnswer> {
  const all = readTriples(text, innerLabel);
  const quads = all.slice(0, most);
  const isPlain = format === 'ntriples' || (format === 'turtle' && quads.length > ARRANGED);
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
    // Not between the two halves of a character.
    if (end < text.length && /[\ud800-\udbff]/u.test(text[end - 1] ?? '')) end++;
    yield text.slice(at, end);
    at = end;
  }
}
