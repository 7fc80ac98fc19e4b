import { identifyings, type Ontology, type PropertyModel } from '../model.js';
import { compareKeys, compareLists, step, termsChange, valueChange, type Change } from './change.js';

/** Properties that came, went and changed: their kind, the form of their text, their closed values, where they come from, what they tell. */
export function propertyChanges(old: Ontology, now: Ontology): Change[] {
  const { added, removed, both } = compareKeys(old.properties, now.properties);
  return [
    ...added.map(([subject]): Change => ({ kind: 'property-added', subject })),
    ...removed.map(([subject]): Change => ({ kind: 'property-removed', subject })),
    ...both.flatMap(([, before, after]) => [
      ...changedFacts(before, after),
      ...choiceChanges(before, after),
      ...sourceChanges(before, after),
      ...personChanges(before, after),
    ]),
  ];
}

function changedFacts({ iri: subject, ...before }: PropertyModel, after: PropertyModel): Change[] {
  return [
    ...valueChange({ kind: 'property-kind-changed', subject }, before.kind, after.kind),
    ...valueChange({ kind: 'property-value-type-changed', subject }, before.valueType, after.valueType),
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

/** What a property tells of a person, and how much of it is shown. */
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
