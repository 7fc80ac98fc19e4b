import { jsonLdContext, usedContext, type JsonLdContext } from '../../model/jsonld-context.js';
import type { Ontology } from '../../model/ontology/model.js';
import type { Prefixes } from '../../model/ontology/term-names.js';
import type { RdfFormat } from '../../rdf/formats.js';
import { madeOnce } from '../../rdf/made-once.js';
import { readTriples } from '../../rdf/ntriples.js';
import type { Quad } from '../../rdf/terms.js';
import { writeRdf } from '../../rdf/write.js';
import { contentQuads, type FileContent } from '../../records/documents/describe-documents.js';
import { responseSummary, type ListFacts } from '../../records/lists/page-limits.js';
import { oneTitlePerCode, type KnownCodes } from '../../records/titles.js';
import { innerLabelUnder } from '../../store/relative-text.js';

export interface GraphWriting extends KnownCodes {
  readonly context: JsonLdContext;
  readonly prefixes: Prefixes;
}

export const writingOf = madeOnce((ontology: Ontology): GraphWriting => ({
  codes: ontology.codes,
  context: jsonLdContext(ontology),
  prefixes: ontology.prefixes,
}));

export interface LongGraph {
  readonly texts: readonly Uint8Array<ArrayBuffer>[];
  /** Of the documents that the graph describes. */
  readonly contents?: readonly FileContent[];
  /** Of a list, to be summarized. */
  readonly facts?: ListFacts;
}

/** Writes a graph as text. @throws UnwritableError for terms that the format cannot express */
export function writeGraph(
  quads: Quad[],
  format: RdfFormat,
  { codes, context, prefixes }: GraphWriting,
): Promise<string> {
  const own = oneTitlePerCode(quads, { codes });
  return writeRdf(own, format, format === 'jsonld' ? { context: usedContext(context, own) } : { prefixes });
}

/** Writes a long graph; a list with its summary. */
export async function writeLongGraph(
  { texts, contents = [], facts }: LongGraph,
  format: RdfFormat,
  base: string,
  writing: GraphWriting,
): Promise<Buffer> {
  const quads = readTriples(Buffer.concat(texts).toString(), innerLabelUnder(base));
  const more = [...contentQuads(contents), ...(facts ? responseSummary(facts) : [])];
  return Buffer.from(await writeGraph([...quads, ...more], format, writing));
}
