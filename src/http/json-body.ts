import { isObject } from '../rdf/json-object.js';
import { Problem } from '../model/problem.js';
import type { PlainAnswer } from './answer.js';
import { bodyBytes } from './admission/bodies.js';
import { readMediaType } from './media-type.js';
import type { RequestContext } from './request-context.js';

/** Reads a JSON object. @throws Problem unsupported-media-type, too-large, malformed-request, unprocessable */
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

export const refusedProperty = (property: string, detail: string): Problem =>
  new Problem('unprocessable', detail, { extra: { property } });

export const jsonAnswer = (value: object): PlainAnswer => ({
  kind: 'plain',
  mediaType: 'application/json',
  body: JSON.stringify(value),
});
