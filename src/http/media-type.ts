import { parse } from 'content-type';
import { Problem } from '../model/problem.js';

/** A media type (RFC 9110 §8.3.1), with names in lower case. */
export interface MediaType {
  readonly essence: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** A type name that can be registered (RFC 6838 §4.2). */
const ESSENCE = /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}$/;

/** A field value (RFC 9110 §5.5), in ASCII. */
const FIELD = /^[\t\x20-\x7e]*$/;

/** Reads a media type; undefined if it is invalid. */
export function readMediaType(text: string): MediaType | undefined {
  const { type, parameters } = parse(text);
  if (!ESSENCE.test(type) || !FIELD.test(text)) return undefined;
  return { essence: type, parameters: new Map(Object.entries(parameters)) };
}

export function isUtf8({ parameters }: MediaType): boolean {
  return ['utf-8', 'utf8', 'us-ascii'].includes(parameters.get('charset')?.toLowerCase() ?? 'utf-8');
}

/** Whether a body looks like XML: it begins with a tag. */
export function isXml(body: Uint8Array): boolean {
  return /^(?:\xef\xbb\xbf)?[\t\n\r ]*<[?!A-Za-z_]/.test(
    Buffer.from(body.subarray(0, 256)).toString('latin1'),
  );
}

/**
 * Refuses a content coding: the coded bytes would be stored as they are.
 * @param field the value of Content-Encoding
 * @throws Problem unsupported-media-type (RFC 9110 §8.4)
 */
export function refuseCoding(field: string): void {
  if (field.trim() === '' || field.trim().toLowerCase() === 'identity') return;
  throw new Problem(
    'unsupported-media-type',
    'Bodies are taken without a Content-Encoding; send it uncoded.',
    {
      headers: { 'Accept-Encoding': 'identity' },
    },
  );
}
