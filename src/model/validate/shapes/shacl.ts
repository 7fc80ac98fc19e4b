import SHACLValidator, { type Options } from 'rdf-validate-shacl';
import type { Ontology } from '../../ontology/model.js';
import { madeOnce } from '../../../rdf/made-once.js';
import type { Quad, Term } from '../../../rdf/terms.js';
import { QuadSet } from './quad-set.js';
import { derivedShapes } from './derive-shapes.js';
import { Graph } from '../../ontology/graph.js';
import { addTo } from '../../../rdf/by-key.js';
import { termKey } from '../../../rdf/term-key.js';
import { rdf, sh } from '../../../rdf/vocabulary.js';

export interface ShapeResult {
  readonly rule: string;
  readonly shape: string;
  readonly focus: Term;
  readonly path?: string;
  readonly value?: Term;
  readonly message: string;
}

/** The library's types omit the limit on checks of one node against one shape. */
type AllOptions = Options & { readonly maxNodeChecks: number };

/**
 * Checks resources against the shapes of an ontology with rdf-validate-shacl, one resource at a time. Takes time
 * linear in their number, and stores nothing between them; graph names are ignored. The library evaluates shapes; the
 * lookup of shapes that concern a resource is ours.
 */
export const shapeValidator = madeOnce((ontology: Ontology) => {
  const { quads: shapes, rules } = derivedShapes(ontology);
  // By default, the library stops after 50 checks of a node, because shapes may refer to themselves. These do not,
  // and a code may occur in a thousand statements.
  const options: AllOptions = { maxNodeChecks: 0, factory: smallSets() };
  const validator = new SHACLValidator(new QuadSet(shapes), options);
  const targets = shapeTargets(shapes);
  return (quads: readonly Quad[]): ShapeResult[] => {
    const { factory, shapesGraph, validationEngine: engine } = validator;
    engine.initReport();
    validator.$data = factory.clownface({ dataset: new QuadSet(quads) });
    for (const { shape, focus } of targets(quads))
      engine.validateNodeAgainstShape(focus, shapesGraph.getShape(shape), validator.$data);
    return engine.getReport().results.map(({ sourceShape, focusNode, path, value, message }) => {
      const shape = sourceShape.value;
      const rule = rules.get(shape)?.id;
      if (rule === undefined) throw new TypeError(`No rule is known for the shape ${shape}.`);
      return {
        rule,
        shape,
        focus: focusNode,
        ...(path?.termType === 'NamedNode' && { path: path.value }),
        ...(value !== null && { value }),
        message: message.map((text) => text.value).join(' '),
      };
    });
  };
});

/**
 * The library's own factory with smaller data sets: its own index each quad three ways, although it makes a new set
 * for each look at a node.
 */
function smallSets(): SHACLValidator['factory'] {
  const { factory } = new SHACLValidator(new QuadSet());
  return Object.create(factory, {
    dataset: { value: (quads?: Iterable<Quad>) => new QuadSet(quads) },
  }) as SHACLValidator['factory'];
}

interface Target {
  readonly shape: Term;
  readonly focus: Term;
}

/**
 * Looks up the declared targets of shapes from the data: a resource of thirty quads concerns a dozen of several
 * hundred shapes, so asking each shape for its targets would take longer than all the checking.
 * @returns a function that gives each pair of shape and target once (SHACL §2.1.3, without inferred subclasses); for
 * a closed shape only nodes with a property outside its list, since it accepts all others
 */
function shapeTargets(shapes: readonly Quad[]): (data: readonly Quad[]) => Target[] {
  const byClass = declared(shapes, sh.targetClass);
  const bySubject = declared(shapes, sh.targetSubjectsOf);
  const byObject = declared(shapes, sh.targetObjectsOf);
  const closed = closedShapes(shapes);
  return (data) => {
    const found = new Map<string, Target>();
    const strangers = new Map(closed.map(([shape, allowed]) => [shape, strangersTo(allowed, data)]));
    const add = (targeting: readonly Term[] | undefined, focus: Term): void => {
      for (const shape of targeting ?? []) {
        if (strangers.get(shape.value)?.has(termKey(focus)) === false) continue;
        const key = `${shape.value} ${termKey(focus)}`;
        if (!found.has(key)) found.set(key, { shape, focus });
      }
    };
    for (const { subject, predicate, object } of data) {
      if (predicate.value === rdf.type) add(byClass.get(object.value), subject);
      add(bySubject.get(predicate.value), subject);
      // A literal can neither break such a shape nor name another node.
      if (object.termType !== 'Literal') add(byObject.get(predicate.value), object);
    }
    return [...found.values()];
  };
}

function strangersTo(allowed: ReadonlySet<string>, data: readonly Quad[]): Set<string> {
  const others = data.filter(({ predicate }) => !allowed.has(predicate.value));
  return new Set(others.map(({ subject }) => termKey(subject)));
}

function closedShapes(shapes: readonly Quad[]): (readonly [shape: string, allowed: Set<string>])[] {
  const graph = new Graph(shapes);
  return shapes
    .filter(({ predicate }) => predicate.value === sh.ignoredProperties)
    .map(({ subject, object }) => [subject.value, new Set(graph.list(object).map(({ value }) => value))]);
}

function declared(shapes: readonly Quad[], kind: string): Map<string, Term[]> {
  const targets = new Map<string, Term[]>();
  for (const { subject, predicate, object } of shapes)
    if (predicate.value === kind) addTo(targets, object.value, subject);
  return targets;
}
