import { isObject, type JsonObject } from '../rdf/json-object.js';
import {
  chosenNamespace,
  fhirNamespace,
  firstNamespace,
  mapping,
  rdf,
  wordsNamespace,
  xsd,
} from '../rdf/vocabulary.js';
import { doubtOf, type Chooser } from './chosen.js';
import type { FhirResource } from './fhir-resources.js';
import { isResourceId } from './resource-names.js';
import type { CodeSystems, Meanings } from './mapping-tables.js';
import type { ReadElement } from './read-element.js';
import { hasTwoUnits, isChoice, isQuantity, primitiveText, typeIn } from './element-texts.js';
import { withoutWords, type Words } from './words.js';

/** What writing the triples of a resource needs, and what it reports. */
export interface TripleContext {
  /** The elements that queries read, by type. */
  readonly elements: ReadonlyMap<string, ReadElement>;
  readonly chooser: Chooser;
  readonly meanings: Meanings;
  readonly systems: CodeSystems;
  readonly words: Words;
  /** Gender and birth date of the resource's patient, if known. */
  person(): JsonObject | undefined;
  /** Returns the target of a Reference. @param path the element, as in `Condition.subject` */
  target(reference: JsonObject, from: string, path: string): string | undefined;
  /** Reports an unread element. */
  unread(path: string): void;
  /** Reports an unread modifier. @returns whether to leave out the element around it */
  modified(path: string, value: unknown): boolean;
  /** Whether a primitive value is valid for its type. */
  allows(path: string, type: string | undefined, text: string): boolean;
  /** Reports a plain value where FHIR R4 has an object: the file has another version. */
  otherVersion(path: string): void;
}

/** Characters loaded into an engine at once. */
const CHUNK = 1 << 19;

/** Prefix of the names of attached bytes. */
const DATA = 'attached ';

const type = `<${rdf.type}>`;
const index = `<${mapping.index}>`;
const link = `<${mapping.link}>`;
const plainValue = `<${rdf.value}>`;
const firsts = `<${firstNamespace}`;
const integer = `<${xsd.integer}>`;
const means = `<${mapping.means}>`;

/**
 * Writes resources as N-Triples, by one rule for all of FHIR: a member of a JSON object is a property of that name in
 * the namespace of FHIR, as in FHIR's RDF form of R5. An object is a blank node, a primitive value a plain literal as
 * it is written. An element of a list is a node with its place (`map:index`, from 0); a primitive value in a list is
 * the `rdf:value` of such a node. The first of a list also stands under its name in `first:`, a primitive one as its
 * literal; what of it counts in `chosen:` (chosen.ts), and what it says in words in `words:` (words.ts). What a node
 * means by the tables is `map:means`. A primitive extension is a member like any other (`fhir:_birthDate`). A Reference
 * that leads to a resource has it as `map:link`, and so has an Attachment by its URL. The bytes of an attachment (`data`)
 * are not written themselves but a name for them. Only what some query reads is written. Of what has a modifier that
 * no query reads nothing is written, since it may say the opposite; of an element an empty node.
 */
export class ResourceTriples {
  #lines: string[] = [];
  readonly #chunks: string[] = [];
  #length = 0;
  readonly #data: string[] = [];
  #blanks = 0;
  /** Start of the last resource's triples; undefined if they are in a chunk. */
  #last: number | undefined;

  constructor(private readonly context: TripleContext) {}

  /**
   * The triples so far, in chunks that are quick to load. A resource is never in two: blank node labels are only valid
   * within one document.
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

  /** Returns the Base64 behind a name in the triples; undefined for any other text. */
  data(name: string): string | undefined {
    return name.startsWith(DATA) ? this.#data[Number(name.slice(DATA.length))] : undefined;
  }

