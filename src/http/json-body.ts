import { isObject } from '../rdf/json-object.js';
import { Problem } from '../problem.js';
import type { PlainAnswer } from './answer.js';
import { bodyBytes } from './body.js';
import { readMediaType } from './media-type.js';
import type { RequestContext } from './request-context.js';

/**
 * The members of a JSON object that a request sends.
 * @param names those that it may have
 * @throws Problem unsupported-media-type, too-large, malformed-request, unprocessable
 */
export function readJsonBody(
  { context, body, route }: RequestContext,
  names: readonly string[],
): Partial<Record<string, unknown>> {
  if (readMediaType(context.get('Content-Type'))?.essence !== 'application/json')
    throw new Problem('unsupported-media-type', 'Send a JSON object as application/json.');
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bodyBytes(body, route.bodyLimit)));
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('malformed-request', 'The body is no JSON text in UTF-8.');
  }
  if (!isObject(value)) throw new Problem('malformed-request', 'The body is a JSON object.');
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw refusedProperty(unknown.slice(0, 64), `The object has ${names.join(' and ')}, no more.`);
  return value;
}

/** A member of a body has a value that cannot be used. */
export const refusedProperty = (property: string, detail: string): Problem =>
  new Problem('unprocessable', detail, { extra: { property } });

/** An answer that is a JSON text. */
export const jsonAnswer = (value: object): PlainAnswer => ({
  kind: 'plain',
  mediaType: 'application/json',
  body: JSON.stringify(value),
});
