import { formats } from '../rdf/formats.js';
import { readTriples } from '../rdf/ntriples.js';
import type { Quad } from '../rdf/terms.js';
import { ChartgraphError } from './chartgraph-error.js';

export interface GraphFormat {
  readonly mediaType: string;
  /**
   * Reads a whole graph. Its blank node labels differ from those of all other calls.
   * @param baseIRI the base for relative IRIs
   * @throws an error with the number of the faulty `line`, if known
   */
  read(text: string, baseIRI: string): Quad[];
}

let answers = 0;

/** Returns a label prefix, so that blank nodes of two answers are never confused. */
export function newPrefix(): string {
  return `a${answers++}_`;
}

/** Every Chartgraph container answers N-Triples; it needs no parser, is fastest to read, and arrives line by line. */
export const ntriples: GraphFormat = Object.freeze({
  mediaType: formats.ntriples.mediaType,
  read: (text: string) => readTriples(text, undefined, newPrefix()),
});

/** Returns an Accept field for a format, with N-Triples as the alternative. */
export function acceptField({ mediaType }: GraphFormat): string {
  return mediaType === ntriples.mediaType ? mediaType : `${mediaType}, ${ntriples.mediaType};q=0.9`;
}

/**
 * Returns the format of an answer by its media type: the wanted one or N-Triples.
 * @throws ChartgraphError for any other
 */
export function formatOf(call: string, mediaType: string | undefined, wanted: GraphFormat): GraphFormat {
  const bare = mediaType?.replace(/;.*$/s, '').trim().toLowerCase();
  const format = [wanted, ntriples].find((each) => each.mediaType === bare);
  if (format) return format;
  throw new ChartgraphError(
    'answer',
    call,
    `an answer of type ${mediaType ?? 'unknown'} cannot be read; chartgraph-client/formats has others for the format setting.`,
  );
}

/**
 * Reads the graph of an answer by its media type.
 * @param url the base for relative IRIs
 * @throws ChartgraphError that repeats nothing of the text, which is about a patient
 */
export function readGraph(
  call: string,
  text: string,
  { mediaType, url, wanted }: { mediaType: string | undefined; url: string; wanted: GraphFormat },
): Quad[] {
  const format = formatOf(call, mediaType, wanted);
  try {
    return format.read(text, url);
  } catch (error) {
    throw unreadable(call, format, error);
  }
}

export function unreadable(call: string, { mediaType }: GraphFormat, error?: unknown): ChartgraphError {
  const line = (error as { line?: unknown } | undefined)?.line;
  const where = typeof line === 'number' ? ` in line ${line}` : '';
  return new ChartgraphError('answer', call, `the answer is no ${mediaType}${where}.`);
}
