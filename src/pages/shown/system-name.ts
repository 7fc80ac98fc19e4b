import type { Ontology } from '../../model/ontology/model.js';
import { localName } from '../../model/ontology/term-names.js';
import { madeOnce } from '../../rdf/made-once.js';

const namesOf = madeOnce(({ classes, codes }: Ontology) => {
  const names = new Map<string, string>();
  // The code sets that name a system come last, since sets of its members are named after what they are for.
  for (const { system, classes: sets } of codes.values())
    names.set(system, classes.get(sets[0] ?? '')?.label ?? '');
  for (const { codeBase, label } of classes.values()) if (codeBase !== undefined) names.set(codeBase, label);
  return names;
});

/** Returns what people call a code system: the label of its code set, or the end of its address. */
export function systemName(ontology: Ontology, system: string): string {
  return namesOf(ontology).get(system) ?? localName(system.replace(/[/#]$/, ''));
}
