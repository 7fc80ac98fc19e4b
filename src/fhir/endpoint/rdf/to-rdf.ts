import { isWritableIri } from '../../../rdf/ntriples.js';
import {
  blankNode,
  literal,
  namedNode,
  quad,
  type BlankNode,
  type NamedNode,
  type Quad,
  type Term,
} from '../../../rdf/terms.js';
import { endpointUrn, fhir, fhirNamespace, rdf, xsd } from '../../../rdf/vocabulary.js';
import {
  elementPlace,
  endpointPlace,
  freeElementPlace,
  placeOf,
  placeWithin,
  propertyIri,
  propertyOf,
  resourcePlace,
  type Place,
} from './fhir-names.js';
import { literalOf } from './fhir-names.js';
import { InvalidEndpoint } from '../endpoint-problem.js';
import { numberText } from '../reading/write-json.js';
import type { Endpoint } from '../types.js';
import { validateEndpoint } from '../rules/validate-endpoint.js';

type Json = Readonly<Record<string, unknown>>;
type Node = NamedNode | BlankNode;

/** Returns the IRI of an endpoint and of its graph: `urn:chartgraph:endpoint:{id}`. */
export function endpointIri(id: string): string {
  return endpointUrn + id;
}

/**
 * Writes an endpoint in the RDF form of FHIR R4: triples about `urn:chartgraph:endpoint:{id}`, or about a blank node if
 * it has no id. Nothing is lost, and decimals keep their text; `fhir:link` is added if a reference names an absolute
 * URI, a contained resource or another endpoint. Inner elements of contained resources, and of datatypes that the
 * endpoint does not use itself, are named by their path.
 * @throws InvalidEndpoint if `validateEndpoint` finds an error in the value
 */
export function endpointToRdf(endpoint: Endpoint): Quad[] {
  const error = validateEndpoint(endpoint).find(({ severity }) => severity === 'error');
  if (error) throw new InvalidEndpoint(error);
  return new Writer(endpoint).write();
}

class Writer {
  readonly #quads: Quad[] = [];
  readonly #endpoint: Endpoint;
  readonly #root: Node;
  readonly #contained: ReadonlyMap<string, Node>;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
    this.#root = endpoint.id === undefined ? blankNode() : namedNode(endpointIri(endpoint.id));
    this.#contained = new Map((endpoint.contained ?? []).map(({ id }) => [id, blankNode()]));
  }

  write(): Quad[] {
    this.#say(this.#root, rdf.type, namedNode(fhir.Endpoint));
    this.#say(this.#root, fhir.nodeRole, namedNode(fhir.treeRoot));
    this.#object(this.#root, this.#endpoint as unknown as Json, endpointPlace);
    return this.#quads;
  }

  #object(node: Node, object: Json, place: Place): void {
    for (const key of Object.keys(object)) {
      if (key === 'resourceType' && place.kind === 'resource') continue;
      // A primitive extension without a value is written in place of its property.
      const name = key.startsWith('_') ? key.slice(1) : key;
      if (object[key] === undefined || (name !== key && object[name] !== undefined)) continue;
      this.#property(node, object, name, place);
    }
    if (place.described && place.path === 'Reference') this.#link(node, object);
  }

  #property(node: Node, holder: Json, name: string, place: Place): void {
    const [value, primitiveExtension] = [holder[name], holder[`_${name}`]];
    const predicate = propertyIri(place, name);
    const array = Array.isArray(value)
      ? value
      : value === undefined && Array.isArray(primitiveExtension)
        ? primitiveExtension
        : undefined;
    if (array === undefined) {
      this.#member(node, predicate, { name, value, primitiveExtension, place, steps: [holder, name] });
      return;
    }
    for (let index = 0; index < array.length; index++) {
      const one = Array.isArray(value) ? (value[index] as unknown) : null;
      const beside = Array.isArray(primitiveExtension) ? (primitiveExtension[index] as unknown) : undefined;
      const steps = [Array.isArray(value) ? value : holder, String(index)] as const;
      const member = { name, value: one, primitiveExtension: beside, place, steps };
      const inner = this.#member(node, predicate, member);
      this.#say(inner, fhir.index, literal(String(index), namedNode(xsd.integer)));
    }
  }

  #member(node: Node, predicate: string, member: Member): Node {
    const { name, value, primitiveExtension, place, steps } = member;
    const property = propertyOf(place, name);
    if (property?.type === 'xhtml') {
      this.#say(node, predicate, literal(String(value)));
      return node;
    }
    const inner = this.#nodeOf(property?.type, value);
    this.#say(node, predicate, inner);
    if (typeof value === 'object' && value !== null) {
      const object = value as Json;
      if (property?.type === 'ContainedResource') {
        const type = String(object['resourceType']);
        this.#say(inner, rdf.type, namedNode(fhirNamespace + type));
        this.#object(inner, object, resourcePlace(type));
      } else this.#object(inner, object, property ? placeOf(property, name) : placeWithin(place, name));
      return inner;
    }
    if (typeof value === 'number')
      this.#say(inner, fhir.value, literalOf(value, numberText(...steps, value), property?.type));
    else if (typeof value === 'string' || typeof value === 'boolean')
      this.#say(inner, fhir.value, literalOf(value, String(value), property?.type));
    if (typeof primitiveExtension === 'object' && primitiveExtension !== null)
      this.#object(inner, primitiveExtension as Json, place.described ? elementPlace : freeElementPlace);
    return inner;
  }

  #nodeOf(type: string | undefined, value: unknown): Node {
    if (type !== 'ContainedResource') return blankNode();
    return this.#contained.get(String((value as Json)['id'])) ?? blankNode();
  }

  /** R4 RDF, "Representing References": a link that queries can follow, if its target is clear. */
  #link(node: Node, { reference }: Json): void {
    if (typeof reference !== 'string') return;
    const target = this.#target(reference);
    if (target) this.#say(node, fhir.link, target);
  }

  #target(reference: string): Term | undefined {
    if (reference === '#') return this.#root;
    if (reference.startsWith('#')) return this.#contained.get(reference.slice(1));
    const id = /^Endpoint\/([A-Za-z0-9\-.]{1,64})$/u.exec(reference)?.[1];
    if (id !== undefined) return namedNode(endpointIri(id));
    return /^[A-Za-z][A-Za-z0-9+.-]*:./u.test(reference) && isWritableIri(reference)
      ? namedNode(reference)
      : undefined;
  }

  #say(subject: Node, predicate: string, object: Term): void {
    this.#quads.push(quad(subject, namedNode(predicate), object));
  }
}

interface Member {
  readonly name: string;
  readonly value: unknown;
  readonly primitiveExtension: unknown;
  readonly place: Place;
  /** The place of the value: an object and a name, or an array and a position. */
  readonly steps: readonly [holder: object, key: string];
}
