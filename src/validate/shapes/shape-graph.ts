import type { Rule } from '../../ontology/check/rule.js';
import { shortName } from '../../ontology/term-names.js';
import { blankNode, literal, namedNode, quad, type Quad, type Term } from '../../rdf/terms.js';
import { rdf, sh, shapePrefixes } from '../../rdf/vocabulary.js';

/** What is said of a node: predicates with their objects. */
export type Description = readonly (readonly [predicate: string, ...objects: Term[]])[];

/** A named shape: its kind, the rule that it stands for, the sentence for whoever breaks it. */
export interface NamedShape {
  /** What the name is made of: the class, the property, the aspect. */
  readonly name: readonly string[];
  readonly kind: 'NodeShape' | 'PropertyShape';
  readonly rule: Rule;
  readonly message: string;
  readonly says: Description;
}

/** Shapes as they are being written: their quads, and which rule each named shape stands for. */
export class ShapeGraph {
  readonly quads: Quad[] = [];
  readonly rules = new Map<string, Rule>();

  /** Adds a shape with a name of its own; returns the name. */
  add({ name, kind, rule, message, says }: NamedShape): Term {
    const shape = namedNode(shapePrefixes.shape + name.join('.'));
    this.rules.set(shape.value, rule);
    this.say(shape, [
      [rdf.type, namedNode(sh[kind])],
      ...says,
      [sh.severity, namedNode(sh.Violation)],
      [sh.message, literal(message)],
    ]);
    return shape;
  }

  say(subject: Term, description: Description): void {
    for (const [predicate, ...objects] of description) {
      for (const object of objects) this.quads.push(quad(subject, namedNode(predicate), object));
    }
  }

  /** A node without a name, as it stands inside another shape. */
  inner(description: Description): Term {
    const node = blankNode();
    this.say(node, description);
    return node;
  }

  /** The head of an RDF list. */
  list(members: readonly Term[]): Term {
    return members.reduceRight<Term>(
      (rest, first) =>
        this.inner([
          [rdf.first, first],
          [rdf.rest, rest],
        ]),
      namedNode(rdf.nil),
    );
  }
}

/** A class or property as part of the name of a shape: `sp-Medication`. What no prefix shortens is spelt out. */
export function partOfName(iri: string): string {
  return shortName(iri)
    .replace(':', '-')
    .replaceAll(/[^A-Za-z0-9_-]/g, (character) => `_${character.charCodeAt(0).toString(16)}`);
}

export const iri = namedNode;
export const iris = (values: readonly string[]): Term[] => values.map((value) => namedNode(value));
