import { formats, type RdfFormat } from '../../rdf/formats.js';
import type { Quad } from '../../rdf/terms.js';
import { writeRdf } from '../../rdf/write.js';
import { usedContext, type JsonLdContext } from '../jsonld-context.js';
import { sampleOf, type Sample } from './sample.js';

/** The serialisations that examples are shown in, the default first. */
const shown = ['rdfxml', 'turtle', 'jsonld'] as const satisfies readonly RdfFormat[];
/** Larger graphs are shown in the default serialisation alone. */
const MOST_QUADS = 2000;

/** A graph as the container sends it, in each of the serialisations that documentation shows. */
export async function graphSamples(quads: readonly Quad[], context: JsonLdContext): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const format of quads.length > MOST_QUADS ? [shown[0]] : shown) {
    const options = format === 'jsonld' ? { context: usedContext(context, quads) } : {};
    samples.push(sampleOf(formats[format].mediaType, await writeRdf(quads, format, options)));
  }
  return samples;
}
