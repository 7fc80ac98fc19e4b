import type { ClassModel, Ontology } from '../model.js';
import { shortName } from '../term-names.js';
import { compareKeys, compareLists, step, type Change } from './change.js';
import { ruleChanges } from './rule-changes.js';

/**
 * Classes that came, went and changed: parents, base path, rules, members, what tells nothing of a person. What a class inherits is reported once,
 * on the highest class that it changed for.
 */
export function classChanges(old: Ontology, now: Ontology): Change[] {
  const { added, removed, both } = compareKeys(old.classes, now.classes);
  const rules = new Map(both.map(([iri, before, after]) => [iri, ruleChanges(old, now, before, after)]));
  const persons = new Map(both.map(([iri, before, after]) => [iri, impersonalChanges(before, after)]));
  const parents = new Map(both.map(([iri, before, after]) => [iri, parentChanges(before, after)]));
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

function parentChanges({ iri: subject, ancestors }: ClassModel, after: ClassModel): Change[] {
  const { added, removed } = compareLists(ancestors, after.ancestors);
  return [
    ...added.map((parent): Change => ({ kind: 'parent-added', subject, part: shortName(parent) })),
    ...removed.map((parent): Change => ({ kind: 'parent-removed', subject, part: shortName(parent) })),
  ];
}

function basePathChange({ iri: subject, basePath }: ClassModel, after: ClassModel): Change[] {
  const change = step(basePath, after.basePath);
  if (change === undefined) return [];
  const { from, to } = change;
  const kind =
    from === undefined ? 'base-path-added' : to === undefined ? 'base-path-removed' : 'base-path-changed';
  return [{ kind, subject, ...change }];
}

function memberChanges({ iri: subject, members }: ClassModel, after: ClassModel): Change[] {
  if (members === undefined && after.members === undefined) return [];
  if (members === undefined) return [{ kind: 'enumeration-closed', subject }];
  if (after.members === undefined) return [{ kind: 'enumeration-opened', subject }];
  const { added, removed } = compareLists(members, after.members);
  return [
    ...added.map((member): Change => ({ kind: 'member-added', subject, part: shortName(member) })),
    ...removed.map((member): Change => ({ kind: 'member-removed', subject, part: shortName(member) })),
  ];
}

function impersonalChanges({ iri: subject, impersonal }: ClassModel, after: ClassModel): Change[] {
  const { added, removed } = compareLists(impersonal, after.impersonal);
  return [
    ...added.map((property): Change => ({ kind: 'impersonal-added', subject, part: shortName(property) })),
    ...removed.map((property): Change => ({
      kind: 'impersonal-removed',
      subject,
      part: shortName(property),
    })),
  ];
}
