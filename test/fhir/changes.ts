import { structureOf, type Element } from '../../src/fhir/endpoint/rules/structures.js';
import { isObject, type JsonObject } from '../../src/rdf/json-object.js';
import { mapping, type Resource } from './support.js';

/** A resource that was changed in one place. */
export interface Change {
  /** What was changed, as in `Condition.verificationStatus = refuted`. */
  readonly name: string;
  readonly resource: Resource;
  /** Whether it may turn what is said into something else, so that what stays the same has to be told. */
  readonly turns: boolean;
  /** What the change comes to, which can stand in its place: without what is not in use any more. */
  readonly asIf?: Resource;
}

type Place = readonly (string | number)[];

/** The objects of a resource, each with its type of R4 and the way to it. */
function* objectsIn(
  value: JsonObject,
  type: string,
  place: Place = [],
): Generator<{ object: JsonObject; type: string; place: Place }> {
  yield { object: value, type, place };
  const structure = structureOf(type);
  for (const [key, found] of Object.entries(value)) {
    const child = structure?.elements.get(key)?.type;
    if (child === undefined || key === 'extension' || key === 'modifierExtension') continue;
    for (const [at, each] of [found].flat().entries())
      if (isObject(each)) {
        const own = key === 'contained' ? String(each.resourceType) : child;
        yield* objectsIn(each, own, [...place, key, ...(Array.isArray(found) ? [at] : [])]);
      }
  }
}

/** Whether the mapping reads what stands at a place, so that a modifier there can turn what is shown. */
function isRead(resource: Resource, place: Place): boolean {
  let element = mapping.elements.get(resource.resourceType);
  let value: unknown = resource;
  for (const [at, key] of place.entries()) {
    value = (value as JsonObject)[key];
    if (typeof key === 'number') {
      if (place[at - 1] === 'contained')
        element = mapping.elements.get(String((value as Resource).resourceType));
    } else if (key !== 'contained') element = element?.isTold === true ? element : element?.children.get(key);
  }
  return element !== undefined;
}

/** A copy of a resource with another object at a place. */
function changedAt(resource: Resource, place: Place, change: (object: JsonObject) => JsonObject): Resource {
  const [key, ...rest] = place;
  if (key === undefined) return change(resource) as Resource;
  const copy: unknown = Array.isArray(resource) ? [...(resource as unknown[])] : { ...resource };
  (copy as Record<string | number, unknown>)[key] = changedAt(
    (resource as JsonObject)[key] as Resource,
    rest,
    change,
  );
  return copy as Resource;
}

/** Values of modifiers with which what is shown may stay as it is. */
const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  status: [
    ...[
      'active',
      'available',
      'amended',
      'appended',
      'arrived',
      'completed',
      'corrected',
      'current',
      'final',
    ],
    ...['finished', 'in-progress', 'triaged', 'generated', 'inactive', 'onleave'],
  ],
  'Observation.status': ['registered'],
  'FamilyMemberHistory.status': ['partial'],
  use: ['official', 'usual', 'secondary', 'temp', 'nickname', 'home', 'work', 'mobile', 'billing'],
  intent: ['order', 'original-order', 'reflex-order', 'filler-order', 'instance-order'],
  verificationStatus: ['confirmed'],
  clinicalStatus: ['active', 'recurrence', 'relapse'],
  active: ['true'],
  doNotPerform: ['false'],
  isSubpotent: ['false'],
  deceasedBoolean: ['false'],
};

/** What is no modifier by R4, and turns what is said all the same; of earlier versions of FHIR, too. */
const TURNING: Readonly<Record<string, readonly object[]>> = {
  Observation: [{ focus: [{ reference: 'Patient/other' }] }],
  Condition: [
    { abatementBoolean: true },
    { abatementString: 'last year' },
    { abatementAge: { value: 40, code: 'a' } },
    { severity: { text: 'Mild' } },
  ],
  Procedure: [{ notDone: true }, { notPerformed: true }],
  Immunization: [{ notGiven: true }, { wasNotGiven: true }],
  MedicationStatement: [{ taken: 'n' }, { wasNotTaken: true }],
  FamilyMemberHistory: [{ notDone: true }],
  '*': [
    { meta: { tag: [{ code: 'SUBSETTED' }] } },
    { meta: { security: [{ code: 'HTEST' }] } },
    { meta: { security: [{ code: 'R' }] } },
  ],
};

const VERIFIED = ['refuted', 'entered-in-error', 'unconfirmed', 'provisional', 'differential', 'confirmed'];
const CLINICAL = ['active', 'recurrence', 'relapse', 'inactive', 'remission', 'resolved'];

/** What a modifier can say. */
function* valuesOf(name: string, { type, codes }: Element): Generator<[said: string, value: unknown]> {
  if (name === 'modifierExtension') yield ['', [{ url: 'urn:opposite', valueBoolean: true }]];
  else if (type === 'boolean') yield* [true, false].map((value): [string, unknown] => [String(value), value]);
  else if (type === 'code') yield* [...(codes ?? ['x'])].map((code): [string, unknown] => [code, code]);
  else if (type === 'uri') yield ['', 'urn:other-rules'];
  else if (type === 'dateTime') yield ['2020-01-01', '2020-01-01'];
  else if (type === 'Patient.link')
    yield ['replaced-by', [{ other: { reference: 'Patient/other' }, type: 'replaced-by' }]];
  else if (type === 'CodeableConcept')
    for (const code of name === 'clinicalStatus' ? CLINICAL : VERIFIED) {
      yield [code, { coding: [{ code }] }];
      yield [`${code}, in words`, { text: code.replaceAll('-', ' ') }];
      yield [`${code}, after a local code`, { coding: [{ system: 'urn:local', code: 'X1' }, { code }] }];
    }
}

