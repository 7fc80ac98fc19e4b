import type { Context } from 'koa';
import { typeAliases } from '../../rdf/formats.js';
import { Problem } from '../../problem.js';
import type { Representation } from '../answer.js';
import { preferredType } from './accept.js';

/** What Java's HttpURLConnection asks for when its program says nothing: no browser asks for this. */
const unspoken = /^text\/html, image\/gif, image\/jpeg, \*/;

/**
 * Chooses the representation of an answer: `?_format=` before Accept (RFC 9110 §12.5.1), the first one where the
 * caller has no preference.
 * @param format the value of `_format`
 * @returns undefined when Accept excludes all of them
 * @throws Problem invalid-parameter for an unknown `_format`
 */
export function chooseRepresentation(
  context: Context,
  format: string | undefined,
  offered: readonly Representation[],
): Representation | undefined {
  if (format !== undefined && offered.some((each) => each.format !== undefined)) {
    const named = offered.find((each) => each.format === format);
    if (named) return named;
    const names = offered.flatMap((each) => each.format ?? []).join(', ');
    throw new Problem('invalid-parameter', `_format is one of ${names}.`, {
      extra: { parameter: '_format' },
    });
  }
  const accept = context.req.headers.accept;
  if (accept === undefined || accept === '*/*' || unspoken.test(accept)) return offered[0];
  // Most programs ask for one type, as it is offered.
  const exact = offered.find(({ mediaType }) => mediaType === accept);
  if (exact) return exact;
  const types = offered.map(({ mediaType }) => bare(mediaType));
  const chosen = preferredType(accept, types, typeAliases);
  return offered[chosen === undefined ? -1 : types.indexOf(chosen)];
}

/** Whether a browser asks: every one prefers HTML and takes anything else too. A program that wants HTML alone is none. */
export function isBrowser(context: Context): boolean {
  const field = context.get('Accept');
  return (
    field.includes('*/*') && !unspoken.test(field) && preferredType(field, PROBLEM_TYPES) === 'text/html'
  );
}

const PROBLEM_TYPES = ['application/problem+json', 'application/json', 'text/html'];

/** The refusal when `chooseRepresentation` finds nothing. */
export function notAcceptable(offered: readonly Representation[]): Problem {
  const types = offered.map(({ mediaType }) => bare(mediaType)).join(', ');
  return new Problem('not-acceptable', `This call answers with ${types}.`);
}

const bare = (mediaType: string): string => mediaType.replace(/;.*/, '');
