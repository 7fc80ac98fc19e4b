import { RdfSyntaxError } from './rdf-errors.js';

const byteOrderMarks: readonly { readonly bytes: readonly number[]; readonly encoding: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
];

const declaration = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']/;

/**
 * The text of an input: UTF-8, or for XML what its byte order mark or its declaration says (XML 1.0 §4.3.3).
 * Throws RdfSyntaxError for bytes that are no text of that encoding.
 */
export function decodeText(bytes: Uint8Array, isXml: boolean): string {
  const encoding = isXml ? xmlEncoding(bytes) : 'utf-8';
  const decoder = decoderOf(encoding);
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new RdfSyntaxError(`the text is not valid ${encoding}`, firstBadLine(bytes, encoding), { cause });
  }
}

function decoderOf(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch (cause) {
    throw new RdfSyntaxError(`the encoding ${encoding} is not supported`, 1, { cause });
  }
}

function xmlEncoding(bytes: Uint8Array): string {
  const mark = byteOrderMarks.find((candidate) => candidate.bytes.every((byte, i) => bytes[i] === byte));
  if (mark) return mark.encoding;
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  return declaration.exec(start)?.[1]?.toLowerCase() ?? 'utf-8';
}

/** The line of the first bytes that cannot be decoded: what comes before the first replacement character. */
function firstBadLine(bytes: Uint8Array, encoding: string): number {
  const text = new TextDecoder(encoding).decode(bytes);
  return text.slice(0, Math.max(0, text.indexOf('\ufffd'))).split('\n').length;
}
