import type { Context } from 'koa';
import { Problem } from '../../problem.js';
import { preferredType } from './accept.js';
import { answeredFormats as offered, formats, type RdfFormat } from '../../rdf/formats.js';

/**
 * Chooses the serialisation of an RDF answer: `?_format=` before `Accept` (RFC 9110 §12.5.1),
 * RDF/XML where the caller has no preference.
 * @returns undefined when Accept excludes all of them
 * @throws Problem invalid-parameter for an unknown `_format`
 */
export function chooseFormat(context: Context, asked: string | undefined): RdfFormat | undefined {
  if (asked !== undefined) {
    const format = offered.find((name) => name === asked);
    if (!format) {
      throw new Problem('invalid-parameter', `_format is one of ${offered.join(', ')}.`, {
        extra: { parameter: '_format' },
      });
    }
    return format;
  }
  const mediaType = preferredType(context.get('Accept'), offeredTypes);
  return offered.find((name) => formats[name].mediaType === mediaType);
}

/** The media types of RDF answers, the default first. */
export const offeredTypes: readonly string[] = offered.map((name) => formats[name].mediaType);

/** The refusal when `chooseFormat` finds nothing. */
export function notAcceptable(): Problem {
  return new Problem(
    'not-acceptable',
    `This call answers with ${offered.map((name) => formats[name].mediaType).join(', ')}.`,
  );
}
