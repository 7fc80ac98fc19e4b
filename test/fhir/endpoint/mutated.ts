import { oneOf, type Dice } from './generated.js';

type Json = Record<string, unknown>;

/** What is put in place of something: of every kind of JSON, right here and wrong there. */
// prettier-ignore
const values: readonly unknown[] = [
  null, true, false, 0, 1, -1, 1.5, 2147483648, '', ' ', 'x', 'x y', 'x  y', ' x', 'x\n', 'a\u00a0b', 'active', 'Active', 'true', '1',
  '2020', '2020-13', '2023-02-29', '2020-01-01T10:00:00', '2020-01-01T10:00:00Z', '10:00:00', 'a'.repeat(65), 'a_b', 'QUJD', 'QUJ',
  'urn:oid:1.02', '#o1', '#nothing', '<div>x</div>', [], {}, [null], [[]], ['x'], [{}], { id: 'x' }, { extension: [] }, { code: 'x' },
  { start: '2021', end: '2020' }, { url: 'urn:x' }, { reference: '#o1' }, { value: 'x' },
];

// prettier-ignore
const names = [
  'x', 'id', '_id', 'extension', 'modifierExtension', 'url', '_url', 'valueString', 'valueCode', 'valueInteger', 'valueBase64Binary',
  'valueMeta', 'status', '_status', 'name', '_name', 'header', '_header', 'payloadMimeType', '_payloadMimeType', 'period', 'start', 'end',
  'system', 'value', 'use', 'code', 'text', 'div', '_div', 'contact', 'contained', 'meta', 'profile', '_profile', 'lastUpdated',
  'resourceType', 'implicitRules', 'valueDate', 'valueOid', 'valueUri', 'rank', 'language',
];

const organization = { resourceType: 'Organization', id: 'o1' };
const extension = (value: Json): Json => ({ extension: [{ url: 'urn:x', ...value }] });

/** Parts that chance would seldom put together. */
const parts: readonly Json[] = [
  { contained: [organization] },
  { contained: [organization, organization], managingOrganization: { reference: '#o1' } },
  { contained: [{ resourceType: 'Organization' }] },
  { period: { start: '2021', end: '2020' } },
  { period: { start: '2023-02-29' } },
  { contact: [{ rank: 0 }] },
  extension({ valueInteger: 1.5 }),
  extension({ valueUnsignedInt: -1 }),
  extension({ valueBase64Binary: 'QQ==QUJD' }),
  extension({ valueBase64Binary: 'QUJD\nQQ==\n' }),
  extension({ valueBase64Binary: 'Q UJD' }),
  extension({ valueMeta: { tag: [{ code: 'x' }] } }),
  extension({ valueString: 'a\u00a0b' }),
  extension({ valueQuantity: { anything: 1 } }),
  { text: { status: 'generated', div: 1 } },
];

/** Changes a document in one place: takes something out, puts something in, or puts it in another's place. */
export function mutate(dice: Dice, document: Json): void {
  if (dice(5) === 0) {
    Object.assign(document, structuredClone(oneOf(dice, parts)));
    return;
  }
  const holder = oneOf(dice, holders(document));
  const keys = Object.keys(holder);
  if (Array.isArray(holder)) {
    const at = dice(holder.length + 1);
    const change = dice(3);
    if (change === 0) holder.splice(at, 1);
    else if (change === 1) holder.splice(at, 0, oneOf(dice, values));
    else holder[at] = oneOf(dice, values);
    return;
  }
  const key = keys.length === 0 ? 'x' : oneOf(dice, keys);
  switch (dice(4)) {
    case 0:
      return void Reflect.deleteProperty(holder, key);
    case 1:
      return void (holder[oneOf(dice, names)] = structuredClone(oneOf(dice, values)));
    case 2:
      return void (holder[oneOf(dice, names)] = structuredClone(holder[key]));
    default:
      return void (holder[key] = structuredClone(oneOf(dice, values)));
  }
}

/** All objects and arrays of a document; those near its root more often, for there are more rules. */
function holders(value: Json): Json[] {
  const all: Json[] = [value, value, value];
  const queue: unknown[] = Object.values(value);
  for (const each of queue) {
    if (typeof each !== 'object' || each === null) continue;
    all.push(each as Json);
    queue.push(...(Object.values(each) as unknown[]));
  }
  return all;
}
