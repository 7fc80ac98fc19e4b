import { Graph } from '../../ontology/graph.js';
import { addTo } from '../../rdf/by-key.js';
import { termKey } from '../../rdf/term-key.js';
import type { Quad, Term } from '../../rdf/terms.js';
import { rdf, sh } from '../../rdf/vocabulary.js';

/** A shape and the node of the data that it looks at. */
export interface Target {
  readonly shape: Term;
  readonly focus: Term;
}

/**
 * The targets that shapes declare, for looking them up from the data: a resource of thirty quads concerns a dozen of
 * several hundred shapes, so asking each shape for its targets would take longer than all the checking.
 */
export class ShapeTargets {
  readonly #byClass: ReadonlyMap<string, readonly Term[]>;
  readonly #bySubject: ReadonlyMap<string, readonly Term[]>;
  readonly #byObject: ReadonlyMap<string, readonly Term[]>;
  readonly #allowed: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(shapes: readonly Quad[]) {
    this.#byClass = declared(shapes, sh.targetClass);
    this.#bySubject = declared(shapes, sh.targetSubjectsOf);
    this.#byObject = declared(shapes, sh.targetObjectsOf);
    this.#allowed = closedShapes(shapes);
  }

  /**
   * Every shape with every node that it targets, each pair once (SHACL §2.1.3, without inferred subclasses); a closed
   * shape only with nodes that have a property beyond its list, since it has nothing against any other.
   */
  of(data: readonly Quad[]): Target[] {
    const found = new Map<string, Target>();
    const strangers = this.#strangers(data);
    const add = (shapes: readonly Term[] | undefined, focus: Term): void => {
      for (const shape of shapes ?? []) {
        if (strangers.get(shape.value)?.has(termKey(focus)) === false) continue;
        const key = `${shape.value} ${termKey(focus)}`;
        if (!found.has(key)) found.set(key, { shape, focus });
      }
    };
    for (const { subject, predicate, object } of data) {
      if (predicate.value === rdf.type) add(this.#byClass.get(object.value), subject);
      add(this.#bySubject.get(predicate.value), subject);
      // A literal says nothing that a shape could forbid, and names no other node.
      if (object.termType !== 'Literal') add(this.#byObject.get(predicate.value), object);
    }
    return [...found.values()];
  }

  /** By closed shape, the nodes with a property that it does not list. */
  #strangers(data: readonly Quad[]): Map<string, Set<string>> {
    const strangers = new Map<string, Set<string>>();
    for (const [shape, allowed] of this.#allowed) {
      const others = data.filter(({ predicate }) => !allowed.has(predicate.value));
      strangers.set(shape, new Set(others.map(({ subject }) => termKey(subject))));
    }
    return strangers;
  }
}

/** The properties that closed shapes let through, by shape. */
function closedShapes(shapes: readonly Quad[]): Map<string, ReadonlySet<string>> {
  const lists = shapes.filter(({ predicate }) => predicate.value === sh.ignoredProperties);
  if (lists.length === 0) return new Map();
  const graph = new Graph(shapes);
  return new Map(
    lists.map(({ subject, object }) => [
      subject.value,
      new Set(graph.list(object).map(({ value }) => value)),
    ]),
  );
}

function declared(shapes: readonly Quad[], kind: string): Map<string, Term[]> {
  const targets = new Map<string, Term[]>();
  for (const { subject, predicate, object } of shapes)
    if (predicate.value === kind) addTo(targets, object.value, subject);
  return targets;
}
