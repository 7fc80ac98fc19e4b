import { setImmediate as nextTurn } from 'node:timers/promises';
import { decodeText } from './decode.js';
import type { RdfFormat } from './formats.js';
import { createInputTerms } from './input-terms.js';
import { parseJsonLd } from './parse-jsonld.js';
import type { Steps } from './parse-steps.js';
import { parseTurtle } from './parse-turtle.js';
import type { SubjectLines } from './subject-lines.js';
import { QuadKeys } from './term-key.js';
import type { Quad } from './terms.js';

export interface ParseOptions {
  readonly format: RdfFormat;
  /** What relative IRIs are resolved against; without it they are an error. */
  readonly baseIRI?: string | undefined;
  /** `refuse` (the default): no DOCTYPE at all. `internal`: its internal general entities, with bounded expansion. */
  readonly doctype?: 'refuse' | 'internal' | undefined;
  /** How deep elements, brackets or JSON values may nest. */
  readonly maxDepth?: number | undefined;
  /** How many statements may be read, repeated ones included; RDF/XML may hold four elements and attributes for each. */
  readonly maxQuads?: number | undefined;
  /** How many characters the statements may have when every IRI is written out. */
  readonly maxText?: number | undefined;
  /**
   * How many values a JSON-LD document may hold. Its processor compares each value of a property with all before it,
   * so time grows with the square: 2,000 values take some 0.1 s, 40,000 half a minute.
   */
  readonly maxJsonValues?: number | undefined;
  /** Waits for the next turn of the event loop, between two steps of a long text. */
  readonly pause?: (() => Promise<unknown>) | undefined;
  /** Filled with the places of all subjects; JSON-LD leaves it empty, since its processor knows no lines. */
  readonly lines?: SubjectLines | undefined;
}

/**
 * Reads RDF of any format with parsers that cannot be brought down by their input: nesting, statements and entity
 * expansion are bounded while reading, nothing is fetched, IRIs are checked. Bytes are UTF-8, XML also in the encoding
 * it declares. A long text is read in several turns of the event loop, but for JSON-LD, whose processor knows no
 * pauses. Returns distinct quads in the order of the input, with blank node labels that no other call gives.
 * Throws RdfSyntaxError (with the line where the parser knows it) or RdfLimitError.
 */
export async function parseRdf(input: Uint8Array | string, options: ParseOptions): Promise<Quad[]> {
  const { format, baseIRI, doctype = 'refuse', maxDepth = 256, pause = nextTurn, lines } = options;
  const { maxQuads = Infinity, maxText = Infinity, maxJsonValues = Infinity } = options;
  const text =
    typeof input === 'string' ? input.replace(/^\ufeff/, '') : decodeText(input, format === 'rdfxml');
  const terms = createInputTerms(maxQuads, maxText);
  switch (format) {
    case 'rdfxml': {
      // Loaded when first needed: most commands read Turtle alone, and end sooner than its parser is there.
      const { parseRdfXml } = await import('./parse-rdfxml.js');
      return distinct(
        await inTurns(parseRdfXml(text, { terms, baseIRI, doctype, maxDepth, maxQuads, lines }), pause),
      );
    }
    case 'jsonld':
      return distinct(await parseJsonLd(text, { terms, baseIRI, maxDepth, maxJsonValues, maxText }));
    default:
      return distinct(await inTurns(parseTurtle(text, { terms, format, baseIRI, maxDepth, lines }), pause));
  }
}

/** Takes each step in a turn of the event loop of its own: others are answered in between. */
async function inTurns<T>(steps: Steps<T>, pause: () => Promise<unknown>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await pause();
  }
}

/** Each quad once, the first of equals kept. */
export function distinct(quads: readonly Quad[]): Quad[] {
  const seen = new QuadKeys();
  return quads.filter((each) => seen.add(each));
}
