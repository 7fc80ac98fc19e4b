import { jsonLdContext, usedContext, type JsonLdContext } from '../../derive/jsonld-context.js';
import type { Ontology } from '../../ontology/model.js';
import type { RdfFormat } from '../../rdf/formats.js';
import { madeOnce } from '../../rdf/made-once.js';
import { readTriples } from '../../rdf/ntriples.js';
import type { Quad } from '../../rdf/terms.js';
import { writeRdf } from '../../rdf/write.js';
import { responseSummary, type ListFacts } from '../../records/lists/response-summary.js';
import { oneTitlePerCode, type KnownCodes } from '../../records/titles.js';
import { innerLabelUnder } from '../../store/skolem-label.js';

/** What the graphs of answers are written with. */
export interface GraphWriting extends KnownCodes {
  /** The JSON-LD context of the ontology. */
  readonly context: JsonLdContext;
}

/** What graphs are written with by an ontology. */
export const writingOf = madeOnce((ontology: Ontology): GraphWriting => ({
  codes: ontology.codes,
  context: jsonLdContext(ontology),
}));

/** A list that takes long to be written. */
export interface LongGraph {
  /** What its statements say, as UTF-8 of absolute N-Triples in parts. */
  readonly texts: readonly Uint8Array<ArrayBuffer>[];
  readonly facts: ListFacts;
}

/** The graph of an answer as text of a format. @throws UnwritableError for what that cannot carry */
export function writeGraph(
  quads: Quad[],
  format: RdfFormat,
  { codes, context }: GraphWriting,
): Promise<string> {
  const own = oneTitlePerCode(quads, { codes });
  return writeRdf(own, format, format === 'jsonld' ? { context: usedContext(context, own) } : {});
}

/** The same of a list. @param base of the container */
export async function writeLongGraph(
  { texts, facts }: LongGraph,
  format: RdfFormat,
  base: string,
  writing: GraphWriting,
): Promise<Buffer> {
  const quads = readTriples(Buffer.concat(texts).toString(), innerLabelUnder(base));
  return Buffer.from(await writeGraph([...quads, ...responseSummary(facts)], format, writing));
}