const plain = (said: string): string => said.replace(/,.*/u, '');

/** Each modifier of R4 in each object of a resource, with each value that turns what is said. */
export function* modifiers(resource: Resource): Generator<Change> {
  for (const { object, type, place } of objectsIn(resource, resource.resourceType)) {
    if (!isRead(resource, place)) continue;
    for (const [name, element] of structureOf(type)?.elements ?? []) {
      if (!element.isModifier || (element.type === 'dateTime' && object[name] !== undefined)) continue;
      for (const [said, value] of valuesOf(name, element)) {
        const isHarmless = [name, `${type}.${name}`].some((key) => HARMLESS[key]?.includes(plain(said)));
        const isSaid = value !== false && JSON.stringify(object[name])?.toLowerCase().includes(plain(said));
        if (isHarmless || isSaid || JSON.stringify(object[name]) === JSON.stringify(value)) continue;
        yield {
          name: `${pathOf(resource, [...place, name])} = ${said}`,
          resource: changedAt(resource, place, (each) => ({ ...each, [name]: value })),
          turns: true,
          ...(name === 'use' && { asIf: without(resource, place) }),
        };
      }
    }
  }
  const isOver = /"(?:resolved|abatement\w+)"/u.test(JSON.stringify(resource));
  for (const more of [...(TURNING[resource.resourceType] ?? []), ...(TURNING['*'] ?? [])]) {
    if (isOver && 'abatementBoolean' in more) continue;
    // Another label of a resource that has one is told as the first was.
    if ('meta' in more && isLabelled(resource)) continue;
    yield {
      name: `${resource.resourceType} with ${JSON.stringify(more)}`,
      resource: { ...resource, ...more },
      turns: true,
    };
  }
}

const isLabelled = ({ meta }: Resource): boolean =>
  typeof meta === 'object' && meta !== null && ('security' in meta || 'tag' in meta);

/** A copy of a resource without what stands at a place. */
function without(resource: Resource, place: Place): Resource {
  const [last, above] = [place.at(-1), place.slice(0, -1)];
  if (typeof last !== 'number') return changedAt(resource, above, ({ [String(last)]: _, ...rest }) => rest);
  return changedAt(
    resource,
    above,
    (list) => (list as unknown as unknown[]).filter((_, at) => at !== last) as never,
  );
}

const pathOf = ({ resourceType }: Resource, place: Place): string => [resourceType, ...place].join('.');

const OTHER_CODES = [
  { system: 'http://snomed.info/sct', code: '138875005' },
  { system: 'http://loinc.org', code: '1-8' },
  { system: 'http://www.nlm.nih.gov/research/umls/rxnorm', code: '161' },
  { system: 'http://hl7.org/fhir/sid/cvx', code: '3' },
];

/** A coding of a system that nobody knows, or that is not read there, before and after those of each concept. */
export function* otherCodings(resource: Resource): Generator<Change> {
  for (const { object, type, place } of objectsIn(resource, resource.resourceType)) {
    if (type !== 'CodeableConcept' || !Array.isArray(object.coding)) continue;
    const codings = object.coding as unknown[];
    for (const local of [
      { system: 'urn:local', code: 'X1', display: 'Local words' },
      { system: 'urn:local', code: 'X1' },
      ...OTHER_CODES.filter(
        // Substances of allergies and relatives are coded in several systems that are read.
        ({ system }) =>
          !['AllergyIntolerance', 'FamilyMemberHistory'].includes(resource.resourceType) &&
          !JSON.stringify(codings).includes(system),
      ),
    ])
      for (const [where, coding] of [
        ['before', [local, ...codings]],
        ['after', [...codings, local]],
      ] as const)
        yield {
          name: `${pathOf(resource, place)}: a code ${where}, ${JSON.stringify(local)}`,
          resource: changedAt(resource, place, (each) => ({ ...each, coding })),
          turns: false,
        };
  }
}

/** Lists whose order says something, or of which the record has room for the first alone. */
const ORDERED: ReadonlySet<string> = new Set([
  ...[
    'given',
    'prefix',
    'suffix',
    'line',
    'dosageInstruction',
    'dosage',
    'note',
    'extension',
    'event',
    'additionalInstruction',
  ],
  ...['content', 'author', 'participant', 'authorizingPrescription', 'communication', 'contained'],
  // Named in one text.
  ...['Observation.performer', 'DiagnosticReport.performer'],
]);

/** Each list whose order says nothing, turned round. */
export function* turned(resource: Resource): Generator<Change> {
  for (const { object, place } of objectsIn(resource, resource.resourceType))
    for (const [key, list] of Object.entries(object))
      if (
        Array.isArray(list) &&
        list.length > 1 &&
        !ORDERED.has(key) &&
        !ORDERED.has(`${resource.resourceType}.${key}`)
      )
        yield {
          name: `${pathOf(resource, [...place, key])}, turned round`,
          resource: changedAt(resource, place, (each) => ({
            ...each,
            [key]: [...(list as unknown[])].reverse(),
          })),
          turns: false,
        };
}
