import {
  identifyings,
  type ClassModel,
  type Ontology,
  type PropertyModel,
} from '../../model/ontology/model.js';
import { compareKeys, termsChange, valueChange, compareLists, step, type Change } from './change.js';
import { ruleChanges } from './rule-changes.js';

/** Compares classes. An inherited change is reported once, on the topmost class that has it. */
export function classChanges(old: Ontology, now: Ontology): Change[] {
  const { added, removed, both } = compareKeys(old.classes, now.classes);
  const inherited = new Map(
    both.map(([iri, before, after]) => [
      iri,
      [
        ...termsChange(iri, ['parent-added', 'parent-removed'], before.ancestors, after.ancestors),
        ...ruleChanges(old, now, before, after),
        ...termsChange(iri, ['impersonal-added', 'impersonal-removed'], before.impersonal, after.impersonal),
      ],
    ]),
  );
  return [
    ...added.map(([subject]): Change => ({ kind: 'class-added', subject })),
    ...removed.map(([subject]): Change => ({ kind: 'class-removed', subject })),
    ...both.flatMap(([iri, before, after]) => [
      ...withoutInherited(iri, inherited, after),
      ...basePathChange(before, after),
      ...memberChanges(before, after),
    ]),
  ];
}

/** Returns the changes of a class that no ancestor has as well. */
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

/** Compares properties: kind, text format, closed values, origin, and what they reveal. */
export function propertyChanges(old: Ontology, now: Ontology): Change[] {
  const { added, removed, both } = compareKeys(old.properties, now.properties);
  return [
    ...added.map(([subject]): Change => ({ kind: 'property-added', subject })),
    ...removed.map(([subject]): Change => ({ kind: 'property-removed', subject })),
    ...both.flatMap(([subject, before, after]) => [
      ...valueChange({ kind: 'property-kind-changed', subject }, before.kind, after.kind),
      ...valueChange({ kind: 'property-value-type-changed', subject }, before.valueType, after.valueType),
      ...choiceChanges(before, after),
      ...sourceChanges(before, after),
      ...personChanges(before, after),
    ]),
  ];
}

function choiceChanges({ iri: subject, choices }: PropertyModel, after: PropertyModel): Change[] {
  const { added, removed } = compareLists(choices, after.choices);
  if (added.length === 0 && removed.length === 0) return [];
  if (choices.length === 0) {
    return [{ kind: 'property-choices-closed', subject, to: added.join(', ') }];
  }
  if (after.choices.length === 0) {
    return [{ kind: 'property-choices-opened', subject, from: removed.join(', ') }];
  }
  return [
    ...added.map((part): Change => ({ kind: 'property-choice-added', subject, part })),
    ...removed.map((part): Change => ({ kind: 'property-choice-removed', subject, part })),
  ];
}

function sourceChanges({ iri: subject, generatedFrom: was }: PropertyModel, after: PropertyModel): Change[] {
  const listed = (iri: string | undefined): string[] => (iri === undefined ? [] : [iri]);
  const kinds = ['property-generated', 'property-no-longer-generated'] as const;
  return termsChange(subject, kinds, listed(was), listed(after.generatedFrom));
}

/** Compares what a property reveals about a person, and its precision. */
function personChanges(
  { iri: subject, identifying: was, precision }: PropertyModel,
  after: PropertyModel,
): Change[] {
  const is = after.identifying;
  const ends = step(was, is);
  if (ends) {
    if (was === undefined) return [{ kind: 'identifying-stated', subject, ...ends }];
    if (is === undefined) return [{ kind: 'identifying-removed', subject, ...ends }];
    const isWeaker = identifyings.indexOf(is) > identifyings.indexOf(was);
    return [{ kind: isWeaker ? 'identifying-weakened' : 'identifying-strengthened', subject, ...ends }];
  }
  const kind = precision === undefined ? 'identifying-strengthened' : 'identifying-weakened';
  return valueChange({ kind, subject }, precision, after.precision);
}
