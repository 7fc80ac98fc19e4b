import { identifyings, type Ontology, type PropertyModel } from '../model.js';
import { shortName } from '../term-names.js';
import { compareKeys, compareLists, step, type Change } from './change.js';

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

function changedFacts({ iri: subject, kind, valueType }: PropertyModel, after: PropertyModel): Change[] {
  const kinds = step(kind, after.kind);
  const types = step(valueType, after.valueType);
  return [
    ...(kinds ? [{ kind: 'property-kind-changed', subject, ...kinds } as const] : []),
    ...(types ? [{ kind: 'property-value-type-changed', subject, ...types } as const] : []),
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
  const is = after.generatedFrom;
  if (was === is) return [];
  return [
    ...(was === undefined
      ? []
      : [{ kind: 'property-no-longer-generated', subject, part: shortName(was) } as const]),
    ...(is === undefined ? [] : [{ kind: 'property-generated', subject, part: shortName(is) } as const]),
  ];
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
  const finer = step(precision, after.precision);
  return finer
    ? [
        {
          kind: precision === undefined ? 'identifying-strengthened' : 'identifying-weakened',
          subject,
          ...finer,
        },
      ]
    : [];
}
