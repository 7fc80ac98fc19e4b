import { isA, type Ontology, type PropertyRule } from '../ontology/model.js';
import { tightest } from '../ontology/restrictions.js';
import { madeOnce } from '../rdf/made-once.js';
import { shortName } from '../ontology/term-names.js';

/** What a node of some types has to obey: its most specific known classes and their rules by property. */
export interface NodeRules extends ClassRules {
  /** Types that the ontology does not declare. */
  readonly unknown: readonly string[];
}

interface ClassRules {
  readonly classes: readonly string[];
  /** What messages call such a node. */
  readonly what: string;
  readonly rules: ReadonlyMap<string, PropertyRule>;
}

const rulesByTypes = madeOnce<Ontology, Map<string, NodeRules>, []>(() => new Map());

/** Sets of classes come from data, which can make up ever new ones. */
const MOST_KEPT = 1000;

/** The rules for a node of these types; a class beneath another of them speaks for both. */
export function rulesFor(ontology: Ontology, types: readonly string[]): NodeRules {
  const known = rulesByTypes(ontology);
  const declared: string[] = [];
  const unknown: string[] = [];
  for (const type of types) (ontology.classes.has(type) ? declared : unknown).push(type);
  const key = declared.join(' ');
  let found = known.get(key);
  if (!found) {
    if (known.size >= MOST_KEPT) known.clear();
    known.set(key, (found = { ...merge(ontology, declared), unknown: [] }));
  }
  return unknown.length === 0 ? found : { ...found, unknown };
}

function merge(ontology: Ontology, declared: readonly string[]): ClassRules {
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
  return { classes, what, rules };
}
