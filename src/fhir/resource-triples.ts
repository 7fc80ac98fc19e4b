import { isObject, type JsonObject } from '../rdf/json-object.js';
import { numberText } from '../endpoint/reading/number-text.js';
import { fhirNamespace, firstNamespace, mapping, rdf, xsd } from '../rdf/vocabulary.js';
import { isResourceId, type FhirResource } from './fhir-resources.js';
import type { ReadElement } from './read-element.js';

/** What the triples of a resource need to know, and what is told of it. */
export interface TripleContext {
  /** What queries read, by type. */
  readonly elements: ReadonlyMap<string, ReadElement>;
  /** The resource that a Reference leads to. @param path the element, as in `Condition.subject` */
  target(reference: JsonObject, from: string, path: string): string | undefined;
  /** An element that no query reads. */
  unread(path: string): void;
}

/** Characters given to an engine at once. */
const CHUNK = 1 << 19;

/** What the names of attached bytes begin with. */
const DATA = 'attached ';

const type = `<${rdf.type}>`;
const index = `<${mapping.index}>`;
const link = `<${mapping.link}>`;
const plainValue = `<${rdf.value}>`;
const firsts = `<${firstNamespace}`;
const integer = `<${xsd.integer}>`;

/**
 * Writes resources as N-Triples, by one rule for all of FHIR: a member of a JSON object is a property of that name in
 * the namespace of FHIR, as in FHIR's RDF form of R5. An object is a blank node, a primitive value a plain literal as
 * it is written. An element of a list is a node with its place (`map:index`, from 0); a primitive value in a list is
 * the `rdf:value` of such a node. The first of a list also stands under its name in `first:`, a primitive one as its
 * literal; of codings the first of each system. A primitive extension is a member like any other (`fhir:_birthDate`). A Reference
 * that leads to a resource has it as `map:link`, and so has an Attachment by its URL. The bytes of an attachment
 * (`data`) are not written themselves but a name for them. Only what some query reads is written.
 */
export class ResourceTriples {
  #lines: string[] = [];
  readonly #chunks: string[] = [];
  #length = 0;
  readonly #data: string[] = [];
  #blanks = 0;

  constructor(private readonly context: TripleContext) {}

  /**
   * The triples so far, in chunks that are quick to load. A resource is never in two: its blank nodes have their
   * labels within one document only.
   */
  chunks(): readonly string[] {
    this.#cut();
    return this.#chunks;
  }

  #cut(): void {
    if (this.#lines.length > 0) this.#chunks.push(this.#lines.join(''));
    this.#lines = [];
    this.#length = 0;
  }

  /** The Base64 that a name in the triples stands for; undefined for any other text. */
  data(name: string): string | undefined {
    return name.startsWith(DATA) ? this.#data[Number(name.slice(DATA.length))] : undefined;
  }

  /** Adds a resource; of a type that no query reads, nothing. */
  add(resource: Pick<FhirResource, 'type' | 'iri' | 'value'>): void {
    const from = this.#lines.length;
    this.#resource(resource);
    for (const line of this.#lines.slice(from)) this.#length += line.length;
    if (this.#length >= CHUNK) this.#cut();
  }

  #resource({ type: name, iri, value }: Pick<FhirResource, 'type' | 'iri' | 'value'>): void {
    const element = this.context.elements.get(name);
    if (!element) return;
    const node = `<${iri}>`;
    this.#lines.push(`${node} ${type} <${fhirNamespace}${name}> .\n`);
    for (const key of Object.keys(value)) {
      if (key === 'resourceType' || (key === 'id' && !element.children.has(key))) continue;
      if (key === 'contained') this.#contained(value.contained, iri);
      else this.#member(node, value, key, element, iri);
    }
  }

  #contained(contained: unknown, iri: string): void {
    if (!Array.isArray(contained)) return;
    for (const each of contained as unknown[]) {
      if (!isObject(each)) continue;
      const { resourceType, id } = each;
      if (typeof resourceType !== 'string' || !isResourceId(id) || !this.context.elements.has(resourceType)) {
        this.context.unread('contained');
      } else
        this.#resource({ type: resourceType, iri: `${iri}#${id}`, value: { ...each, contained: undefined } });
    }
  }

  #member(node: string, holder: JsonObject, key: string, above: ReadElement, from: string): void {
    const element = above.children.get(key);
    const value = holder[key];
    if (!element) {
      if (value !== undefined && value !== null) this.context.unread(`${above.path}.${key}`);
      return;
    }
    const property = `<${fhirNamespace}${key}>`;
    if (!Array.isArray(value)) {
      if (isObject(value)) this.#object(this.#blank(node, property), value, element, from);
      else this.#primitive(node, property, holder, key, value);
      return;
    }
    const systems = new Set<unknown>();
    let unread = 0;
    for (const [place, each] of (value as unknown[]).entries()) {
      if (each === null || Array.isArray(each)) continue;
      const isFirst = key === 'coding' ? isNew(systems, each) : place === 0;
      const names = [
        ...(element.all ? [property] : []),
        ...(element.first && isFirst ? [`<${firstNamespace}${key}>`] : []),
      ];
      if (names.length === 0) unread++;
      else this.#listed(node, names, value, place, element, from);
    }
    if (unread > 0) this.context.unread(`${element.path}[1…]`);
  }

  /** One element of a list, under each of its names. */
  #listed(
    node: string,
    names: readonly string[],
    list: readonly unknown[],
    place: number,
    element: ReadElement,
    from: string,
  ): void {
    const each = list[place];
    const [property = '', ...others] = names;
    const isPlain = !isObject(each);
    for (const name of names) {
      if (isPlain && name.startsWith(firsts)) this.#primitive(node, name, list, String(place), each);
    }
    if (isPlain && !element.all) return;
    const inner = this.#blank(node, property);
    for (const name of isPlain ? [] : others) this.#lines.push(`${node} ${name} ${inner} .\n`);
    if (element.index) this.#lines.push(`${inner} ${index} "${place}"^^${integer} .\n`);
    if (isObject(each)) this.#object(inner, each, element, from);
    else if (element.value) this.#primitive(inner, plainValue, list, String(place), each);
  }

  #object(node: string, value: JsonObject, element: ReadElement, from: string): void {
    const target = element.link ? this.context.target(value, from, element.path) : undefined;
    if (target !== undefined) this.#lines.push(`${node} ${link} <${target}> .\n`);
    for (const key of Object.keys(value)) {
      // What says where a reference leads is read with it.
      if (element.link && (key === 'reference' || key === 'type') && !element.children.has(key)) continue;
      this.#member(node, value, key, element, from);
    }
  }

  #blank(node: string, property: string): string {
    const blank = `_:b${this.#blanks++}`;
    this.#lines.push(`${node} ${property} ${blank} .\n`);
    return blank;
  }

  #primitive(node: string, property: string, holder: object, key: string, value: unknown): void {
    if (value === null || value === undefined) return;
    let text = typeof value === 'number' ? numberText(holder, key, value) : String(value);
    if (key === 'data') text = `${DATA}${this.#data.push(text) - 1}`;
    // N-Triples has the escapes of JSON (RDF 1.1 N-Triples, ECHAR and UCHAR).
    this.#lines.push(`${node} ${property} ${JSON.stringify(text.toWellFormed())} .\n`);
  }
}

/** Whether a coding is the first of its system. */
function isNew(systems: Set<unknown>, coding: unknown): boolean {
  const system = isObject(coding) ? coding.system : undefined;
  return systems.size !== systems.add(system).size;
}
