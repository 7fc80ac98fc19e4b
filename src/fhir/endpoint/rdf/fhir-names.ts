import { fhirNamespace, xsd } from '../../../rdf/vocabulary.js';
import { shapes, type Property } from '../rules/endpoint-shapes.js';
import { literal, namedNode, type Literal } from '../../../rdf/terms.js';

/** Properties that FHIR names after the base type that gives them to every resource or element. */
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
 * The type of an object at its place, for naming its properties and reading them back: a described datatype, or the
 * path to it (`Organization.contact`), as FHIR names the elements of a resource that have no datatype.
 */
export interface Place {
  readonly path: string;
  readonly kind: 'resource' | 'element' | 'inner';
  readonly described: boolean;
}

export const endpointPlace: Place = { path: 'Endpoint', kind: 'resource', described: true };
export const elementPlace: Place = { path: 'Element', kind: 'element', described: true };
/** A primitive extension in an undescribed part. */
export const freeElementPlace: Place = { path: 'Element', kind: 'element', described: false };

/** The place of the value of a property of a described datatype. */
export function placeOf({ type }: Property, name: string): Place {
  // The name `valueQuantity` only tells the datatype.
  if (type === 'Complex') return { path: name.replace(/^value/u, ''), kind: 'element', described: false };
  return { path: type, kind: 'element', described: true };
}

export function resourcePlace(type: string): Place {
  return { path: type, kind: 'resource', described: false };
}

/** The place of an object at an unknown property. */
export function placeWithin(place: Place, name: string): Place {
  return { path: localName(place, name), kind: 'inner', described: false };
}

export function propertyOf(place: Place, name: string): Property | undefined {
  return place.described ? shapes.get(place.path)?.get(name) : undefined;
}

/** Returns the IRI of a property: `fhir:Coding.system`. */
export function propertyIri(place: Place, name: string): string {
  return fhirNamespace + localName(place, name);
}

/** Returns the name of a property from its IRI; undefined if this place has no such property. */
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

/** Literal datatypes by FHIR's datatypes (R4 RDF, "Representing Primitive Elements"); all others are strings. */
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

/** Returns the literal of a primitive value; without a type, the kind in JSON decides. */
export function literalOf(value: string | boolean | number, text: string, type?: string): Literal {
  if (type !== undefined) {
    const datatype = datatypes[type]?.(text);
    return literal(text, datatype === undefined ? undefined : namedNode(datatype));
  }
  if (typeof value === 'string') return literal(text);
  if (typeof value === 'boolean') return literal(text, namedNode(xsd.boolean));
  return literal(text, namedNode(/[.eE]/u.test(text) ? ofNumber(text) : xsd.integer));
}

/** Returns the JSON value of a literal, by FHIR's datatype or else by its own. */
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

/** Returns xsd:double for a number with an exponent, which xsd:decimal does not have. */
function ofNumber(text: string): string {
  return /[eE]/u.test(text) ? xsd.double : xsd.decimal;
}

/** Returns the datatype of a date by its precision. */
function ofDate(text: string): string {
  if (text.includes('T')) return xsd.dateTime;
  return { 4: xsd.gYear, 7: xsd.gYearMonth }[text.length] ?? xsd.date;
}
