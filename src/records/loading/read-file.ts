import { createReadStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { BrokenGzip, unpacked } from '../../disk/unpacked.js';
import { RdfLimitError, RdfSyntaxError } from '../../rdf/rdf-errors.js';
import { formatNames, formatOfFile, formats } from '../../rdf/formats.js';
import { parseRdf } from '../../rdf/parse.js';
import type { SubjectLines } from '../../rdf/subject-lines.js';
import type { Quad } from '../../rdf/terms.js';
import { InvalidGraph } from '../../store/graph-store.js';
import { recordIri } from '../resource-paths.js';
import { RecordInputError } from './load-problems.js';

/** Bytes of RDF that one file may hold, packed or not: a text longer than this is no string of JavaScript. */
const MAX_BYTES = 500 * 1024 * 1024;

const usualExtensions = formatNames.map((name) => `.${formats[name].extensions[0]}`);

/**
 * The record id that a file name holds: its digits, as in `p1032702.xml` or `1000001.ttl.gz`. A name with several
 * groups of digits, or none, says nothing.
 */
export function recordIdOfFile(path: string): string | undefined {
  const stem = basename(path)
    .replace(/\.gz$/i, '')
    .replace(/\.[^.]*$/, '');
  const groups = stem.match(/\d+/g);
  return groups?.length === 1 ? groups[0] : undefined;
}

/**
 * Reads the quads of a file; the format comes from its extension, gzip is known by its first bytes. Relative IRIs
 * stand below the record (`medications/m1`) where its id is known, below the base URL where it is not. Internal
 * entity declarations are honoured, since ontology editors write them; nothing is fetched from anywhere.
 * @param maxBytes how much it may hold, packed or not
 * @param lines filled with where its subjects stand
 * @throws RecordInputError with the line, where one is known
 */
export async function readRdfFile(
  path: string,
  base: string,
  recordId: string | undefined,
  maxBytes = MAX_BYTES,
  lines?: SubjectLines,
): Promise<Quad[]> {
  const format = formatOfFile(path);
  if (!format) {
    const known = `${usualExtensions.join(', ')}, or .json and .ndjson for FHIR, also with .gz`;
    throw refusal(
      existsSync(path) ? `The extension is none of a format that can be loaded: ${known}.` : NO_FILE,
    );
  }
  const bytes = await readBytes(path, maxBytes);
  if (format === 'rdfxml' && isFhir(bytes))
    throw refusal(
      'This is FHIR in XML; FHIR is read as JSON or NDJSON alone, so export or convert it to that.',
    );
  try {
    const baseIRI = recordId === undefined ? `${base}/` : `${recordIri(base, recordId)}/`;
    return await parseRdf(bytes, { format, baseIRI, doctype: 'internal', lines });
  } catch (error) {
    throw asRefusal(error);
  }
}

/** Whether an XML document begins as FHIR does, which would be read as RDF/XML with names that nobody has. */
function isFhir(bytes: Uint8Array): boolean {
  const beginning = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  return /<\w+\s[^<>]*\bxmlns\s*=\s*["']http:\/\/hl7\.org\/fhir["']/u.test(beginning);
}

const NO_FILE = 'There is no such file.';

/** Turns what parsers say about a text, and the store about its graphs, into a refusal; other errors stay as they are. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof InvalidGraph) return refusal(error.message);
  if (!(error instanceof RdfSyntaxError) && !(error instanceof RdfLimitError)) return error;
  return new RecordInputError([{ line: error.line ?? null, reason: error.reason }]);
}

async function readBytes(path: string, maxBytes: number): Promise<Uint8Array> {
  try {
    const found = await stat(path);
    // A device or a pipe has no size to hold against the limit, and may never end.
    if (!found.isFile()) throw refusal('This is no regular file.');
    if (found.size > maxBytes)
      throw refusal(`The file is larger than ${megabytes(maxBytes)}; load it in parts.`);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of unpacked(createReadStream(path) as AsyncIterable<Buffer>)) {
      size += chunk.byteLength;
      if (size > maxBytes) throw refusal(`Unpacked, the file is larger than ${megabytes(maxBytes)}.`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, size);
  } catch (error) {
    if (error instanceof RecordInputError) throw error;
    if (error instanceof BrokenGzip) throw refusal('The file is broken gzip.');
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw refusal(NO_FILE);
    throw refusal(`The file cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}

function refusal(reason: string): RecordInputError {
  return new RecordInputError([{ line: null, reason }]);
}
