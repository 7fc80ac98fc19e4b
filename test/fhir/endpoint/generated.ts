import { shapes, type Property } from '../../../src/fhir/endpoint/rules/endpoint-shapes.js';

/** Whole numbers from 0 up to, but not including, a bound. */
export type Dice = (bound: number) => number;

/** Dice that always fall alike for one seed (the generator "mulberry32"). */
export function diceOf(seed: number): Dice {
  let state = seed | 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

export function oneOf<T>(dice: Dice, all: readonly T[]): T {
  return all[dice(all.length)] as T;
}

const uris = ['http://example.org/a', 'urn:oid:1.2.3', 'https://fhir.example/é?x=1#y', 'urn:x'];
const texts = ['x', 'Ward 7', ' two\nlines\t', 'é\u{1F3E5}', '"\\<&>', '</records/1>', 'true', '1.0', '0'];

/** Valid values of the primitive datatypes. */
const primitives: Readonly<Record<string, readonly (string | number | boolean)[]>> = {
  base64Binary: ['QUJD', 'QQ==', ' QUJD QUJD '],
  boolean: [true, false],
  canonical: ['http://example.org/a|1.0', 'urn:p'],
  code: ['x', 'text/plain', 'a b'],
  date: ['2020', '2020-02', '2024-02-29'],
  dateTime: ['2020', '2020-02', '2020-02-29', '2020-02-29T23:59:60Z', '2020-01-01T10:00:00.250-05:00'],
  decimal: [0, 1.5, -2, 1e21, 1e-7],
  id: ['a', 'A-1.b', '0'.repeat(64)],
  instant: ['2020-01-01T10:00:00Z', '2020-01-01T10:00:00.123456789+14:00'],
  integer: [0, -1, 2147483647],
  markdown: texts,
  oid: ['urn:oid:1.2.3', 'urn:oid:2.0'],
  positiveInt: [1, 7],
  string: texts,
  time: ['10:00:00', '23:59:60.5'],
  unsignedInt: [0, 7],
  uri: uris,
  url: uris,
  uuid: ['urn:uuid:c757873d-ec9a-4326-a141-556f43239520'],
};

const enumerations: Readonly<Record<string, readonly string[]>> = {
  'Endpoint.status': ['active', 'suspended', 'error', 'off', 'entered-in-error', 'test'],
  'Narrative.status': ['generated', 'extensions', 'additional', 'empty'],
  'Identifier.use': ['usual', 'official', 'temp', 'secondary', 'old'],
  'ContactPoint.system': ['phone', 'fax', 'email', 'pager', 'url', 'sms', 'other'],
  'ContactPoint.use': ['home', 'work', 'temp', 'old', 'mobile'],
};

const divs = ['<p>x</p>', 'a &lt; b', '<img src="a.png"/>', '<p class="c" title="&quot;">é</p>'];

type Json = Record<string, unknown>;

/** A valid endpoint, with everything that the shapes allow now and then. */
export function endpointOf(dice: Dice): Json {
  const endpoint: Json = { resourceType: 'Endpoint', ...complexOf(dice, 'Endpoint', 0) };
  endpoint['connectionType'] ??= { code: 'x' };
  endpoint['payloadType'] ??= [{ text: 'x' }];
  if (dice(8) === 0) {
    const ids = dice(2) === 0 ? ['o1'] : ['o1', 'o2'];
    endpoint['contained'] = ids.map((id) => containedOf(dice, id));
    endpoint['identifier'] = ids.map((id) => ({ assigner: { reference: `#${id}` } }));
  }
  return withDistinctIds(endpoint, new Map()) as Json;
}

/** The same, but elements of one id have others, within each resource. */
function withDistinctIds(value: unknown, ids: Map<string, number>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => withDistinctIds(each, ids));
  const isResource = Object.hasOwn(value, 'resourceType');
  const own = isResource ? new Map<string, number>() : ids;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]: [string, unknown]) => {
      if (name !== 'id' || isResource || typeof each !== 'string') return [name, withDistinctIds(each, own)];
      const count = own.get(each) ?? 0;
      own.set(each, count + 1);
      return [name, count === 0 ? each : `${each} (${count})`];
    }),
  );
}

function complexOf(dice: Dice, type: string, depth: number): Json {
  if (type === 'Extension') return extensionOf(dice, depth);
  const properties = [...(shapes.get(type) ?? [])].filter(([name]) => name !== 'contained');
  const object: Json = {};
  // Deep inside less is said, or nothing would come to an end.
  for (const [name, property] of properties) {
    if (dice(3 + depth * 3) === 0) Object.assign(object, memberOf(dice, type, name, property, depth));
  }
  if (Object.keys(object).every((name) => name === 'id')) {
    const [name, property] = oneOf(
      dice,
      properties.filter(([each, { primitive }]) => primitive && each !== 'id'),
    );
    Object.assign(object, memberOf(dice, type, name, property, depth + 9));
  }
  return repaired(object, type);
}

/** What the rules between properties ask for. */
function repaired(object: Json, type: string): Json {
  if (type === 'ContactPoint' && (object['value'] ?? object['_value']) !== undefined)
    object['system'] ??= 'other';
  if (type === 'Period' && object['start'] !== undefined) {
    delete object['end'];
    delete object['_end'];
  }
  if (type === 'Narrative') {
    object['status'] ??= 'generated';
    object['div'] ??= '<div xmlns="http://www.w3.org/1999/xhtml">x</div>';
  }
  return object;
}

