import type { Rule } from '../../check/rule.js';
import type { Ontology } from '../../ontology/model.js';
import { layerNames, shortNameIn } from '../../ontology/term-names.js';
import { blankNode, literal, namedNode, quad, type Quad, type Term } from '../../../rdf/terms.js';
import { rdf, sh, shapePrefixes } from '../../../rdf/vocabulary.js';

export type Description = readonly (readonly [predicate: string, ...objects: Term[]])[];

/** A named shape: its kind, its rule, and the message when something breaks it. */
export interface NamedShape {
  readonly name: readonly string[];
  readonly kind: 'NodeShape' | 'PropertyShape';
  readonly rule: Rule;
  readonly message: string;
  readonly says: Description;
}

export class ShapeGraph {
  constructor(private readonly ontology: Pick<Ontology, 'prefixes'>) {}

  readonly quads: Quad[] = [];
  readonly rules = new Map<string, Rule>();

  add({ name, kind, rule, message, says }: NamedShape): Term {
    const shape = namedNode(shapePrefixes.shape + name.join('.'));
    this.rules.set(shape.value, rule);
    this.say(shape, [
      [rdf.type, namedNode(sh[kind])],
      ...says,
      [sh.severity, namedNode(sh.Violation)],
      [sh.message, literal(layerNames(this.ontology, message))],
    ]);
    return shape;
  }

  say(subject: Term, description: Description): void {
    for (const [predicate, ...objects] of description) {
      for (const object of objects) this.quads.push(quad(subject, namedNode(predicate), object));
    }
  }

  /** Returns a class or property as part of a shape's name: `sp-Medication`, or the spelt-out IRI without a prefix. */
  partOfName(iri: string): string {
    return shortNameIn(this.ontology, iri)
      .replace(':', '-')
      .replaceAll(/[^A-Za-z0-9_-]/g, (character) => `_${character.charCodeAt(0).toString(16)}`);
  }

  inner(description: Description): Term {
    const node = blankNode();
    this.say(node, description);
    return node;
  }

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

export const iri = namedNode;

/**
 * The constraint that a value's text is one of these. Real data has `"24484000"^^xsd:integer` beside `"24484000"`,
 * and clients compare texts, so language and datatype are ignored, unlike in sh:in or sh:hasValue.
 */
export function textOf(...texts: readonly string[]): readonly [string, Term] {
  const escaped = texts.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const alternatives = escaped.length === 1 ? escaped.join('') : `(${escaped.join('|')})`;
  return [sh.pattern, literal(`^${alternatives}$`)];
}
