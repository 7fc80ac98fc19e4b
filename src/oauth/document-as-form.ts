import { byteTable, replaceBytes } from './byte-table.js';
import { compare, normalize } from './base-string.js';
import { readForm, type Parameter } from './percent.js';

/** A document with more parts than this is not read as a form: the work stays bounded. */
const MOST_PARTS = 20_000;

/**
 * The normalized parameters that a signature may have been made over, when the body is an RDF document that came as
 * `application/x-www-form-urlencoded`. Old clients label every POST so. Some sign the document as any other body,
 * which a signature does not cover (RFC 5849 §3.4.1.3.1); others sign its text as if it were a form.
 *
 * The first way gives nothing away: whoever can change such a body on its way can change one that is labelled as RDF,
 * too; `oauth_body_hash` and TLS protect both. A signature of the second way never fits the first, because a document
 * is never without a part, so that its body cannot be changed for another. A document is read as RDF alone: nothing
 * in it is a protocol parameter.
 * @param sent the parameters of header and query, without realm and oauth_signature
 * @param document its bytes, one character each
 */
export function* documentReadings(sent: readonly Parameter[], document: string): Generator<string> {
  yield normalize(sent);
  if ((document.match(/[&;]/g)?.length ?? 0) >= MOST_PARTS) return;
  const form = strictForm(document);
  if (form) yield normalize([...sent, ...form]);
  yield pythonForm(sent, document);
}

/** The form by the book; undefined where it has bytes or percent signs that a form cannot have. */
function strictForm(document: string): Parameter[] | undefined {
  if (!/^[\x00-\x7f]*$/.test(document)) return undefined;
  try {
    return readForm(document);
  } catch {
    return undefined;
  }
}

/**
 * The form as Python 2.7 reads and sorts it: a semicolon separates as well, a percent sign that encodes nothing is
 * itself, and parameters are sorted before they are encoded.
 */
function pythonForm(sent: readonly Parameter[], document: string): string {
  const parts = document.split(/[&;]/).filter((part) => part !== '');
  const form = parts.map((part) => {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? [];
    return [unquote(name), unquote(value)] as const;
  });
  return [...sent.map(([name, value]) => [bytes(name), bytes(value)] as const), ...form]
    .sort(([nameA, valueA], [nameB, valueB]) => compare(nameA, nameB) || compare(valueA, valueB))
    .map(([name, value]) => `${quote(name)}=${quote(value)}`)
    .join('&');
}

const bytes = (text: string): string => Buffer.from(text).toString('latin1');

const unquote = (part: string): string =>
  part
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

const encoded = byteTable((byte) =>
  /[\w.~-]/.test(String.fromCharCode(byte))
    ? undefined
    : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
);

const quote = (text: string): string =>
  Buffer.from(replaceBytes(Buffer.from(text, 'latin1'), encoded)).toString('latin1');
