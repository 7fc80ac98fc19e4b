import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RdfFormat } from './formats.js';
import { createInputTerms } from './input-terms.js';
import { parseJsonLd, type KnownContext } from './parse-jsonld.js';
import type { Steps, SubjectLines } from './parse-steps.js';
import { parseTurtle } from './parse-turtle.js';
import { RdfSyntaxError } from './rdf-errors.js';
import { QuadKeys } from './term-key.js';
import type { Quad } from './terms.js';

export interface ParseOptions {
  readonly format: RdfFormat;
  /** Without it, relative IRIs are errors. */
  readonly baseIRI?: string | undefined;
  /** `refuse` (the default): no DOCTYPE. `internal`: internal general entities, with bounded expansion. */
  readonly doctype?: 'refuse' | 'internal' | undefined;
  readonly maxDepth?: number | undefined;
  /** The most statements, repeated ones included; RDF/XML may have four elements and attributes for each. */
  readonly maxQuads?: number | undefined;
  /** The most characters of the statements with every IRI written out. */
  readonly maxText?: number | undefined;
  /**
   * The most values of a JSON-LD document. Its processor compares each value of a property with all before it: 2,000
   * take about 0.1 s, 40,000 half a minute.
   */
  readonly maxJsonValues?: number | undefined;
  /** A context that a JSON-LD document may name at its top; no other is loaded. */
  readonly knownContext?: KnownContext | undefined;
  readonly pause?: (() => Promise<unknown>) | undefined;
  /** Receives the lines of all subjects, except from JSON-LD. */
  readonly lines?: SubjectLines | undefined;
}

/**
 * Reads RDF of any format with parsers that no input can bring down: nesting, statements and entities are limited
 * while reading, nothing is fetched, IRIs are checked. Bytes are UTF-8; XML may declare another encoding. Long texts
 * other than JSON-LD are read over several turns of the event loop.
 * @returns distinct quads in order, with new blank node labels
 * @throws RdfSyntaxError or RdfLimitError
 */
export async function parseRdf(input: Uint8Array | string, options: ParseOptions): Promise<Quad[]> {
  const { format, baseIRI, doctype = 'refuse', maxDepth = 256, pause = nextTurn, lines } = options;
  const { maxQuads = Infinity, maxText = Infinity, maxJsonValues = Infinity, knownContext } = options;
  const text =
    typeof input === 'string' ? input.replace(/^\ufeff/, '') : decodeText(input, format === 'rdfxml');
  const terms = createInputTerms(maxQuads, maxText);
  switch (format) {
    case 'rdfxml': {
      // Most commands only read Turtle, and finish before this parser would be loaded.
      const { parseRdfXml } = await import('./parse-rdfxml.js');
      return distinct(
        await inTurns(parseRdfXml(text, { terms, baseIRI, doctype, maxDepth, maxQuads, lines }), pause),
      );
    }
    case 'jsonld':
      return distinct(
        await parseJsonLd(text, { terms, baseIRI, maxDepth, maxJsonValues, maxText, knownContext }),
      );
    case 'turtle':
    case 'ntriples':
    case 'nquads':
    case 'trig':
      return distinct(await inTurns(parseTurtle(text, { terms, format, baseIRI, maxDepth, lines }), pause));
  }
}

async function inTurns<T>(steps: Steps<T>, pause: () => Promise<unknown>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await pause();
  }
}

export function distinct(quads: readonly Quad[]): Quad[] {
  const seen = new QuadKeys();
  return quads.filter((each) => seen.add(each));
}

const byteOrderMarks: readonly { readonly bytes: readonly number[]; readonly encoding: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
];

const declaration = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']/;

/**
 * Decodes an input: UTF-8, or for XML according to its byte order mark or declaration (XML 1.0 §4.3.3).
 * @throws RdfSyntaxError
 */
function decodeText(bytes: Uint8Array, isXml: boolean): string {
  const encoding = isXml ? xmlEncoding(bytes) : 'utf-8';
  const decoder = decoderOf(encoding);
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new RdfSyntaxError(`the text is not valid ${encoding}`, firstBadLine(bytes, encoding), { cause });
  }
}

function decoderOf(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch (cause) {
    throw new RdfSyntaxError(`the encoding ${encoding} is not supported`, 1, { cause });
  }
}

function xmlEncoding(bytes: Uint8Array): string {
  const mark = byteOrderMarks.find((candidate) => candidate.bytes.every((byte, i) => bytes[i] === byte));
  if (mark) return mark.encoding;
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  return declaration.exec(start)?.[1]?.toLowerCase() ?? 'utf-8';
}

function firstBadLine(bytes: Uint8Array, encoding: string): number {
  const text = new TextDecoder(encoding).decode(bytes);
  return text.slice(0, Math.max(0, text.indexOf('\ufffd'))).split('\n').length;
}
