import { shown } from './ntriples.js';
import { RdfSyntaxError } from './rdf-errors.js';
import { resolveIri } from './resolve-iri.js';
import { prefixes, xml } from './vocabulary.js';
import type { XmlAttribute, XmlTag } from './xml-literal.js';

/** RDF 1.1 XML Syntax §6.1.4: unqualified names in old documents stand for those of the RDF namespace. */
const unqualified = new Set(['ID', 'about', 'resource', 'parseType', 'type']);
const parseTypes = new Set(['Literal', 'Resource', 'Collection', 'Triple']);

/**
 * Reads the attributes of a node or property element for a parser that takes them one by one: those that change the
 * meaning of others, such as language and id, come first, wherever they are written.
 * @param around the base of the enclosing element
 * @returns the base for its IRIs, the value of `rdf:type` as an unresolved reference, and all others but `xml:base`
 * @throws RdfSyntaxError for an attribute without a namespace, which would be lost
 */
export function readAttributes(tag: XmlTag, around: string) {
  const first: [string, XmlAttribute][] = [];
  const others: [string, XmlAttribute][] = [];
  let baseIRI = around;
  let type: string | undefined;
  for (const key in tag.attributes) {
    const each = tag.attributes[key];
    if (!each) continue;
    const isXml = each.uri === xml || each.prefix === 'xmlns' || (each.uri === '' && /^xml/i.test(each.name));
    if (each.uri === xml && each.local === 'base') baseIRI = resolveIri(each.value, around);
    else if (isXml) first.push([key, each]);
    else {
      const attribute = qualified(each);
      const isRdf = attribute.uri === prefixes.rdf;
      if (isRdf && attribute.local === 'type') type = attribute.value;
      else if (isRdf && attribute.local === 'ID') first.push([key, attribute]);
      else others.push([key, isRdf ? knownParseType(attribute) : attribute]);
    }
  }
  return { baseIRI, type, others: Object.fromEntries([...first, ...others]) };
}

function qualified(attribute: XmlAttribute): XmlAttribute {
  if (attribute.uri !== '') return attribute;
  if (!unqualified.has(attribute.local))
    throw new RdfSyntaxError(`the attribute ${shown(attribute.name)} has no namespace`);
  return { ...attribute, prefix: 'rdf', uri: prefixes.rdf };
}

/** RDF 1.1 XML Syntax §7.2.20: content under any other parse type is a literal. */
function knownParseType(attribute: XmlAttribute): XmlAttribute {
  const isOther = attribute.local === 'parseType' && !parseTypes.has(attribute.value);
  return isOther ? { ...attribute, value: 'Literal' } : attribute;
}
