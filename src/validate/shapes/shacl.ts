import SHACLValidator, { type Options } from 'rdf-validate-shacl';
import type { Rule } from '../../ontology/check/rule.js';
import type { Ontology } from '../../ontology/model.js';
import { madeOnce } from '../../rdf/made-once.js';
import type { Quad, Term } from '../../rdf/terms.js';
import { QuadSet } from './quad-set.js';
import { ShapeTargets } from './shape-targets.js';
import { derivedShapes, type DerivedShapes } from './derive-shapes.js';

/** One broken shape. */
export interface ShapeResult {
  /** Id of the rule that it stands for. */
  readonly rule: string;
  /** IRI of the shape. */
  readonly shape: string;
  readonly focus: Term;
  /** IRI of the property, where the shape looks at one alone. */
  readonly path?: string;
  readonly value?: Term;
  readonly message: string;
}

/** The types of the library leave out how often one node may be validated against one shape. */
type AllOptions = Options & { readonly maxNodeChecks: number };

/**
 * Holds resources against derived shapes with rdf-validate-shacl, one resource at a time: time is linear in their
 * number, and nothing is kept between them. The library evaluates the shapes; which shapes concern a resource is
 * looked up here.
 */
export class ShapeValidator {
  readonly #validator: SHACLValidator;
  readonly #targets: ShapeTargets;
  readonly #rules: ReadonlyMap<string, Rule>;

  constructor({ quads, rules }: DerivedShapes) {
    // By default the library stops looking at a node after 50 times, in favour of shapes that refer to themselves.
    // These do not, and a code may well stand in a thousand statements.
    const options: AllOptions = { maxNodeChecks: 0, factory: smallSets() };
    this.#validator = new SHACLValidator(new QuadSet(quads), options);
    this.#targets = new ShapeTargets(quads);
    this.#rules = rules;
  }

  /** What the shapes have against the quads of one resource; graph names count for nothing. */
  validate(quads: readonly Quad[]): ShapeResult[] {
    const validator = this.#validator;
    const { factory, shapesGraph, validationEngine: engine } = validator;
    engine.initReport();
    validator.$data = factory.clownface({ dataset: new QuadSet(quads) });
    for (const { shape, focus } of this.#targets.of(quads)) {
      engine.validateNodeAgainstShape(focus, shapesGraph.getShape(shape), validator.$data);
    }
    return engine.getReport().results.map((result) => {
      const { value, path } = result;
      const shape = result.sourceShape.value;
      const rule = this.#rules.get(shape)?.id;
      if (rule === undefined) throw new TypeError(`No rule is known for the shape ${shape}.`);
      return {
        rule,
        shape,
        focus: result.focusNode,
        ...(path?.termType === 'NamedNode' && { path: path.value }),
        ...(value !== null && { value }),
        message: result.message.map((text) => text.value).join(' '),
      };
    });
  }
}

/**
 * The library's own factory, with data sets that suit it: its own index each quad three ways, and it makes a new set
 * for each look at a node.
 */
function smallSets(): Environment {
  const { factory } = new SHACLValidator(new QuadSet());
  return Object.create(factory, {
    dataset: { value: (quads?: Iterable<Quad>) => new QuadSet(quads) },
  }) as Environment;
}

type Environment = SHACLValidator['factory'];

/** The validator for the shapes of an ontology. */
export const shapeValidator = madeOnce((ontology: Ontology) => new ShapeValidator(derivedShapes(ontology)));