function memberOf(dice: Dice, type: string, name: string, property: Property, depth: number): Json {
  const one = (): unknown => valueOf(dice, type, name, property.type, depth + 1);
  const hasCompanion =
    property.primitive && property.type !== 'xhtml' && (name !== 'id' || type === 'Endpoint');
  if (!hasCompanion) return { [name]: property.repeats ? many(dice, one) : one() };
  if (property.repeats) return repeatedOf(dice, name, one, depth);
  switch (dice(8)) {
    case 0:
      return { [name]: one(), [`_${name}`]: elementOf(dice, depth) };
    case 1:
      return { [`_${name}`]: { extension: [extensionOf(dice, depth + 1)] } };
    default:
      return { [name]: one() };
  }
}

function repeatedOf(dice: Dice, name: string, one: () => unknown, depth: number): Json {
  const entries = many(dice, () => {
    const bare = dice(4) === 0;
    const companion = bare
      ? { extension: [extensionOf(dice, depth + 1)] }
      : dice(4) === 0
        ? elementOf(dice, depth)
        : null;
    return { value: bare ? null : one(), companion };
  });
  const values = { [name]: entries.map(({ value }) => value) };
  const companions = entries.map(({ companion }) => companion);
  return companions.every((each) => each === null) ? values : { ...values, [`_${name}`]: companions };
}

function elementOf(dice: Dice, depth: number): Json {
  const id = { id: oneOf(dice, ['e1', 'e 2']) };
  return depth > 3 || dice(2) === 0
    ? id
    : { ...(dice(2) === 0 ? id : {}), extension: [extensionOf(dice, depth + 1)] };
}

function extensionOf(dice: Dice, depth: number): Json {
  const extension: Json = { url: oneOf(dice, uris) };
  if (dice(6) === 0) extension['id'] = 'x1';
  if (depth < 3 && dice(5) === 0) {
    extension['extension'] = many(dice, () => extensionOf(dice, depth + 1));
    return extension;
  }
  const values = [...(shapes.get('Extension') ?? [])].filter(([name]) => name.startsWith('value'));
  const [name, property] = oneOf(dice, depth > 2 ? values.filter(([, { primitive }]) => primitive) : values);
  return { ...extension, ...memberOf(dice, 'Extension', name, property, depth + 1) };
}

function valueOf(dice: Dice, holder: string, name: string, type: string, depth: number): unknown {
  if (type === 'xhtml') return `<div xmlns="http://www.w3.org/1999/xhtml">${oneOf(dice, divs)}</div>`;
  if (type === 'Complex') return structuredClone(oneOf(dice, datatypes[name.replace('value', '')] ?? []));
  const values = enumerations[`${holder}.${name}`] ?? primitives[type];
  return values ? oneOf<unknown>(dice, values) : complexOf(dice, type, depth);
}

function many<T>(dice: Dice, one: () => T): T[] {
  return Array.from({ length: 1 + dice(3) }, one);
}

function containedOf(dice: Dice, id: string): Json {
  return { resourceType: 'Organization', id, ...structuredClone(oneOf(dice, organizations)) };
}

const companion = { id: 'c', extension: [{ url: 'urn:u', valueString: 'x' }] };

/** What can be said of an organization, with everything that FHIR's JSON has. */
const organizations: readonly Json[] = [
  { name: 'é\u{1F3E5}' },
  { name: '"\\<&>', _name: companion, active: false, alias: ['a', null], _alias: [null, companion] },
  {
    identifier: [{ value: '1.0' }],
    contact: [{ name: { given: ['x', 'y'] } }, { address: { line: [' two\nlines\t'] } }],
  },
];

const quantities: readonly Json[] = [
  { value: 1.5, unit: 'mg' },
  { value: 1e21, comparator: '<' },
  { _value: companion, unit: 'true' },
];
const measures: readonly Json[] = [{ value: 7, code: '1', system: 'http://unitsofmeasure.org' }];

/** Valid values of the datatypes that only extensions hold. */
const datatypes: Readonly<Record<string, readonly Json[]>> = {
  Address: [
    { line: ['a', null], _line: [null, companion], city: 'é' },
    { use: 'work', text: '</records/1>' },
  ],
  Age: measures,
  Annotation: [{ text: 'x', authorString: 'y' }],
  Attachment: [{ contentType: 'text/plain', data: 'QUJD', size: 3 }],
  Count: measures,
  Distance: measures,
  Duration: measures,
  HumanName: [{ use: 'official', family: 'x', given: ['y', 'z'] }],
  Money: [{ value: -1.5, currency: 'EUR' }],
  Quantity: quantities,
  Range: [{ low: { value: 1 }, high: { value: 2 } }],
  Ratio: [{ numerator: { value: 1 }, denominator: { value: 0.1 } }],
  SampledData: [{ origin: { value: 0 }, period: 1, dimensions: 1, data: '1 2' }],
  Signature: [{ type: [{ code: 'x' }], when: '2020-01-01T10:00:00Z', who: { display: 'x' } }],
  Timing: [{ repeat: { frequency: 1, period: 1, periodUnit: 'd', timeOfDay: ['10:00:00'] } }],
  ContactDetail: [{ name: 'x', telecom: [{ system: 'phone', value: '1' }] }],
  Contributor: [{ type: 'author', name: 'x' }],
  DataRequirement: [{ type: 'Patient', codeFilter: [{ path: 'x', code: [{ code: 'y' }] }] }],
  Expression: [{ language: 'text/fhirpath', expression: 'x' }],
  ParameterDefinition: [{ use: 'in', type: 'string' }],
  RelatedArtifact: [{ type: 'citation', citation: 'x' }],
  TriggerDefinition: [{ type: 'named-event', name: 'x' }],
  UsageContext: [{ code: { code: 'x' }, valueQuantity: { value: 1 } }],
  Dosage: [{ text: 'x', doseAndRate: [{ doseQuantity: { value: 1 } }] }],
};
