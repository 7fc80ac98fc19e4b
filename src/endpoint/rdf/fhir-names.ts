import { fhirNamespace } from '../../rdf/vocabulary.js';
import { shapes, type Property } from '../rules/endpoint-shapes.js';

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

/** The property of a place, where it is described. */
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