  /** Adds a resource; nothing if no query reads its type. */
  add(resource: Pick<FhirResource, 'type' | 'iri' | 'value'>): void {
    const from = this.#lines.length;
    this.#resource(resource);
    for (const line of this.#lines.slice(from)) this.#length += line.length;
    this.#last = this.#length >= CHUNK ? undefined : from;
    if (this.#length >= CHUNK) this.#cut();
  }

  /** Whether the last resource can be removed again. */
  get canUndo(): boolean {
    return this.#last !== undefined;
  }

  /** Removes the last resource again. */
  undo(): void {
    for (const line of this.#lines.splice(this.#last ?? this.#lines.length)) this.#length -= line.length;
  }

  #resource({ type: name, iri, value }: Pick<FhirResource, 'type' | 'iri' | 'value'>): void {
    const element = this.context.elements.get(name);
    if (!element) return;
    const node = `<${iri}>`;
    if (this.#hasModifier(value, element)) return;
    this.#lines.push(`${node} ${type} <${fhirNamespace}${name}> .\n`);
    if (value.contained !== undefined) this.#contained(value.contained, iri);
    this.#members(node, value, element, iri);
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

  #members(node: string, holder: JsonObject, element: ReadElement, from: string): void {
    for (const name of element.said)
      this.#words(node, this.#withoutChosen(holder, name, element), name, element);
    for (const key of Object.keys(holder)) {
      if (key === 'resourceType' || key === 'contained' || (key === 'id' && !element.children.has(key)))
        continue;
      // The elements that identify the target are read with a reference.
      if (element.link && (key === 'reference' || key === 'type') && !element.children.has(key)) continue;
      this.#member(node, holder, key, element, from);
    }
  }

  /** Writes the words of an element, or of `value[x]`; reports an element without words. */
  #words(node: string, holder: JsonObject, name: string, { type, path, children }: ReadElement): void {
    let isSaid = false;
    for (const key of Object.keys(holder)) {
      if (key !== name && !isChoice(key, name)) continue;
      const words = this.context.words.of(typeIn(type, key), holder, key);
      if (words !== undefined && !isSaid) this.#literal(node, `<${wordsNamespace}${name}>`, words);
      else if (words === undefined && children.get(key)?.isWritten !== true)
        this.context.unread(`${path}.${key}`);
      isSaid ||= words !== undefined;
    }
  }

  /** Returns the ranges to put into words: all but the chosen one, which is written in numbers. */
  #withoutChosen(holder: JsonObject, name: string, above: ReadElement): JsonObject {
    const element = above.children.get(name);
    const list = holder[name];
    if (element?.type !== 'Observation.referenceRange' || !element.chosen || !Array.isArray(list))
      return holder;
    const chosen = this.#choose(list, element, holder);
    return { [name]: list.filter((each) => !chosen.includes(each)) };
  }

  #choose(list: readonly unknown[], { chosen, path, type }: ReadElement, holder: JsonObject): unknown[] {
    const { chooser, person } = this.context;
    return chosen ? chooser.choose(path, type, list, holder, person()) : [];
  }

  #member(node: string, holder: JsonObject, key: string, above: ReadElement, from: string): void {
    const element = above.children.get(key);
    const value = holder[key];
    if (value === undefined || value === null) return;
    if (!element) {
      if (above.isTold || above.decides(key) || above.modifiers.includes(key)) return;
      // Labels, tags and the kind of the narrative are about the resource itself; each is reported by its own name.
      const isOfAll = key === 'meta' || key === 'text';
      const parts = isOfAll && isObject(value) ? Object.keys(value).map((part) => `${key}.${part}`) : [key];
      for (const part of parts) this.context.unread(`${above.path}.${part}`);
      return;
    }
    if (element.words) this.#within(value, element.path, element.type);
    if (!element.isWritten) return;
    const property = `<${fhirNamespace}${key}>`;
    if (!Array.isArray(value)) {
      const object = this.#objectOf(value, element);
      if (object) this.#object(this.#blank(node, property), object, element, from);
      else this.#primitive(node, property, holder, key, element);
      return;
    }
    const list = value.map((each) => this.#objectOf(each, element) ?? (each as unknown));
    const chosen = this.#choose(list, element, holder);
    for (const each of chosen.filter(isObject)) {
      const doubt = doubtOf(element.type, each);
      if (doubt !== undefined) this.context.unread(`${element.path}.${doubt}`);
    }
    let unread = 0;
    for (const [place, each] of list.entries()) {
      if (each === null || Array.isArray(each)) continue;
      const names = [
        ...(element.all ? [property] : []),
        ...(element.first && place === 0 ? [`<${firstNamespace}${key}>`] : []),
        ...(chosen.includes(each) ? [`<${chosenNamespace}${key}>`] : []),
      ];
      if (names.length > 0) this.#listed(node, names, isObject(each) ? list : value, place, element, from);
      else if (!element.words) unread++;
    }
    if (unread > 0) this.context.unread(`${element.path}[${element.chosen ? '' : '1'}…]`);
  }

