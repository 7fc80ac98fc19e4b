import type { ClassModel, Ontology } from '../model.js';
import { compareKeys, termsChange, valueChange, type Change } from './change.js';
import { ruleChanges } from './rule-changes.js';

/**
 * Classes that came, went and changed: parents, base path, rules, members, what tells nothing of a person. What a class inherits is reported once,
 * on the highest class that it changed for.
 */
export function classChanges(old: Ontology, now: Ontology): Change[] {
  const { added, removed, both } = compareKeys(old.classes, now.classes);
  const rules = new Map(both.map(([iri, before, after]) => [iri, ruleChanges(old, now, before, after)]));
  const persons = new Map(
    both.map(([iri, before, after]) => [
      iri,
      termsChange(iri, ['impersonal-added', 'impersonal-removed'], before.impersonal, after.impersonal),
    ]),
  );
  const parents = new Map(
    both.map(([iri, before, after]) => [
      iri,
      termsChange(iri, ['parent-added', 'parent-removed'], before.ancestors, after.ancestors),
    ]),
  );
  return [
    ...added.map(([subject]): Change => ({ kind: 'class-added', subject })),
    ...removed.map(([subject]): Change => ({ kind: 'class-removed', subject })),
    ...both.flatMap(([iri, before, after]) => [
      ...withoutInherited(iri, parents, after),
      ...basePathChange(before, after),
      ...withoutInherited(iri, rules, after),
      ...memberChanges(before, after),
      ...withoutInherited(iri, persons, after),
    ]),
  ];
}

/** The changes of a class that none of its ancestors went through in the same way. */
function withoutInherited(
  iri: string,
  all: ReadonlyMap<string, readonly Change[]>,
  { ancestors }: ClassModel,
): Change[] {
  const above = new Set(ancestors.flatMap((ancestor) => (all.get(ancestor) ?? []).map(sameness)));
  return (all.get(iri) ?? []).filter((change) => !above.has(sameness(change)));
}

const sameness = ({ kind, part, from, to }: Change): string => JSON.stringify([kind, part, from, to]);

function basePathChange({ iri: subject, basePath }: ClassModel, after: ClassModel): Change[] {
  const to = after.basePath;
  const changed = to === undefined ? 'base-path-removed' : 'base-path-changed';
  return valueChange({ kind: basePath === undefined ? 'base-path-added' : changed, subject }, basePath, to);
}

function memberChanges({ iri: subject, members }: ClassModel, after: ClassModel): Change[] {
  if (members === undefined && after.members === undefined) return [];
  if (members === undefined) return [{ kind: 'enumeration-closed', subject }];
  if (after.members === undefined) return [{ kind: 'enumeration-opened', subject }];
  return termsChange(subject, ['member-added', 'member-removed'], members, after.members);
}
