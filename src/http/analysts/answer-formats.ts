import { resultFormatNames, resultType } from '../../analysts/result-formats.js';
import type { AnswerFormats } from '../../analysts/thread-messages.js';
import { formats, typeAliases, type RdfFormat } from '../../rdf/formats.js';
import { Problem } from '../../problem.js';
import { preferredType } from '../respond/accept.js';

/** All that there are, Turtle first: analysts read it. */
const graphFormats: readonly RdfFormat[] = ['turtle', 'ntriples', 'rdfxml', 'jsonld', 'nquads', 'trig'];

const bare = (mediaType: string): string => mediaType.replace(/;.*/u, '');

/** What each form may be asked for, the default first. */
const rowTypes = new Map(resultFormatNames.map((name) => [bare(resultType(name)), name]));
const graphTypes = new Map(graphFormats.map((name) => [formats[name].mediaType, name]));

/** Other names of media types, as tools send them. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  'application/sparql-results+json': ['application/json'],
  'application/sparql-results+xml': ['application/xml', 'text/xml'],
};

/** The media types that answers can have. */
export const answeredTypes = [...rowTypes.keys(), ...graphTypes.keys()];

/**
 * The formats that an Accept field asks for (RFC 9110 §12.5.1), whatever form the query turns out to have.
 * @throws Problem not-acceptable where there is none for any form
 */
export function answerFormats(accept: string): AnswerFormats {
  const rows = rowTypes.get(preferredType(accept, [...rowTypes.keys()], aliases) ?? '');
  const graph = graphTypes.get(preferredType(accept, [...graphTypes.keys()], typeAliases) ?? '');
  if (rows !== undefined || graph !== undefined) return { rows, graph };
  throw new Problem('not-acceptable', `Queries are answered with ${answeredTypes.join(', ')}.`);
}
