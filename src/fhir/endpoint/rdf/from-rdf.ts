import { Graph } from '../../../model/ontology/graph.js';
import { termKey } from '../../../rdf/term-key.js';
import type { Literal, Quad, Term } from '../../../rdf/terms.js';
import { fhir, fhirNamespace, rdf } from '../../../rdf/vocabulary.js';
import {
  elementPlace,
  endpointPlace,
  freeElementPlace,
  nameOfProperty,
  placeOf,
  placeWithin,
  propertyOf,
  resourcePlace,
  type Place,
} from './fhir-names.js';
import { jsonKind } from './fhir-names.js';
import { InvalidEndpoint, InvalidEndpointGraph } from '../endpoint-problem.js';
import { keepNumberText } from '../reading/write-json.js';
import type { Property } from '../rules/endpoint-shapes.js';
import type { Endpoint } from '../types.js';
import { validateEndpoint } from '../rules/validate-endpoint.js';
import { MAX_DEPTH } from '../rules/walk.js';

type Json = Record<string, unknown>;

/**
 * Reads the endpoint from a graph in the RDF form of FHIR R4; the output of `endpointToRdf` comes back without loss.
 * Graph names are ignored. The types of concepts and `fhir:link` add no information; every other statement about the
 * endpoint must be one of FHIR's.
 * @throws InvalidEndpointGraph for a graph that is not of this form
 * @throws InvalidEndpoint if the endpoint has an error
 */
export function endpointFromRdf(quads: Iterable<Quad>): Endpoint {
  const endpoint = new Reader(quads).read();
  const error = validateEndpoint(endpoint).find(({ severity }) => severity === 'error');
  if (error) throw new InvalidEndpoint(error);
  return endpoint as unknown as Endpoint;
}

/** The objects of a node by predicate. */
type Statements = ReadonlyMap<string, readonly Term[]>;

/** Statements that add nothing to the endpoint. */
const silent: ReadonlySet<string> = new Set([rdf.type, fhir.link, fhir.nodeRole, fhir.index, fhir.value]);

class Reader {
  readonly #graph: Graph;
  readonly #visited = new Set<string>();
  #depth = 0;

  constructor(quads: Iterable<Quad>) {
    this.#graph = new Graph(quads);
  }

