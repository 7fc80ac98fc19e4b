import type { Graph } from '../ontology/graph.js';
import { isA, type Ontology } from '../ontology/model.js';
import { termKey } from '../rdf/term-key.js';
import type { Term } from '../rdf/terms.js';
import { rdf } from '../rdf/vocabulary.js';

/** What a node says it is. */
interface Types {
  readonly iris: readonly string[];
  /** Those that the ontology declares: never more than it has classes. */
  readonly declared: readonly string[];
  readonly others: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

/**
 * The types of the nodes of a graph, read once for each node: a body may state thousands of types for a node, and
 * refer to it thousands of times.
 */
export class NodeTypes {
  readonly #known = new Map<string, Types>();

  constructor(
    private readonly ontology: Ontology,
    private readonly graph: Graph,
  ) {}

  /** IRIs of the types of a node. */
  of(node: Term): readonly string[] {
    return this.#types(node).iris;
  }

  /** Whether a node is of one of some classes, or of one below them. */
  isOneOf(node: Term, classes: readonly string[]): boolean {
    const { declared, others } = this.#types(node);
    return classes.some((one) => others.has(one) || declared.some((type) => isA(this.ontology, type, one)));
  }

  #types(node: Term): Types {
    const key = termKey(node);
    let types = this.#known.get(key);
    if (!types) {
      const iris = this.graph.iris(node, rdf.type);
      const declared = iris.filter((iri) => this.ontology.classes.has(iri));
      const others = declared.length === iris.length ? none : new Set(iris);
      this.#known.set(key, (types = { iris, declared, others }));
    }
    return types;
  }
}
