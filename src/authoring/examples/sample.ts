import { formats, type RdfFormat } from '../../rdf/formats.js';
import type { Quad } from '../../rdf/terms.js';
import { writeRdf } from '../../rdf/write.js';
import { writingOf } from '../../http/handlers/write-graph.js';
import { usedContext } from '../../model/jsonld-context.js';
import type { Ontology } from '../../model/ontology/model.js';

/** A text in the documentation, possibly shortened. */
export interface Sample {
  readonly mediaType: string;
  readonly text: string;
  readonly linesOmitted: number;
  /** Characters left out of long lines, each of which is marked. */
  readonly charactersOmitted: number;
}

const MAX_LINES = 140;
const MAX_LINE_LENGTH = 480;

/** Shortens a text after a number of lines, and long lines such as embedded files. Both are counted. */
export function sampleOf(mediaType: string, text: string): Sample {
  const lines = text.replace(/\n$/, '').split('\n');
  // Slightly longer texts are shown whole: leaving out three lines helps nobody.
  const shown = lines.length > MAX_LINES * 1.2 ? lines.slice(0, MAX_LINES) : lines;
  let charactersOmitted = 0;
  const cut = shown.map((line) => {
    if (line.length <= MAX_LINE_LENGTH) return line;
    charactersOmitted += line.length - MAX_LINE_LENGTH;
    return `${line.slice(0, MAX_LINE_LENGTH)}… ${line.length - MAX_LINE_LENGTH} characters more`;
  });
  return { mediaType, text: cut.join('\n'), linesOmitted: lines.length - shown.length, charactersOmitted };
}

const shown = ['rdfxml', 'turtle', 'jsonld'] as const satisfies readonly RdfFormat[];
/** Larger graphs are shown only in the default serialisation. */
const MAX_QUADS = 2000;

/** Writes a graph in each serialisation, as the container sends it. */
export async function graphSamples(quads: readonly Quad[], ontology: Ontology): Promise<Sample[]> {
  const { context, prefixes } = writingOf(ontology);
  const samples: Sample[] = [];
  for (const format of quads.length > MAX_QUADS ? [shown[0]] : shown) {
    const options = format === 'jsonld' ? { context: usedContext(context, quads) } : { prefixes };
    samples.push(sampleOf(formats[format].mediaType, await writeRdf(quads, format, options)));
  }
  return samples;
}
