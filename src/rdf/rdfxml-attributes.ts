import { shown } from './iri.js';
import { RdfSyntaxError } from './rdf-errors.js';
import { resolveIri } from './resolve-iri.js';
import { prefixes, xml } from './vocabulary.js';
import type { XmlAttribute, XmlTag } from './xml-literal.js';

/** RDF 1.1 XML Syntax §6.1.4: names of old documents, which stand for those of the RDF namespace. */
const unqualified = new Set(['ID', 'about', 'resource', 'parseType', 'type']);
const parseTypes = new Set(['Literal', 'Resource', 'Collection', 'Triple']);

/** The attributes of an element, with the base that its IRIs are resolved against. */
export interface ElementAttributes {
  readonly baseIRI: string;
  /** What `rdf:type` says, a reference yet. */
  readonly type: string | undefined;
  /** All others but `xml:base`. */
  readonly others: Record<string, XmlAttribute>;
}

/**
 * Reads the attributes of a node or property element for a parser that takes them one after the other: what changes
 * the meaning of others, such as language and id, comes first, wherever it stands.
 * @param around the base of the element around it
 * @throws RdfSyntaxError for an attribute without a namespace, which would be lost
 */
export function readAttributes(tag: XmlTag, around: string): ElementAttributes {
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

/** RDF 1.1 XML Syntax §7.2.20: what any other parse type holds is a literal. */
function knownParseType(attribute: XmlAttribute): XmlAttribute {
  const isOther = attribute.local === 'parseType' && !parseTypes.has(attribute.value);
  return isOther ? { ...attribute, value: 'Literal' } : attribute;
}
