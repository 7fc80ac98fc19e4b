import { addTo } from '../../rdf/by-key.js';
import type { Literal, Quad, Term } from '../../rdf/terms.js';
import { absentReason, fhirNamespace, mapping, rdf, xsd } from '../../rdf/vocabulary.js';
import type { JsonObject } from '../../rdf/json-object.js';
import { keepNumberText } from '../endpoint/reading/write-json.js';
import { isImpossibleDate } from '../endpoint/rules/date-time.js';
import { structureOf, type Element, type Structure } from '../endpoint/rules/structures.js';

/** Types of JSON numbers; all other primitive types but boolean are strings (R4, "Primitive Types"). */
const numbers: ReadonlySet<string> = new Set(['decimal', 'integer', 'positiveInt', 'unsignedInt']);

/** What a value of these types begins with; the time of day is left out where it has no zone, as R4 requires one. */
const forms: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}(?:-\d\d(?:-\d\d)?)?(?=$|T)/u,
  dateTime: /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?)?)?(?=$|T)/u,
  decimal: /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u,
  instant: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/u,
  integer: /^-?(?:0|[1-9]\d*)$/u,
  positiveInt: /^[1-9]\d*$/u,
  unsignedInt: /^(?:0|[1-9]\d*)$/u,
};

type Mutable = Record<string, unknown>;

export interface ResourceNames {
  /** The id of the resource of a node; undefined if it only stands within another resource. */
  idOf: (node: string, type: string) => string | undefined;
}

/**
 * Makes JSON of resources in FHIR's RDF by the definitions of R4: order and cardinality of elements, numbers with their
 * digits. A member of an object is a property of its name, an object is a node, a list has several values, in the order of
 * their `map:index`, or of their text; a primitive value with an index is the `rdf:value` of a node. A Reference has its target as `map:link`, and its type; a target without an id is
 * contained. An Attachment has the Binary at its URL as `map:link`; its data is a text, or Base64 with that datatype. A value that its type cannot have is left out. What R4 requires and the triples do not have is `unknown`, as a
 * code where R4 has it, or as the reason why it is absent.
 */
export class ResourceJson {
  readonly #triples = new Map<string, Map<string, Term[]>>();
  /** The contained resources of the resource being made, by node. */
  #contained = new Map<string, JsonObject>();

  constructor(
    quads: Iterable<Quad>,
    private readonly names: ResourceNames,
  ) {
    for (const { subject, predicate, object } of quads) {
      const own = this.#triples.get(subject.value) ?? new Map<string, Term[]>();
      this.#triples.set(subject.value, own);
      addTo(own, predicate.value, object);
    }
  }

  /** Returns all resources that have an id, with their nodes. */
  resources(): { readonly node: string; readonly resource: JsonObject }[] {
    return [...this.#triples.keys()].sort().flatMap((node) => {
      const structure = this.#structure(node);
      const id = structure && this.names.idOf(node, structure.type);
      if (!structure || id === undefined) return [];
      this.#contained = new Map();
      const members = this.#members(node, structure);
      const contained = [...this.#contained.values()];
      const resource = {
        resourceType: structure.type,
        id,
        ...(contained.length > 0 && { contained }),
        ...members,
      };
      return [{ node, resource }];
    });
  }

  #structure(node: string): Structure | undefined {
    const type = this.#values(node, rdf.type)[0]?.value;
    return type?.startsWith(fhirNamespace) ? structureOf(type.slice(fhirNamespace.length)) : undefined;
  }

  #values(node: string, property: string): readonly Term[] {
    return this.#triples.get(node)?.get(property) ?? [];
  }

  #members(node: string, structure: Structure): Mutable {
    const members: Mutable = {};
    for (const [name, element] of structure.elements) {
      const values = this.#inOrder(this.#values(node, fhirNamespace + name));
      if (element.repeats && values.length > 0) this.#list(members, name, element, values);
      else if (values[0]) this.#put(members, name, element, values[0]);
    }
    if (structure.type === 'Reference') this.#target(node, members, 'reference');
    if (structure.type === 'Attachment') this.#target(node, members, 'url');
    for (const { properties } of structure.required)
      if (!properties.some((name) => name in members || `_${name}` in members))
        this.#absent(members, properties[0] ?? '', structure);
    return members;
  }

  /** Values of a list, each once. */
  #inOrder(values: readonly Term[]): Term[] {
    const unique = [...new Map(values.map((each) => [each.value, each])).values()];
    const placeOf = ({ value }: Term): number => Number(this.#values(value, mapping.index)[0]?.value ?? 0);
    return unique.sort((a, b) => placeOf(a) - placeOf(b) || (a.value < b.value ? -1 : 1));
  }

  #list(members: Mutable, name: string, element: Element, values: readonly Term[]): void {
    const list: unknown[] = [];
    for (const each of values) {
      const value = (element.primitive && this.#values(each.value, rdf.value)[0]) || each;
      this.#put(list as unknown as Mutable, String(list.length), element, value);
    }
    if (list.length > 0) members[name] = list;
  }

  #put(holder: Mutable, key: string, { type, primitive }: Element, value: Term): void {
    if (primitive !== (value.termType === 'Literal'))
      throw new TypeError(
        `An export query gives ${key} ${primitive ? 'a node' : 'a text'}, but its type is ${type}.`,
      );
    if (!primitive) {
      const structure = this.#triples.has(value.value) ? structureOf(type) : undefined;
      const object = structure && this.#members(value.value, structure);
      if (object && Object.keys(object).length > 0) holder[key] = object;
      return;
    }
    const text = forms[type] ? forms[type].exec(value.value)?.[0] : value.value;
    if (!text || (/^(?:date|instant)/u.test(type) && isImpossibleDate(text))) return;
    if (type === 'boolean') holder[key] = text === 'true';
    else if (numbers.has(type)) {
      holder[key] = Number(text);
      keepNumberText(holder, key, text, Number(text));
    } else if (type === 'base64Binary' && (value as Literal).datatype.value !== xsd.base64Binary)
      holder[key] = Buffer.from(text).toString('base64');
    else holder[key] = text;
  }

  #target(node: string, members: Mutable, name: string): void {
    const target = this.#values(node, mapping.link)[0]?.value;
    if (target === undefined) return;
    const structure = this.#structure(target);
    const type = structure?.type ?? String(members['type']);
    const id = this.names.idOf(target, type);
    if (id !== undefined) members[name] = `${type}/${id}`;
    else if (structure) members[name] = `#${this.#contain(target, structure)}`;
  }

  /** Returns the id of a node among the contained resources. */
  #contain(node: string, structure: Structure): string {
    const id = this.#contained.get(node)?.id ?? `${structure.type.toLowerCase()}-${this.#contained.size + 1}`;
    if (!this.#contained.has(node)) {
      const resource = { resourceType: structure.type, id };
      this.#contained.set(node, resource);
      Object.assign(resource, this.#members(node, structure));
    }
    return String(id);
  }

  #absent(members: Mutable, name: string, { elements }: Structure): void {
    const element = elements.get(name);
    if (!element || name === 'resourceType') return;
    if (element.codes?.has('unknown')) members[name] = 'unknown';
    else if (element.type === 'CodeableConcept') {
      const concept = { coding: [{ system: absentReason.system, code: 'unknown', display: 'Unknown' }] };
      members[name] = element.repeats ? [concept] : concept;
    } else {
      const absent = { extension: [{ url: absentReason.extension, valueCode: 'unknown' }] };
      members[element.primitive ? `_${name}` : name] = element.repeats ? [absent] : absent;
    }
  }
}
