import { isA } from '../ontology/model.js';
import type { Ontology, PropertyRule } from '../ontology/model.js';
import { tightest } from '../ontology/restrictions.js';

/** What a node of some types has to obey: its most specific known classes and their rules by property. */
export interface NodeRules {
  classes: string[];
  unknown: string[];
  rules: ReadonlyMap<string, PropertyRule>;
}

const cache = new WeakMap<Ontology, Map<string, NodeRules>>();

/** The rules for a node of these types; a class beneath another of them speaks for both. */
export function rulesFor(ontology: Ontology, types: readonly string[]): NodeRules {
  const known = cache.get(ontology) ?? new Map<string, NodeRules>();
  cache.set(ontology, known);
  const key = types.join(' ');
  const found = known.get(key) ?? merge(ontology, types);
  // Types come from data: what data can make grow without end is not kept.
  if (found.unknown.length === 0) known.set(key, found);
  return found;
}

function merge(ontology: Ontology, types: readonly string[]): NodeRules {
  const declared = types.filter((type) => ontology.classes.has(type));
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
  return { classes, unknown: types.filter((type) => !ontology.classes.has(type)), rules };
}
