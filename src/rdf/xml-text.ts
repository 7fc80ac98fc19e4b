import { LETTER, NAME_CHAR } from 'xmlchars/xml/1.0/ed4.js';
import { replaceEach } from './replace-each.js';
import { prefixes as ownPrefixes, xml, xmlns } from './vocabulary.js';

/** Text that needs no escape: no markup, no carriage return, nothing above the basic plane. */
const plain = /^[\t\n\x20-\x25\x27-\x3b\x3d\x3f-\ud7ff\ue000-\ufffd]*$/;
const plainValue = /^[\x20\x21\x23-\x25\x27-\x3b\x3d\x3f-\ud7ff\ue000-\ufffd]*$/;

/** XML 1.0 §2.2 excludes these, even as references. */

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

/** Ordered so that each can be replaced in turn. */
const content = ['&', '<', '>', '\r'].map((character) => [character, escapes[character] ?? ''] as const);

/** Returns the first character of a text that XML 1.0 cannot carry. */
export function impossibleInXml(text: string): string | undefined {
  return plain.test(text) ? undefined : impossible.exec(text)?.[0];
}

/** Replaces each character that XML 1.0 cannot carry with U+FFFD. */
export function withoutImpossible(text: string): string {
  return plain.test(text) ? text : text.replace(new RegExp(impossible, 'gu'), '\ufffd');
}

/** Escapes element content so that it reads back unchanged (XML 1.0 §2.11). */
export function escapeText(text: string): string {
  return plain.test(text) ? text : replaceEach(text, content);
}

/** Escapes a double-quoted attribute value so that it reads back unchanged (XML 1.0 §3.3.3). */
export function escapeAttribute(text: string): string {
  return plainValue.test(text)
    ? text
    : text.replace(/[&<>"\t\n\r]/g, (character) => escapes[character] ?? character);
}

// Namespaces in XML 1.0 §3: an NCName is a Name without a colon. The letters are those of XML 1.0's fourth edition,
// because parsers of that edition, such as Expat, refuse those of the fifth.
const start = `${LETTER}_`;
const more = NAME_CHAR.replace(':', '');
const nameStart = new RegExp(`[${start}]`, 'u');
const nameCharacter = new RegExp(`[${more}]`, 'u');
const ncName = new RegExp(`^[${start}][${more}]*$`, 'u');

/** Namespaces in XML 1.0 §3. */
const undeclarable = new Set([xml, xmlns]);

/** RDF 1.1 XML Syntax §6.1.1 to 6.1.4, and `rdf:li`, which readers would turn into `rdf:_1`. */
// prettier-ignore
const reserved = new Set(['RDF', 'Description', 'ID', 'about', 'parseType', 'resource', 'nodeID', 'datatype', 'li',
  'aboutEach', 'aboutEachPrefix', 'bagID'].map((name) => ownPrefixes.rdf + name));

interface NameParts {
  readonly namespace: string;
  readonly local: string;
}

/** Splits an IRI into namespace and XML name, or says why it cannot be split. */
export function splitName(iri: string): NameParts | string {
  if (reserved.has(iri)) return 'RDF/XML keeps that name for its syntax';
  const cut = asciiCut(iri) ?? anyCut(iri);
  if (cut === iri.length) return 'it does not end in an XML name';
  if (cut === 0) return 'nothing is left for a namespace';
  const namespace = iri.slice(0, cut);
  if (undeclarable.has(namespace)) return 'its namespace cannot be declared in XML';
  return { namespace, local: iri.slice(cut) };
}

function asciiCut(iri: string): number | undefined {
  let cut = iri.length;
  for (let i = iri.length - 1; i >= 0; i--) {
    const code = iri.charCodeAt(i);
    if (code > 0x7f) return undefined;
    if ((code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f) cut = i;
    else if (!((code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2e)) return cut;
  }
  return cut;
}

/** Searches backwards, because a pattern for the end of a text would be tried at every position. */
function anyCut(iri: string): number {
  let cut = iri.length;
  for (let i = iri.length; i > 0;) {
    const low = iri.charCodeAt(i - 1);
    const at = low >= 0xdc00 && low <= 0xdfff && i > 1 ? i - 2 : i - 1;
    const character = iri.slice(at, i);
    if (nameStart.test(character)) cut = at;
    else if (!nameCharacter.test(character)) return cut;
    i = at;
  }
  return cut;
}

/** Assigns each namespace a prefix: from the table, else `ns1`, `ns2` … in order. `rdf` is always included. */
function assignPrefixes(
  namespaces: Iterable<string>,
  table: Readonly<Record<string, string>>,
): Map<string, string> {
  const known = new Map<string, string>();
  for (const prefix of Object.keys(table).sort().reverse()) {
    const namespace = table[prefix];
    if (namespace !== undefined && ncName.test(prefix) && !/^xml/i.test(prefix) && prefix !== 'rdf') {
      known.set(namespace, prefix);
    }
  }
  known.set(ownPrefixes.rdf, 'rdf');
  const taken = new Set(known.values());
  const assigned = new Map<string, string>();
  let generated = 0;
  for (const namespace of [...new Set([ownPrefixes.rdf, ...namespaces])].sort()) {
    let prefix = known.get(namespace);
    while (prefix === undefined) {
      const candidate = `ns${++generated}`;
      if (!taken.has(candidate)) prefix = candidate;
    }
    assigned.set(namespace, prefix);
  }
  return assigned;
}

/** Returns qualified names for the IRIs that `splitName` can split, and their declarations, one per line, sorted. */
export function nameElements(iris: Iterable<string>, table: Readonly<Record<string, string>>) {
  const parts = new Map<string, NameParts>();
  for (const iri of iris) {
    const split = splitName(iri);
    if (typeof split !== 'string') parts.set(iri, split);
  }
  const assigned = assignPrefixes(
    [...parts.values()].map(({ namespace }) => namespace),
    table,
  );
  const names = new Map(
    [...parts].map(([iri, { namespace, local }]) => [iri, `${assigned.get(namespace)}:${local}`]),
  );
  const lines = [...assigned].map(
    ([namespace, prefix]) => `\n    xmlns:${prefix}="${escapeAttribute(namespace)}"`,
  );
  return { names, declarations: lines.sort().join('') };
}
