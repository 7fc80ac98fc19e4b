import { replaceEach } from './replace-each.js';

/** What can stand in XML text as it is: no markup, no carriage return, nothing above the basic plane to look at twice. */
const plain = /^[\t\n\x20-\x25\x27-\x3b\x3d\x3f-\ud7ff\ue000-\ufffd]*$/;
const plainValue = /^[\x20\x21\x23-\x25\x27-\x3b\x3d\x3f-\ud7ff\ue000-\ufffd]*$/;

/** Characters that XML 1.0 §2.2 leaves out, not even as character references. */

const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** In the order in which they can be replaced one after the other. */
const content = ['&', '<', '>', '\r'].map((character) => [character, escapes[character] ?? ''] as const);

/** The first character of a text that XML 1.0 cannot carry. */
export function impossibleInXml(text: string): string | undefined {
  return plain.test(text) ? undefined : impossible.exec(text)?.[0];
}

/** A text as element content: it reads back unchanged, carriage returns included (XML 1.0 §2.11). */
export function escapeText(text: string): string {
  return plain.test(text) ? text : replaceEach(text, content);
}

/** A text as the value of an attribute in double quotes: white space survives normalisation (XML 1.0 §3.3.3). */
export function escapeAttribute(text: string): string {
  return plainValue.test(text)
    ? text
    : text.replace(/[&<>"\t\n\r]/g, (character) => escapes[character] ?? character);
}