  read(): Json {
    const nodes = [...this.#graph.subjects()].map((subject) => this.#graph.properties(subject));
    const roots = nodes.filter((node) =>
      node.get(fhir.nodeRole)?.some(({ value }) => value === fhir.treeRoot),
    );
    const [root] = roots;
    if (!root || roots.length > 1) throw new InvalidEndpointGraph(`it has ${roots.length} roots, not one`);
    if (!root.get(rdf.type)?.some(({ value }) => value === fhir.Endpoint))
      throw new InvalidEndpointGraph('its root is no fhir:Endpoint');
    return this.#object(root, endpointPlace, { resourceType: 'Endpoint' });
  }

  /** Puts the properties of a node into an object; never into a copy, which would lose the texts of numbers. */
  #object(node: Statements, place: Place, object: Json = {}): Json {
    if (++this.#depth > MAX_DEPTH) throw new InvalidEndpointGraph(`its nodes nest deeper than ${MAX_DEPTH}`);
    for (const [predicate, objects] of node) {
      if (silent.has(predicate)) continue;
      const name = nameOfProperty(place, predicate);
      const property = name === undefined ? undefined : propertyOf(place, name);
      if (name === undefined || (place.described && property === undefined))
        throw new InvalidEndpointGraph(`<${predicate}> is no property of ${place.path}`);
      this.#property(object, name, objects, place, property);
    }
    this.#depth--;
    return object;
  }

  #property(
    object: Json,
    name: string,
    objects: readonly Term[],
    place: Place,
    property: Property | undefined,
  ): void {
    if (property?.type === 'xhtml') {
      object[name] = this.#xhtml(objects);
      return;
    }
    const nodes = objects.map((term) => this.#node(term, name));
    const indexes = nodes.map((node) => node.get(fhir.index)?.[0]?.value);
    const repeats = property?.repeats ?? indexes.some((index) => index !== undefined);
    if (!repeats) {
      const [node] = nodes;
      if (!node || nodes.length > 1)
        throw new InvalidEndpointGraph(`${place.path}.${name} has several values`);
      this.#member(node, {
        place,
        name,
        property,
        values: object,
        key: name,
        primitiveExtensions: object,
        beside: `_${name}`,
      });
      return;
    }
    this.#repeated(object, name, inOrder(nodes, indexes, name), place, property);
  }

  #repeated(
    object: Json,
    name: string,
    nodes: readonly Statements[],
    place: Place,
    property: Property | undefined,
  ): void {
    const [values, primitiveExtensions]: [unknown[], unknown[]] = [
      nodes.map(() => null),
      nodes.map(() => null),
    ];
    for (const [index, node] of nodes.entries()) {
      const key = String(index);
      this.#member(node, { place, name, property, values, key, primitiveExtensions, beside: key });
    }
    object[name] = values;
    if (primitiveExtensions.some((primitiveExtension) => primitiveExtension !== null))
      object[`_${name}`] = primitiveExtensions;
  }

  /** Puts the value of a node and its primitive extension where they belong. */
  #member(node: Statements, slot: Slot): void {
    const { place, name, property, key, beside } = slot;
    const [values, primitiveExtensions] = [slot.values as Json, slot.primitiveExtensions as Json];
    if (property?.type === 'ContainedResource') {
      const type = node.get(rdf.type)?.find(({ value }) => value.startsWith(fhirNamespace))?.value ?? '';
      const resourceType = type.slice(fhirNamespace.length);
      values[key] = this.#object(node, resourcePlace(resourceType), { resourceType });
      return;
    }
    const inner = property ? placeOf(property, name) : placeWithin(place, name);
    if (property ? !property.primitive : hasPropertyOf(node, inner)) {
      values[key] = this.#object(node, inner);
      return;
    }
    const literals = node.get(fhir.value) ?? [];
    if (literals.length > 1) throw new InvalidEndpointGraph(`a ${name} has several values`);
    const [literal] = literals;
    if (literal) values[key] = valueOf(literal, property?.type, values, key);
    const primitiveExtension = this.#object(node, place.described ? elementPlace : freeElementPlace);
    if (Object.keys(primitiveExtension).length > 0) primitiveExtensions[beside] = primitiveExtension;
  }

  #node(term: Term, name: string): Statements {
    if (term.termType === 'Literal')
      throw new InvalidEndpointGraph(`the value of ${name} is not in a node of its own`);
    // Nodes in a circle, or shared by many, would make an endless or a huge tree.
    if (this.#visited.has(termKey(term)))
      throw new InvalidEndpointGraph(`the value of ${name} stands in two places`);
    this.#visited.add(termKey(term));
    return this.#graph.properties(term);
  }

  /** HL7's examples have the literal itself, its templates a node with fhir:value. */
  #xhtml(objects: readonly Term[]): string {
    const [term] = objects;
    const found = term?.termType === 'Literal' ? term : term && this.#graph.objects(term, fhir.value)[0];
    if (objects.length !== 1 || !found) throw new InvalidEndpointGraph('a narrative has no one text');
    return found.value;
  }
}

/** Where a value goes: `values[key]`, and its primitive extension to `primitiveExtensions[beside]`. */
interface Slot {
  readonly place: Place;
  readonly name: string;
  readonly property: Property | undefined;
  readonly values: object;
  readonly key: string;
  readonly primitiveExtensions: object;
  readonly beside: string;
}

function hasPropertyOf(node: Statements, place: Place): boolean {
  return [...node.keys()].some((predicate) => nameOfProperty(place, predicate) !== undefined);
}

/** R4 RDF, "Representing Repeating Elements": counted from 0 without a gap. */
function inOrder(
  nodes: readonly Statements[],
  indexes: readonly (string | undefined)[],
  name: string,
): Statements[] {
  const ordered: Statements[] = [];
  for (const [at, node] of nodes.entries()) {
    const index = indexes[at] ?? (nodes.length === 1 ? '0' : '');
    if (!/^\d{1,9}$/u.test(index) || Number(index) >= nodes.length || ordered[Number(index)] !== undefined)
      throw new InvalidEndpointGraph(`the values of ${name} are not counted from 0 on`);
    ordered[Number(index)] = node;
  }
  return ordered;
}

function valueOf(term: Term, type: string | undefined, holder: object, key: string): unknown {
  if (term.termType !== 'Literal') throw new InvalidEndpointGraph('a fhir:value is no literal');
  const kind = jsonKind(term as Literal, type);
  if (kind === 'string') return term.value;
  if (kind === 'boolean') {
    if (!/^(?:true|false|1|0)$/u.test(term.value))
      throw new InvalidEndpointGraph(`${JSON.stringify(term.value)} is no boolean`);
    return term.value === 'true' || term.value === '1';
  }
  const number = Number(term.value);
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u.test(term.value))
    throw new InvalidEndpointGraph(`${JSON.stringify(term.value.slice(0, 60))} is no number of JSON`);
  keepNumberText(holder, key, term.value, number);
  return number;
}
