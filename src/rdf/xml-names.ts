import { LETTER, NAME_CHAR } from 'xmlchars/xml/1.0/ed4.js';
import { prefixes as ownPrefixes, xml, xmlns } from './vocabulary.js';
import { escapeAttribute } from './xml-text.js';

// Namespaces in XML 1.0 §3: NCName is Name without colon. The letters are those of the fourth edition of XML 1.0
// (appendix B): the fifth has more, also beyond the basic plane, and parsers of the fourth, such as Expat, refuse them.
const start = `${LETTER}_`;
const more = NAME_CHAR.replace(':', '');
const nameStart = new RegExp(`[${start}]`, 'u');
const nameCharacter = new RegExp(`[${more}]`, 'u');
const ncName = new RegExp(`^[${start}][${more}]*$`, 'u');

/** Bound to `xml` and `xmlns` for ever: no other prefix can stand for them (Namespaces in XML 1.0 §3). */
const undeclarable = new Set([xml, xmlns]);

/** RDF 1.1 XML Syntax §6.1.1 to 6.1.4, and `rdf:li`, which readers would turn into `rdf:_1`. */
// prettier-ignore
const reserved = new Set(['RDF', 'Description', 'ID', 'about', 'parseType', 'resource', 'nodeID', 'datatype', 'li',
  'aboutEach', 'aboutEachPrefix', 'bagID'].map((name) => ownPrefixes.rdf + name));

export interface NameParts {
  readonly namespace: string;
  readonly local: string;
}

/**
 * An IRI cut into namespace and XML name, the name as long as every XML 1.0 parser reads it; a text says why there is
 * no such cut.
 */
export function splitName(iri: string): NameParts | string {
  if (reserved.has(iri)) return 'RDF/XML keeps that name for its syntax';
  const cut = asciiCut(iri) ?? anyCut(iri);
  if (cut === iri.length) return 'it does not end in an XML name';
  if (cut === 0) return 'nothing is left for a namespace';
  const namespace = iri.slice(0, cut);
  if (undeclarable.has(namespace)) return 'its namespace cannot be declared in XML';
  return { namespace, local: iri.slice(cut) };
}

/** Where the XML name at the end of an IRI begins; undefined where its last characters are not all ASCII. */
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

/** The same for any characters. Backwards: a pattern for the end of a text is tried at each place of it. */
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

/**
 * A prefix for each namespace: that of the table, else `ns1`, `ns2` … in the order of the namespaces. `rdf` is always
 * there, as every document uses it. Prefixes that are no XML name or begin with `xml` are passed over.
 */
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

export interface ElementNames {
  /** IRI of a predicate or type → its qualified name. */
  readonly names: ReadonlyMap<string, string>;
  /** The namespace declarations as attributes, one a line, sorted by prefix. */
  readonly declarations: string;
}

/** Qualified names for IRIs that `splitName` can cut, and the declarations that these names need. */
export function nameElements(iris: Iterable<string>, table: Readonly<Record<string, string>>): ElementNames {
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
