import { createReadStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { BrokenGzip, unpacked } from '../../store/disk/unpacked.js';
import { RdfLimitError, RdfSyntaxError } from '../../rdf/rdf-errors.js';
import { formatNames, formatOfFile, formats } from '../../rdf/formats.js';
import { parseRdf } from '../../rdf/parse.js';
import type { SubjectLines } from '../../rdf/parse-steps.js';
import type { Quad } from '../../rdf/terms.js';
import { InvalidGraph } from '../../store/graph-store.js';
import { recordIri } from '../resource-paths.js';
import { RecordInputError } from './load-problems.js';

/** Maximum unpacked bytes of a file: a longer text does not fit into a JavaScript string. */
const MAX_BYTES = 500 * 1024 * 1024;

const usualExtensions = formatNames.map((name) => `.${formats[name].extensions[0]}`);

/** Returns the record id in a file name: its only group of digits, as in `p1032702.xml` or `1000001.ttl.gz`. */
export function recordIdOfFile(path: string): string | undefined {
  const stem = basename(path)
    .replace(/\.gz$/i, '')
    .replace(/\.[^.]*$/, '');
  const groups = stem.match(/\d+/g);
  return groups?.length === 1 ? groups[0] : undefined;
}

/**
 * Reads a file's quads; the extension gives the format, the first bytes tell gzip. Relative IRIs are below the record
 * if its id is known, else below the base URL. Expands internal entities, which ontology editors write, and fetches
 * nothing.
 * @param lines receives the lines of subjects
 * @throws RecordInputError with the line, if known
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
      existsSync(path) ? `The extension must be that of a format that can be loaded: ${known}.` : NO_FILE,
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

/** Tells whether an XML document begins like FHIR, which would parse as RDF/XML with meaningless names. */
function isFhir(bytes: Uint8Array): boolean {
  const beginning = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  return /<\w+\s[^<>]*\bxmlns\s*=\s*["']http:\/\/hl7\.org\/fhir["']/u.test(beginning);
}

const NO_FILE = 'There is no such file.';

/** Converts errors of parsers, and of the store about graphs; returns others unchanged. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof InvalidGraph) return refusal(error.message);
  if (!(error instanceof RdfSyntaxError) && !(error instanceof RdfLimitError)) return error;
  return new RecordInputError([{ line: error.line ?? null, reason: error.reason }]);
}

async function readBytes(path: string, maxBytes: number): Promise<Uint8Array> {
  try {
    const found = await stat(path);
    // A device or pipe has no size to check, and may never end.
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
