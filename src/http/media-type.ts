import { parse } from 'content-type';
import { Problem } from '../problem.js';

/** A media type (RFC 9110 §8.3.1), its names in lower case. */
export interface MediaType {
  /** `text/plain` */
  readonly essence: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** RFC 6838 §4.2: the names that can be registered. */
const ESSENCE = /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}$/;

/** What a field can hold (RFC 9110 §5.5), without the bytes beyond ASCII that nobody agrees about. */
const FIELD = /^[\t\x20-\x7e]*$/;

/** Reads a media type; undefined for a text that is none. */
export function readMediaType(text: string): MediaType | undefined {
  const { type, parameters } = parse(text);
  if (!ESSENCE.test(type) || !FIELD.test(text)) return undefined;
  return { essence: type, parameters: new Map(Object.entries(parameters)) };
}

/** Whether the text of a body is UTF-8 as far as its media type says; ASCII is a part of it. */
export function isUtf8({ parameters }: MediaType): boolean {
  return ['utf-8', 'utf8', 'us-ascii'].includes(parameters.get('charset')?.toLowerCase() ?? 'utf-8');
}

/** Whether a body can be nothing but XML: after white space and a byte order mark it begins with a tag. */
export function isXml(body: Uint8Array): boolean {
  return /^(?:\xef\xbb\xbf)?[\t\n\r ]*<[?!A-Za-z_]/.test(
    Buffer.from(body.subarray(0, 256)).toString('latin1'),
  );
}

/**
 * Bodies are read as they are: one that says it is coded would be kept as something else than it is.
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
