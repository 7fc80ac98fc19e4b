import type { Quad } from '../rdf/terms.js';
import { ChartgraphError } from './chartgraph-error.js';
import { ntriples, type GraphFormat } from './graph-format.js';

/** The Accept field that asks for a format, and takes N-Triples where there is no other. */
export function acceptField({ mediaType }: GraphFormat): string {
  return mediaType === ntriples.mediaType ? mediaType : `${mediaType}, ${ntriples.mediaType};q=0.9`;
}

/**
 * The format of an answer by its media type, of those that were asked for.
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
 * @param url what relative IRIs are resolved against
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

/** The error of a text that is not in its format. */
export function unreadable(call: string, { mediaType }: GraphFormat, error: unknown): ChartgraphError {
  const line = (error as { line?: unknown } | undefined)?.line;
  const where = typeof line === 'number' ? ` in line ${line}` : '';
  return new ChartgraphError('answer', call, `the answer is no ${mediaType}${where}.`);
}
