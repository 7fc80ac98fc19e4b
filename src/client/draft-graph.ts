import { isObject, type JsonObject } from '../rdf/json-object.js';
import { parseUrl } from '../rdf/parse-url.js';
import { blankNode, literal, namedNode, quad, type NamedNode, type Quad, type Term } from '../rdf/terms.js';
import { dcterms, rdf, sp } from '../rdf/vocabulary.js';
import type { Shape, Shapes } from './client-shapes.js';

type Property = Shape['properties'][number];

/** Members of a draft that are not properties; a draft that was read before also has `types`. */
const OWN: ReadonlySet<string> = new Set(['iri', 'type', 'types']);
const CODE: Readonly<Record<string, string>> = {
  title: dcterms.title,
  system: sp.system,
  identifier: dcterms.identifier,
};

/**
 * Turns a plain object into a graph, and checks it against the ontology's description of its class.
 * @param classes names of the classes that the call accepts
 * @throws TypeError with one sentence that names the property, but never its value
 */
export function draftGraph(
  call: string,
  draft: unknown,
  { shapes, classes }: { shapes: Shapes; classes: readonly string[] },
): Quad[] {
  return new DraftWriter(call, shapes).write(draft, classes);
}

class DraftWriter {
  readonly #quads: Quad[] = [];
  /** The things being written, to detect one that contains itself. */
  readonly #open = new Set<unknown>();

  constructor(
    private readonly call: string,
    private readonly shapes: Shapes,
  ) {}

  write(draft: unknown, classes: readonly string[]): Quad[] {
    if (!isObject(draft)) this.#refuse('takes RDF, or an object of plain properties.');
    this.#describe(draft, this.#shapeOf(draft, classes, 'It'));
    return this.#quads;
  }

  /** @param codes the class of the codes in it, if the property that leads to it states one */
  #describe(draft: JsonObject, shape: Shape, codes?: string): Term {
    if (this.#open.has(draft)) this.#refuse(`takes no object that holds itself: a ${shape.name} does.`);
    this.#open.add(draft);
    const node =
      draft['iri'] === undefined ? blankNode() : this.#iri(draft['iri'], `the iri of a ${shape.name}`);
    this.#add(node, rdf.type, namedNode(shape.iri));
    const known = new Map(shape.properties.map((property) => [property.name, property]));
    for (const key of Object.keys(draft)) {
      if (!known.has(key) && !OWN.has(key)) this.#refuse(`${shape.name} has no property ${key}.`);
    }
    for (const property of shape.properties) {
      const codeClass = property.codes ?? codes;
      const own = codeClass === undefined ? property : { ...property, codes: codeClass };
      this.#property(node, shape, own, draft[property.name]);
    }
    this.#open.delete(draft);
    return node;
  }

  #property(node: Term, shape: Shape, property: Property, given: unknown): void {
    const name = `${property.name} of a ${shape.name}`;
    const values: readonly unknown[] =
      given === undefined || given === null
        ? []
        : Array.isArray(given) && property.value !== 'list'
          ? given
          : [given];
    // The container adds the record, which it knows from the call's path.
    const isNeeded = property.is === 'one' && property.iri !== sp.belongsTo;
    if (values.length === 0 && isNeeded) this.#refuse(`a ${shape.name} needs a ${property.name}.`);
    if (values.length > 1 && property.is !== 'many') this.#refuse(`there is one ${name}, not several.`);
    for (const value of values) this.#add(node, property.iri, this.#value(value, property, name));
  }

  #value(value: unknown, property: Property, name: string): Term {
    switch (property.value) {
      case 'text':
        return this.#text(value, name);
      case 'code':
        return this.#code(value, property, name);
      case 'list':
        return this.#list(value, name);
      case 'any':
        return isObject(value) ? this.#iri(value['iri'], `the iri of ${name}`) : this.#text(value, name);
      default: {
        if (!isObject(value)) return this.#refuse(`the ${name} is an object of plain properties.`);
        const shape = this.#shapeOf(value, property.classes ?? [], `the ${name}`);
        // A thing with its own address is only named here; its description belongs there.
        const isLink = shape.addressed && Object.keys(value).every((key) => OWN.has(key));
        return isLink
          ? this.#iri(value['iri'], `the iri of ${name}`)
          : this.#describe(value, shape, property.codes);
      }
    }
  }

  #text(value: unknown, name: string): Term {
    if (typeof value === 'string' || typeof value === 'number') return literal(String(value));
    return this.#refuse(`the ${name} is a text.`);
  }

  #iri(value: unknown, name: string): NamedNode {
    if (typeof value === 'string' && parseUrl(value) && !/\s/.test(value)) return namedNode(value);
    return this.#refuse(`${name} is an absolute IRI.`);
  }

  #code(value: unknown, { codes }: Property, name: string): Term {
    if (!isObject(value))
      return this.#refuse(`the ${name} is an object of iri, title, system and identifier.`);
    const node = value['iri'] === undefined ? blankNode() : this.#iri(value['iri'], `the iri of the ${name}`);
    for (const type of new Set([sp.Code, codes ?? sp.Code])) this.#add(node, rdf.type, namedNode(type));
    for (const [member, property] of Object.entries(CODE)) {
      this.#add(node, property, this.#text(value[member], `${member} of the ${name}`));
    }
    return node;
  }

  #list(value: unknown, name: string): Term {
    if (!Array.isArray(value)) return this.#refuse(`the ${name} is an array.`);
    return value.reduceRight<Term>((rest, member: unknown) => {
      const cell = blankNode();
      const first = isObject(member)
        ? this.#iri(member['iri'], `a member of the ${name}`)
        : this.#text(member, `members of the ${name}`);
      this.#add(cell, rdf.first, first);
      this.#add(cell, rdf.rest, rest);
      return cell;
    }, namedNode(rdf.nil));
  }

  #shapeOf({ type }: JsonObject, classes: readonly string[], what: string): Shape {
    const fits = (shape: Shape): boolean =>
      classes.some((allowed) => shape.name === allowed || shape.above.has(allowed));
    const shape = this.shapes.byName.get(String(type === undefined ? classes[0] : type));
    if (shape && fits(shape)) return shape;
    return this.#refuse(`${what} is of the type ${classes.join(' or ')}.`);
  }

  #add(subject: Term, predicate: string, object: Term): void {
    this.#quads.push(quad(subject, namedNode(predicate), object));
  }

  #refuse(sentence: string): never {
    throw new TypeError(`${this.call}: ${sentence}`);
  }
}
