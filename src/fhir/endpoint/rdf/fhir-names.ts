import { fhirNamespace, xsd } from '../../../rdf/vocabulary.js';
import { shapes, type Property } from '../rules/endpoint-shapes.js';
import { literal, namedNode, type Literal } from '../../../rdf/terms.js';

/** Properties that FHIR names after the types from which every resource, or every element, has them. */
const inherited: Readonly<Record<'resource' | 'element', ReadonlyMap<string, string>>> = {
  resource: new Map([
    ...['id', 'meta', 'implicitRules', 'language'].map((name) => [name, 'Resource'] as const),
    ...['text', 'contained', 'extension', 'modifierExtension'].map(
      (name) => [name, 'DomainResource'] as const,
    ),
  ]),
  element: new Map(['id', 'extension'].map((name) => [name, 'Element'])),
};

/**
 * What is known of an object where it stands, for naming its properties and reading them back: a described datatype,
 * or the path to it (`Organization.contact`), as FHIR names the elements of a resource that have no datatype.
 */
export interface Place {
  readonly path: string;
  readonly kind: 'resource' | 'element' | 'inner';
  readonly described: boolean;
}

export const endpointPlace: Place = { path: 'Endpoint', kind: 'resource', described: true };
export const elementPlace: Place = { path: 'Element', kind: 'element', described: true };
/** A primitive extension in a part that is not described. */
export const freeElementPlace: Place = { path: 'Element', kind: 'element', described: false };

/** The place of the value of a property of a described datatype. */
export function placeOf({ type }: Property, name: string): Place {
  // Of `valueQuantity` only the datatype is known.
  if (type === 'Complex') return { path: name.replace(/^value/u, ''), kind: 'element', described: false };
  return { path: type, kind: 'element', described: true };
}

export function resourcePlace(type: string): Place {
  return { path: type, kind: 'resource', described: false };
}

/** The place of an object at a property of which nothing is known. */
export function placeWithin(place: Place, name: string): Place {
  return { path: localName(place, name), kind: 'inner', described: false };
}

export function propertyOf(place: Place, name: string): Property | undefined {
  return place.described ? shapes.get(place.path)?.get(name) : undefined;
}

/** The IRI of a property: `fhir:Coding.system`. */
export function propertyIri(place: Place, name: string): string {
  return fhirNamespace + localName(place, name);
}

/** The name of a property out of its IRI; undefined when the property is not one of this place. */
export function nameOfProperty(place: Place, iri: string): string | undefined {
  const local = iri.startsWith(fhirNamespace) ? iri.slice(fhirNamespace.length) : '';
  const point = local.lastIndexOf('.');
  const name = point < 0 ? undefined : decoded(local.slice(point + 1));
  return name !== undefined && name !== '__proto__' && localName(place, name) === local ? name : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function localName({ path, kind }: Place, name: string): string {
  const owner = kind === 'inner' ? path : (inherited[kind].get(name) ?? path);
  return `${owner}.${encodeURIComponent(name).replaceAll('.', '%2E')}`;
}

/** The datatypes of literals by FHIR's datatypes (R4 RDF, "Representing Primitive Elements"); all others are strings. */
const datatypes: Readonly<Record<string, (text: string) => string>> = {
  base64Binary: () => xsd.base64Binary,
  boolean: () => xsd.boolean,
  date: ofDate,
  dateTime: ofDate,
  decimal: ofNumber,
  instant: ofDate,
  integer: () => xsd.integer,
  positiveInt: () => xsd.integer,
  time: () => xsd.time,
  unsignedInt: () => xsd.integer,
};

/** The literal of a primitive value; without a type one that its kind in JSON says enough of. */
export function literalOf(value: string | boolean | number, text: string, type?: string): Literal {
  if (type !== undefined) {
    const datatype = datatypes[type]?.(text);
    return literal(text, datatype === undefined ? undefined : namedNode(datatype));
  }
  if (typeof value === 'string') return literal(text);
  if (typeof value === 'boolean') return literal(text, namedNode(xsd.boolean));
  return literal(text, namedNode(/[.eE]/u.test(text) ? ofNumber(text) : xsd.integer));
}

/** What a literal is in JSON, by FHIR's datatype or else by its own. */
export function jsonKind({ datatype }: Literal, type: string | undefined): 'string' | 'boolean' | 'number' {
  if (type !== undefined) return kinds.get(type) ?? 'string';
  if (datatype.value === xsd.boolean) return 'boolean';
  return numeric.has(datatype.value) ? 'number' : 'string';
}

const kinds = new Map<string, 'boolean' | 'number'>([
  ['boolean', 'boolean'],
  ['decimal', 'number'],
  ['integer', 'number'],
  ['positiveInt', 'number'],
  ['unsignedInt', 'number'],
]);
const numeric: ReadonlySet<string> = new Set([xsd.integer, xsd.decimal, xsd.double]);

/** xsd:decimal has no exponent. */
function ofNumber(text: string): string {
  return /[eE]/u.test(text) ? xsd.double : xsd.decimal;
}

/** A partial date has the datatype of its precision. */
function ofDate(text: string): string {
  if (text.includes('T')) return xsd.dateTime;
  return { 4: xsd.gYear, 7: xsd.gYearMonth }[text.length] ?? xsd.date;
}
