import { Problem } from '../../problem.js';

/**
 * The text of the bytes that an app sends: any Unicode text, a byte order mark included.
 * @throws Problem malformed-request for bytes that are no UTF-8 (which has no lone surrogates) and for NUL
 */
export function blobText(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new Problem('malformed-request', 'The body is no UTF-8 text; encode it as UTF-8.', { cause });
  }
  if (text.includes('\0'))
    throw new Problem('malformed-request', 'The body holds a NUL character; take it out.');
  return text;
}
