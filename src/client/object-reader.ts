import type { Graph } from '../model/ontology/graph.js';
import { localName } from '../model/ontology/term-names.js';
import { termText } from '../rdf/term-key.js';
import type { Term } from '../rdf/terms.js';
import { dcterms, rdf, sp } from '../rdf/vocabulary.js';
import type { Shape, Shapes } from './client-shapes.js';
import type { Code, Fault, Thing } from './thing-types.js';

type Property = Shape['properties'][number];
type PlainObject = Record<string, unknown>;

/**
 * Makes plain objects of the things in a graph. It follows a link to another thing once, from the things that the
 * answer is about, and only names a thing within itself, so that the objects form a tree, whatever the data links to.
 */
export class ObjectReader {
  readonly faults: Fault[] = [];
  readonly #made = new Map<string, PlainObject>();
  readonly #open = new Set<string>();

  constructor(
    private readonly graph: Graph,
    private readonly shapes: Shapes,
  ) {}

  /** Returns the object of a thing; undefined if the graph says nothing about it. `classes` names the expected ones. */
  object(node: Term, classes: readonly string[]): PlainObject | undefined {
    const shape = this.#isDescribed(node) ? this.#shapeOf(node, classes) : undefined;
    return shape && this.#describe(node, shape, 0);
  }

  #describe(node: Term, shape: Shape, depth: number): PlainObject {
    const key = `${depth} ${shape.name} ${termText(node)}`;
    const made = this.#made.get(key);
    if (made) return made;
    this.#open.add(termText(node));
    const object: PlainObject = {
      ...(node.termType === 'NamedNode' && { iri: node.value }),
      type: shape.name,
      types: this.#types(node),
    };
    for (const property of shape.properties) this.#read(object, node, property, depth);
    this.#open.delete(termText(node));
    this.#made.set(key, object);
    return object;
  }

  #read(object: PlainObject, node: Term, property: Property, depth: number): void {
    const terms = this.graph.objects(node, property.iri);
    const fault = (reason: Fault['reason']): void => {
      this.faults.push({ node: termText(node), property: property.name, reason });
    };
    const values = terms.flatMap((term) => {
      const value = this.#value(term, property, depth, fault);
      return value === undefined ? [] : [value];
    });
    if (property.is === 'many') {
      object[property.name] = values;
      return;
    }
    if (values.length > 1) fault('several');
    if (values.length > 0) object[property.name] = values[0];
    else if (property.is === 'one') fault('missing');
  }

  #value(term: Term, property: Property, depth: number, fault: (reason: Fault['reason']) => void): unknown {
    switch (property.value) {
      case 'text':
        if (term.termType === 'BlankNode') return fault('not a text');
        return term.value;
      case 'any':
        return this.#thing(term, [], depth);
      case 'list':
        return this.graph.list(term).map((member) => this.#thing(member, [], depth));
      default:
        if (term.termType === 'Literal') return fault('not a thing');
        return property.value === 'code'
          ? this.#code(term)
          : this.#thing(term, property.classes ?? [], depth);
    }
  }

  #thing(term: Term, classes: readonly string[], depth: number): Thing | PlainObject {
    if (term.termType === 'Literal') return term.value;
    const shape = this.#shapeOf(term, classes);
    const isFollowed = shape && !this.#open.has(termText(term)) && !(shape.addressed && depth > 0);
    if (!isFollowed || (shape.addressed && !this.#isDescribed(term))) return { iri: termText(term) };
    return this.#describe(term, shape, shape.addressed ? depth + 1 : depth);
  }

  /** Returns the nearest class that the graph states and the property allows, else what either one says alone. */
  #shapeOf(node: Term, classes: readonly string[]): Shape | undefined {
    const said = this.graph
      .objects(node, rdf.type)
      .flatMap(({ value }) => this.shapes.byIri.get(value) ?? [])
      .sort((a, b) => b.above.size - a.above.size);
    const fitting = said.find(({ name, above }) =>
      classes.some((allowed) => name === allowed || above.has(allowed)),
    );
    if (fitting) return fitting;
    const [strange] = said;
    if (strange && classes.length > 0) this.faults.push({ node: termText(node), reason: 'of another class' });
    return strange ?? this.shapes.byName.get(classes[0] ?? '');
  }

  #code(node: Term): Code {
    const member = (name: string, property: string): object => {
      const value = this.graph.value(node, property);
      return value === undefined ? {} : { [name]: value };
    };
    return {
      ...(node.termType === 'NamedNode' && { iri: node.value }),
      ...member('title', dcterms.title),
      ...member('system', sp.system),
      ...member('identifier', dcterms.identifier),
      types: this.#types(node),
    };
  }

  #types(node: Term): string[] {
    return this.graph.iris(node, rdf.type).map(localName).sort();
  }

  #isDescribed(node: Term): boolean {
    return this.graph.objects(node, rdf.type).length > 0;
  }
}
