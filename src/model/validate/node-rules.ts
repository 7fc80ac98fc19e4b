import { isA, type Ontology, type PropertyRule } from '../ontology/model.js';
import { tightest } from '../ontology/restrictions.js';
import { ownString } from '../../rdf/own-string.js';
import { madeOnce } from '../../rdf/made-once.js';
import { shortName } from '../ontology/term-names.js';
import type { Graph } from '../ontology/graph.js';
import { termKey } from '../../rdf/term-key.js';
import type { Term } from '../../rdf/terms.js';
import { rdf } from '../../rdf/vocabulary.js';

interface NodeRules {
  readonly unknown: readonly string[];
  readonly classes: readonly string[];
  readonly what: string;
  readonly rules: ReadonlyMap<string, PropertyRule>;
}

const rulesByTypes = madeOnce<Ontology, Map<string, NodeRules>, []>(() => new Map());

/** Limits the cache, because data can keep making up new sets of classes. */
const MAX_CACHED = 1000;

/** Returns the rules for a node of these types; a subclass covers its superclasses. */
export function rulesFor(ontology: Ontology, types: readonly string[]): NodeRules {
  const known = rulesByTypes(ontology);
  const declared: string[] = [];
  const unknown: string[] = [];
  for (const type of types) (ontology.classes.has(type) ? declared : unknown).push(type);
  const key = declared.join(' ');
  let found = known.get(key);
  if (!found) {
    if (known.size >= MAX_CACHED) known.clear();
    const types = declared.map(ownString);
    known.set(types.join(' '), (found = merge(ontology, types)));
  }
  return unknown.length === 0 ? found : { ...found, unknown };
}

function merge(ontology: Ontology, declared: readonly string[]): NodeRules {
  const classes = declared.filter(
    (type) => !declared.some((other) => other !== type && isA(ontology, other, type)),
  );
  const rules = new Map<string, PropertyRule>();
  for (const type of classes) {
    for (const [property, rule] of ontology.classes.get(type)?.rules ?? []) {
      const other = rules.get(property);
      rules.set(property, other ? tightest(other, rule) : rule);
    }
  }
  const what = classes.map(shortName).join(' and ') || 'A node without a known class';
  return { classes, what, rules, unknown: [] };
}

interface Types {
  readonly iris: readonly string[];
  /** The declared ones: never more than the ontology has classes. */
  readonly declared: readonly string[];
  readonly others: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

/**
 * The types of a graph's nodes, read once per node: a body may state thousands of types for a node, and refer to it
 * thousands of times.
 */
export class NodeTypes {
  readonly #known = new Map<string, Types>();

  constructor(
    private readonly ontology: Ontology,
    private readonly graph: Graph,
  ) {}

  of(node: Term): readonly string[] {
    return this.#types(node).iris;
  }

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