  /** Returns an object, or its counterpart in other versions of FHIR. */
  #objectOf(value: unknown, { path, type }: ReadElement): JsonObject | undefined {
    if (isObject(value)) return value;
    if (value === null || type === undefined || !/^[A-Z]/u.test(type)) return undefined;
    this.context.otherVersion(path);
    return type === 'CodeableConcept' ? { text: String(value as string) } : {};
  }

  /** Writes one element of a list, under each of its names. */
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
      if (isPlain && name.startsWith(firsts)) this.#primitive(node, name, list, String(place), element);
    }
    if (isPlain && !element.all) return;
    const inner = this.#blank(node, property);
    for (const name of isPlain ? [] : others) this.#lines.push(`${node} ${name} ${inner} .\n`);
    if (element.index) this.#lines.push(`${inner} ${index} "${place}"^^${integer} .\n`);
    if (isObject(each)) this.#object(inner, each, element, from);
    else if (element.value) this.#primitive(inner, plainValue, list, String(place), element);
  }

  #object(node: string, value: JsonObject, element: ReadElement, from: string): void {
    if (this.#hasModifier(value, element)) return;
    if (isQuantity(element.type) && hasTwoUnits(value)) return this.context.unread(`${element.path}[unit]`);
    const target = element.link ? this.context.target(value, from, element.path) : undefined;
    if (target !== undefined) this.#lines.push(`${node} ${link} <${target}> .\n`);
    if (element.means)
      for (const { iri } of this.context.meanings.of(element.path, value))
        this.#lines.push(`${node} ${means} <${iri}> .\n`);
    if (element.type === 'Coding' && !this.context.systems.canHave(value.system, value.code))
      this.context.unread(`${element.path}.code`);
    this.#members(node, value, element, from);
  }

  /** Whether an object is left out because of an unread modifier. */
  #hasModifier(value: JsonObject, { path, modifiers }: ReadElement): boolean {
    return modifiers.some(
      (key) => [value[key] ?? []].flat().length > 0 && this.context.modified(`${path}.${key}`, value[key]),
    );
  }

  /** Reports the parts of an element that words cannot express: modifier extensions, and parts without words. */
  #within(value: unknown, path: string, type?: string): void {
    if (Array.isArray(value)) for (const each of value) this.#within(each, path, type);
    if (!isObject(value)) return;
    for (const [key, each] of Object.entries(value)) {
      if (withoutWords(type).includes(key)) this.context.unread(`${path}.${key}`);
      if (key !== 'modifierExtension') this.#within(each, `${path}.${key}`, typeIn(type, key));
      else if ([each].flat().length > 0) this.context.modified(`${path}.${key}`, each);
    }
  }

  #blank(node: string, property: string): string {
    const blank = `_:b${this.#blanks++}`;
    this.#lines.push(`${node} ${property} ${blank} .\n`);
    return blank;
  }

  #primitive(node: string, property: string, holder: object, key: string, { path, type }: ReadElement): void {
    let text = primitiveText(holder, key);
    if (text === undefined) return;
    if (key === 'data') text = `${DATA}${this.#data.push(text) - 1}`;
    // Codes and URIs have no white space at the ends (R4, "Primitive Types").
    else if (type === 'code' || type === 'uri') text = text.trim();
    // An unreadable value costs only itself, and is reported.
    if (!this.context.allows(path, type, text)) return this.context.unread(`${path}[?]`);
    if (path.endsWith('.coding.system')) text = this.context.systems.nameOf(text);
    this.#literal(node, property, text);
  }

  #literal(node: string, property: string, text: string): void {
    // N-Triples has the escapes of JSON (RDF 1.1 N-Triples, ECHAR and UCHAR).
    this.#lines.push(`${node} ${property} ${JSON.stringify(text.toWellFormed())} .\n`);
  }
}
