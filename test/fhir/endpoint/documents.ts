import { fullest, smallest } from './example.js';

/** A sentence, the document, and its one problem as `pointer rule`; nothing for a valid one. */
export type Case = readonly [sentence: string, document: unknown, problem?: string];

const ext = (value: object) => ({ extension: [{ url: 'urn:x', ...value }] });
const absent = { extension: [{ url: 'urn:absent', valueCode: 'unknown' }] };
const organization = (more: object = {}) => ({
  resourceType: 'Organization',
  id: 'o',
  identifier: [{ value: '1' }],
  ...more,
});
const referred = (more: object = {}) => ({
  contained: [organization(more)],
  managingOrganization: { reference: '#o' },
});
const div = (inside: string) => ({
  text: { status: 'generated', div: `<div xmlns="http://www.w3.org/1999/xhtml">${inside}</div>` },
});
const rawDiv = (text: string) => ({ text: { status: 'generated', div: text } });
const lone = '\ud800';
const deep = (levels: number): object => {
  let inner: object = { url: 'in', valueString: 'x' };
  for (let level = 0; level < levels; level++) inner = { url: 'urn:out', extension: [inner] };
  return { extension: [inner] };
};

/** The smallest endpoint with these properties put in; undefined takes one away. */
const withs: readonly (readonly [sentence: string, patch: object, problem?: string])[] = [
  // The resource (specification, 2.1)
  ['the three required properties are enough', {}],
  ['a missing connection type', { connectionType: undefined }, ' required'],
  ['a missing payload type', { payloadType: undefined }, ' required'],
  ['a missing resource type', { resourceType: undefined }, ' required'],
  [
    'another resource is one problem, whatever else it holds',
    { resourceType: 'Patient', birthDate: 'x', gender: 5 },
    '/resourceType resource-type',
  ],
  ['a resource type in small letters', { resourceType: 'endpoint' }, '/resourceType resource-type'],
  ['a resource type that is no string', { resourceType: 1 }, '/resourceType resource-type'],
  ['an unknown property', { colour: 'red' }, '/colour unknown-property'],
  ['a property of a later release', { environmentType: [] }, '/environmentType unknown-property'],
  ['a comment of an earlier release', { fhir_comments: ['x'] }, '/fhir_comments unknown-property'],
  ['a property with a slash in its name', { 'a/b~c': 1 }, '/a~1b~0c unknown-property'],
  ['a property with an empty name', { '': 1 }, '/ unknown-property'],
  [
    'a companion of a property that is no primitive',
    { _period: { id: 'p' }, period: { start: '2020' } },
    '/_period unknown-property',
  ],
  ['a companion of the resource type', { _resourceType: { id: 'p' } }, '/_resourceType unknown-property'],
  [
    '__proto__ is data like any other',
    JSON.parse('{"__proto__":{"x":1}}') as object,
    '/__proto__ unknown-property',
  ],
  ['constructor is no property', { constructor: 'x' }, '/constructor unknown-property'],
  ['toString is no property', { toString: 'x' }, '/toString unknown-property'],
  // Status (specification, 3)
  ['the status active', { status: 'active' }],
  ['the status suspended', { status: 'suspended' }],
  ['the status error', { status: 'error' }],
  ['the status off', { status: 'off' }],
  ['the status entered-in-error', { status: 'entered-in-error' }],
  ['the status test', { status: 'test' }],
  ['no status but its extension', { _status: absent }],
  ['an unknown status', { status: 'limited' }, '/status code'],
  ['a status in capitals', { status: 'Active' }, '/status code'],
  ['a status with a space', { status: 'active ' }, '/status code'],
  ['an empty status', { status: '' }, '/status empty'],
  ['a status that is null', { status: null }, '/status code'],
  ['a status that is a number', { status: 1 }, '/status code'],
  // id
  ['an id of 64 characters', { id: 'a'.repeat(64) }],
  ['an id of 65 characters', { id: 'a'.repeat(65) }, '/id format'],
  ['an id with an underscore', { id: 'a_b' }, '/id format'],
  ['an empty id', { id: '' }, '/id empty'],
  ['an id with a line feed at its end', { id: 'a\n' }, '/id format'],
  ['an id that is a number', { id: 5 }, '/id type'],
  ['an id that is null', { id: null }, '/id type'],
  ['an id with a letter beyond ASCII', { id: 'é' }, '/id format'],
  // uri, url, code, string
  ['an address', { address: 'https://fhir.example/r4?x=1#y' }],
  ['an address with a space', { address: 'https://fhir.example/r 4' }, '/address format'],
  ['an empty address', { address: '' }, '/address empty'],
  ['an address that is an array', { address: ['https://fhir.example'] }, '/address type'],
  ['an address beyond ASCII', { address: 'https://fhir.example/é' }],
  ['a language', { language: 'de' }],
  ['a code with single spaces', { language: 'a b c' }],
  ['a code with two spaces', { language: 'a  b' }, '/language format'],
  ['a code with a space in front', { language: ' a' }, '/language format'],
  ['a code with a line feed at its end', { language: 'a\n' }, '/language format'],
  ['an empty code', { language: '' }, '/language empty'],
  ['a name', { name: 'The "Ward" \u{1F3E5}\n' }],
  ['a name of white space alone', { name: '  ' }],
  ['an empty name', { name: '' }, '/name empty'],
  ['a name that is a number', { name: 7 }, '/name type'],
  ['a name that is an object', { name: {} }, '/name type'],
  ['a name with half a character', { name: `a${lone}` }, '/name unicode'],
  ['a name of a megabyte', { name: 'x'.repeat(1024 * 1024) }],
  ['a name of more than a megabyte', { name: 'x'.repeat(1024 * 1024 + 1) }, '/name length'],
  ['a name of ten megabytes', { name: 'a b '.repeat(2_500_000) }, '/name length'],
  ['an address of ten megabytes', { address: 'x'.repeat(10_000_000) }],
  ['a code of ten megabytes', { language: 'a '.repeat(5_000_000) }, '/language format'],
  // Companions
  ['a companion beside its value', { name: 'x', _name: { id: 'n' } }],
  ['a companion with an extension instead of a value', { _name: absent }],
  ['a companion with an id alone instead of a value', { _name: { id: 'n' } }, '/_name element'],
  ['an empty companion', { name: 'x', _name: {} }, '/_name empty'],
  ['a companion that is null', { name: 'x', _name: null }, '/_name type'],
  ['a companion that is a string', { name: 'x', _name: 'y' }, '/_name type'],
  [
    'a companion that is an array where the value is none',
    { name: 'x', _name: [{ id: 'n' }] },
    '/_name type',
  ],
  [
    'a companion with an unknown property',
    { name: 'x', _name: { id: 'n', value: 'y' } },
    '/_name/value unknown-property',
  ],
  ['a companion whose extension is empty', { name: 'x', _name: { extension: [] } }, '/_name/extension empty'],
  ['a companion of the id', { id: 'x', _id: absent }],
  ['arrays that line up', { header: ['a', null, 'c'], _header: [null, absent, { id: 'h' }] }],
  ['an array whose every value is told by its companion', { header: [null], _header: [absent] }],
  ['an array of companions alone', { _header: [absent] }],
  ['companions alone that say nothing of a value', { _header: [{ id: 'h' }] }, '/_header/0 companion'],
  [
    'a companion array that is longer',
    { header: ['a'], _header: [{ id: 'h' }, absent] },
    '/_header companion',
  ],
  ['a companion array that is shorter', { header: ['a', 'b'], _header: [{ id: 'h' }] }, '/_header companion'],
  ['nothing in both arrays', { header: ['a', null], _header: [{ id: 'h' }, null] }, '/_header/1 companion'],
  ['null with an id alone', { header: ['a', null], _header: [null, { id: 'h' }] }, '/_header/1 companion'],
  ['null without any companion', { header: ['a', null] }, '/header/1 companion'],
  ['a companion array of nulls', { header: ['a'], _header: [null] }, '/_header companion'],
  ['an empty companion array', { header: ['a'], _header: [] }, '/_header empty'],
  ['a companion array that is an object', { header: ['a'], _header: { id: 'h' } }, '/_header type'],
  ['a companion in an array with nothing in it', { header: ['a'], _header: [{}] }, '/_header/0 empty'],
  ['payload types by companion', { payloadMimeType: ['a/b', null], _payloadMimeType: [null, absent] }],
  // Arrays
  ['two MIME types', { payloadMimeType: ['application/fhir+json', 'text/plain; charset=utf-8'] }],
  ['no MIME type in the array', { payloadMimeType: [] }, '/payloadMimeType empty'],
  ['a MIME type that is no array', { payloadMimeType: 'text/plain' }, '/payloadMimeType type'],
  ['an empty MIME type', { payloadMimeType: ['a/b', ''] }, '/payloadMimeType/1 empty'],
  ['a MIME type that is a number', { payloadMimeType: [1] }, '/payloadMimeType/0 type'],
  ['a header that is an object', { header: [{}] }, '/header/0 type'],
  ['no payload type in the array', { payloadType: [] }, '/payloadType empty'],
  ['a payload type that is no array', { payloadType: { text: 'x' } }, '/payloadType type'],
  ['a payload type that is null', { payloadType: [null] }, '/payloadType/0 type'],
  ['an empty payload type', { payloadType: [{}] }, '/payloadType/0 empty'],
  ['no contact in the array', { contact: [] }, '/contact empty'],
  ['an array in an array', { contact: [[]] }, '/contact/0 type'],
  // Coding, CodeableConcept
  ['an empty connection type', { connectionType: {} }, '/connectionType empty'],
  ['a connection type with an id alone', { connectionType: { id: 'x' } }, '/connectionType element'],
  [
    'a connection type that is a concept',
    { connectionType: { coding: [{ code: 'x' }] } },
    '/connectionType/coding unknown-property',
  ],
  ['a connection type that is a string', { connectionType: 'hl7-fhir-rest' }, '/connectionType type'],
  ['a connection type of an extension alone', { connectionType: absent }],
  ['a coding chosen by a user', { connectionType: { code: 'x', userSelected: false } }],
  [
    'a choice that is a string',
    { connectionType: { code: 'x', userSelected: 'true' } },
    '/connectionType/userSelected type',
  ],
  [
    'a coding with an empty version',
    { connectionType: { code: 'x', version: '' } },
    '/connectionType/version empty',
  ],
  ['a coding whose system is no URI', { connectionType: { system: 'a b' } }, '/connectionType/system format'],
  ['a companion inside a coding', { connectionType: { _code: absent } }],
  ['a concept with a code', { payloadType: [{ code: 'x' }] }, '/payloadType/0/code unknown-property'],
  ['a concept without codings', { payloadType: [{ coding: [], text: 'x' }] }, '/payloadType/0/coding empty'],
  // Identifier, Reference
  ['an identifier', { identifier: [{ use: 'official', system: 'urn:s', value: '1' }] }],
  ['an identifier that is no array', { identifier: { value: '1' } }, '/identifier type'],
  [
    'an identifier with an unknown use',
    { identifier: [{ use: 'main', value: '1' }] },
    '/identifier/0/use code',
  ],
  ['an identifier with a number as its value', { identifier: [{ value: 1 }] }, '/identifier/0/value type'],
  [
    'an identifier with an unknown property',
    { identifier: [{ value: '1', label: 'x' }] },
    '/identifier/0/label unknown-property',
  ],
  ['a reference', { managingOrganization: { reference: 'Organization/1', type: 'Organization' } }],
  ['a reference by identifier', { managingOrganization: { identifier: { value: '1' } } }],
  ['an empty reference', { managingOrganization: {} }, '/managingOrganization empty'],
  [
    'a reference to nothing contained',
    { managingOrganization: { reference: '#o' } },
    '/managingOrganization/reference reference',
  ],
  ['a reference that is a string', { managingOrganization: 'Organization/1' }, '/managingOrganization type'],
  [
    'a reference with its resource inside',
    { managingOrganization: { resource: {} } },
    '/managingOrganization/resource unknown-property',
  ],
  [
    'a reference to a person',
    { managingOrganization: { reference: 'Patient/1' } },
    '/managingOrganization reference-type',
  ],
  [
    'a reference that calls itself one to a person',
    { managingOrganization: { type: 'Patient', display: 'x' } },
    '/managingOrganization reference-type',
  ],
  ['a reference to a version', { managingOrganization: { reference: 'Organization/1/_history/2' } }],
  ['a reference elsewhere', { managingOrganization: { reference: 'https://fhir.example/Patient/1' } }],
  ['a reference to a type of its own', { managingOrganization: { type: 'urn:x:ward', display: 'x' } }],
  [
    'an identifier given by a person',
    { identifier: [{ value: '1', assigner: { reference: 'Patient/1' } }] },
    '/identifier/0/assigner reference-type',
  ],
  // URIs
  [
    'a relative system of an identifier',
    { identifier: [{ system: 'a', value: '1' }] },
    '/identifier/0/system format',
  ],
  [
    'a relative system of a coding',
    { payloadType: [{ coding: [{ system: 'a/b', code: 'x' }] }] },
    '/payloadType/0/coding/0/system format',
  ],
  [
    'a relative url of an extension',
    { extension: [{ url: 'x', valueBoolean: true }] },
    '/extension/0/url format',
  ],
  [
    'a relative url of a part of an extension',
    { extension: [{ url: 'urn:x', extension: [{ url: 'x', valueBoolean: true }] }] },
  ],
  [
    'a relative url of an extension of a datatype',
    ext({ valueAddress: { city: 'x', extension: [{ url: 'x', valueBoolean: true }] } }),
    '/extension/0/valueAddress/extension/0/url format',
  ],
  ['an address that is no UUID', { address: 'urn:uuid:1' }, '/address format'],
  ['an address that is a UUID', { address: 'urn:uuid:c757873d-ec9a-4326-a141-556f43239520' }],
  ['an address that is no OID', { address: 'urn:oid:1.02' }, '/address format'],
  ['an address that is an OID', { address: 'urn:oid:1.2' }],
  [
    'a code that its system does not have',
    {
      connectionType: { system: 'http://terminology.hl7.org/CodeSystem/endpoint-connection-type', code: 'x' },
    },
    '/connectionType unknown-code',
  ],
  [
    'a code that another system does not have',
    { connectionType: { system: 'http://terminology.hl7.org/CodeSystem/__proto__', code: 'x' } },
  ],
  // ContactPoint
  ['a contact', { contact: [{ system: 'email', value: 'a@b.example', use: 'work', rank: 1 }] }],
  ['a contact without a system', { contact: [{ value: '555' }] }, '/contact/0 contact-system'],
  ['a contact whose system is unknown', { contact: [{ _system: absent, value: '555' }] }],
  ['a contact of a use alone', { contact: [{ use: 'work' }] }],
  ['an unknown system', { contact: [{ system: 'telex', value: '5' }] }, '/contact/0/system code'],
  ['an unknown use', { contact: [{ system: 'phone', value: '5', use: 'office' }] }, '/contact/0/use code'],
  ['a rank of zero', { contact: [{ system: 'phone', value: '5', rank: 0 }] }, '/contact/0/rank range'],
  [
    'a rank beyond 31 bits',
    { contact: [{ system: 'phone', value: '5', rank: 2147483648 }] },
    '/contact/0/rank range',
  ],
  [
    'a rank that is no whole number',
    { contact: [{ system: 'phone', value: '5', rank: 1.5 }] },
    '/contact/0/rank type',
  ],
  [
    'a rank that is a string',
    { contact: [{ system: 'phone', value: '5', rank: '1' }] },
    '/contact/0/rank type',
  ],
  // Period and dates
  ['a period of years', { period: { start: '2020', end: '2021' } }],
  ['a period within one year', { period: { start: '2020', end: '2020' } }],
  ['an open period', { period: { start: '2020-02' } }],
  ['a period that ends before it starts', { period: { start: '2021', end: '2020' } }, '/period period'],
  ['an end of a month before the start', { period: { start: '2020-03', end: '2020-02' } }, '/period period'],
  ['an end in the year in which it starts', { period: { start: '2020-03-15', end: '2020' } }],
  ['an end in the month in which it starts', { period: { start: '2020-03-15', end: '2020-03' } }],
  ['an end on the day on which it starts', { period: { start: '2020-03-15T23:00:00Z', end: '2020-03-15' } }],
  ['a day before the start', { period: { start: '2020-03-15', end: '2020-03-14' } }, '/period period'],
  [
    'a start after the end by zones',
    { period: { start: '2020-03-15T10:00:00Z', end: '2020-03-15T11:00:00+02:00' } },
    '/period period',
  ],
  [
    'a start before the end by zones',
    { period: { start: '2020-03-15T10:00:00+02:00', end: '2020-03-15T09:00:00Z' } },
  ],
  [
    'a day that is the day before elsewhere',
    { period: { start: '2020-03-15T12:00:00Z', end: '2020-03-14' } },
  ],
  [
    'a day that is over everywhere',
    { period: { start: '2020-03-16T14:00:00Z', end: '2020-03-15' } },
    '/period period',
  ],
  [
    'a fraction of a second before the start',
    { period: { start: '2020-03-15T10:00:00.5Z', end: '2020-03-15T10:00:00.25Z' } },
    '/period period',
  ],
  [
    'one instant written twice',
    { period: { start: '2020-03-15T10:00:00.500Z', end: '2020-03-15T10:00:00.5Z' } },
  ],
  ['years before 100', { period: { start: '0099', end: '0098' } }, '/period period'],
  ['a leap second', { period: { start: '2016-12-31T23:59:60Z' } }],
  ['a leap day', { period: { start: '2024-02-29' } }],
  ['a leap day of another year', { period: { start: '2023-02-29' } }, '/period/start date'],
  ['the thirty-first of April', { period: { end: '2024-04-31' } }, '/period/end date'],
  ['a leap day of a century', { period: { start: '1900-02-29' } }, '/period/start date'],
  ['a month that is none', { period: { start: '2020-13' } }, '/period/start format'],
  ['a year of two digits', { period: { start: '20' } }, '/period/start format'],
  ['the year 0', { period: { start: '0000' } }, '/period/start format'],
  ['a time without seconds', { period: { start: '2020-01-01T10:00Z' } }, '/period/start format'],
  ['a time without a zone', { period: { start: '2020-01-01T10:00:00' } }, '/period/start format'],
  ['a zone beyond 14:00', { period: { start: '2020-01-01T10:00:00+14:30' } }, '/period/start format'],
  ['midnight as 24:00', { period: { start: '2020-01-01T24:00:00Z' } }, '/period/start format'],
  ['a date with slashes', { period: { start: '01/02/2020' } }, '/period/start format'],
  ['an empty period', { period: {} }, '/period empty'],
  ['a period that is a string', { period: '2020' }, '/period type'],
  ['a date with a hundred decimals', { period: { start: `2020-01-01T00:00:00.${'1'.repeat(100)}Z` } }],
  [
    'a date with two points',
    { period: { start: `2020-01-01T00:00:00.${'1'.repeat(100)}.1Z` } },
    '/period/start format',
  ],
  [
    'a date of ten megabytes',
    { period: { start: `2020-01-01T00:00:00.${'1'.repeat(10_000_000)}` } },
    '/period/start format',
  ],
  // Meta
  ['metadata', { meta: { versionId: '1', lastUpdated: '2020-01-01T10:00:00Z', profile: ['urn:p'] } }],
  ['an instant without a time', { meta: { lastUpdated: '2020-01-01' } }, '/meta/lastUpdated format'],
  ['an instant on no day', { meta: { lastUpdated: '2021-02-30T10:00:00Z' } }, '/meta/lastUpdated date'],
  ['a version that is a number', { meta: { versionId: 1 } }, '/meta/versionId type'],
  ['a tag that is a string', { meta: { tag: ['x'] } }, '/meta/tag/0 type'],
  ['a profile with a space', { meta: { profile: ['a b'] } }, '/meta/profile/0 format'],
  ['a profile that is null', { meta: { profile: [null] } }, '/meta/profile/0 companion'],
  ['empty metadata', { meta: {} }, '/meta empty'],
  // Extension
  ['an extension with a string', ext({ valueString: 'x' })],
  ['an extension with an extension', ext({ extension: [{ url: 'in', valueBoolean: false }] })],
  ['an extension of a value that is absent', ext({ _valueString: absent })],
  ['an extension without a value', ext({}), '/extension/0 element'],
  ['an extension with an id alone', ext({ id: 'x' }), '/extension/0 element'],
  ['an extension without a url', { extension: [{ valueString: 'x' }] }, '/extension/0 required'],
  ['an empty extension', { extension: [{}] }, '/extension/0 empty'],
  ['two values', ext({ valueString: 'x', valueCode: 'y' }), '/extension/0 choice'],
  ['three values', ext({ valueString: 'x', valueCode: 'y', valueBoolean: true }), '/extension/0 choice'],
  [
    'a value and extensions',
    ext({ valueString: 'x', extension: [{ url: 'in', valueCode: 'y' }] }),
    '/extension/0 choice',
  ],
  ['the companion of another value', ext({ valueString: 'x', _valueCode: absent }), '/extension/0 choice'],
  [
    'a value and a property that is unknown',
    ext({ valueString: 'x', note: 'y' }),
    '/extension/0/note unknown-property',
  ],
  [
    'a value of a type that there is not',
    ext({ valueNumber: 1 }),
    '/extension/0/valueNumber unknown-property',
  ],
  ['a value of an extension that is empty', ext({ valueString: '' }), '/extension/0/valueString empty'],
  ['a boolean as a string', ext({ valueBoolean: 'true' }), '/extension/0/valueBoolean type'],
  ['a decimal as a string', ext({ valueDecimal: '1.0' }), '/extension/0/valueDecimal type'],
  ['a decimal beyond all numbers', ext({ valueDecimal: Infinity }), '/extension/0/valueDecimal type'],
  ['an integer with a fraction', ext({ valueInteger: 1.5 }), '/extension/0/valueInteger type'],
  ['an integer beyond 32 bits', ext({ valueInteger: 2147483648 }), '/extension/0/valueInteger range'],
  ['the smallest integer', ext({ valueInteger: -2147483648 })],
  ['an unsigned integer below zero', ext({ valueUnsignedInt: -1 }), '/extension/0/valueUnsignedInt range'],
  ['base64', ext({ valueBase64Binary: 'QUJD REVGRw==' })],
  ['base64 that breaks off', ext({ valueBase64Binary: 'QUJDR' }), '/extension/0/valueBase64Binary format'],
  [
    'base64 with padding inside',
    ext({ valueBase64Binary: 'QQ==QUJD' }),
    '/extension/0/valueBase64Binary format',
  ],
  ['base64 with other letters', ext({ valueBase64Binary: 'QU-_' }), '/extension/0/valueBase64Binary format'],
  ['base64 of ten megabytes', ext({ valueBase64Binary: 'QUJD'.repeat(2_500_000) })],
  [
    'base64 of ten megabytes that is none',
    ext({ valueBase64Binary: 'QUJ '.repeat(2_500_000) + '-' }),
    '/extension/0/valueBase64Binary format',
  ],
  ['a date in the calendar', ext({ valueDate: '2024-02-29' })],
  ['a date with a time', ext({ valueDate: '2024-02-29T10:00:00Z' }), '/extension/0/valueDate format'],
  ['a dateTime on no day', ext({ valueDateTime: '2023-02-29' }), '/extension/0/valueDateTime date'],
  ['a time', ext({ valueTime: '23:59:60.5' })],
  ['a time without seconds in an extension', ext({ valueTime: '23:59' }), '/extension/0/valueTime format'],
  ['an OID', ext({ valueOid: 'urn:oid:1.2.840.10008.0' })],
  ['an OID without its prefix', ext({ valueOid: '1.2.3' }), '/extension/0/valueOid format'],
  ['an OID with a leading zero', ext({ valueOid: 'urn:oid:1.02' }), '/extension/0/valueOid format'],
  ['an OID with a point at its end', ext({ valueOid: 'urn:oid:1.2.' }), '/extension/0/valueOid format'],
  [
    'an OID of ten megabytes',
    ext({ valueOid: `urn:oid:1${'.1'.repeat(5_000_000)}.` }),
    '/extension/0/valueOid format',
  ],
  ['a UUID', ext({ valueUuid: 'urn:uuid:c757873d-ec9a-4326-a141-556f43239520' })],
  [
    'a UUID in capitals',
    ext({ valueUuid: 'urn:uuid:C757873D-EC9A-4326-A141-556F43239520' }),
    '/extension/0/valueUuid format',
  ],
  ['a coding as a value', ext({ valueCoding: { code: 'x' } })],
  [
    'a coding with an unknown property as a value',
    ext({ valueCoding: { code: 'x', label: 'y' } }),
    '/extension/0/valueCoding/label unknown-property',
  ],
  [
    'a period as a value that ends before it starts',
    ext({ valuePeriod: { start: '2021', end: '2020' } }),
    '/extension/0/valuePeriod period',
  ],
  [
    'a contact without a system as a value',
    ext({ valueContactPoint: { value: '5' } }),
    '/extension/0/valueContactPoint contact-system',
  ],
  ['metadata as a value', ext({ valueMeta: { tag: [{ code: 'x' }] } })],
  [
    'a property that a datatype of R4 does not have',
    ext({ valueQuantity: { value: 1, unit: 'mg', anything: { goes: true } } }),
    '/extension/0/valueQuantity/anything unknown-property',
  ],
  ['a quantity that is a string', ext({ valueQuantity: '1 mg' }), '/extension/0/valueQuantity type'],
  ['an empty quantity', ext({ valueQuantity: {} }), '/extension/0/valueQuantity empty'],
  [
    'something empty in an address',
    ext({ valueAddress: { line: [] } }),
    '/extension/0/valueAddress/line empty',
  ],
  ['extensions that nest 50 deep', deep(50)],
  ['extensions that nest 50,000 deep', deep(50_000), ' nesting'],
  [
    'a fault deep inside',
    {
      extension: [{ url: 'urn:a', extension: [{ url: 'b', valueReference: { identifier: { use: 'x' } } }] }],
    },
    '/extension/0/extension/0/valueReference/identifier/use code',
  ],
  // Datatypes that only extensions hold
  [
    'a range that ends before it begins',
    ext({ valueRange: { low: { value: 2 }, high: { value: 1 } } }),
    '/extension/0/valueRange constraint',
  ],
  ['a range', ext({ valueRange: { low: { value: 1 }, high: { value: 2 } } })],
  [
    'a range in two units',
    ext({ valueRange: { low: { value: 2, unit: 'mg' }, high: { value: 1, unit: 'g' } } }),
  ],
  [
    'an attachment that does not say what it is',
    ext({ valueAttachment: { data: 'QUJD' } }),
    '/extension/0/valueAttachment constraint',
  ],
  [
    'a quantity with an unknown comparator',
    ext({ valueQuantity: { value: 1, comparator: '!' } }),
    '/extension/0/valueQuantity/comparator code',
  ],
  [
    'a quantity with a code and no system',
    ext({ valueQuantity: { value: 1, code: 'mg' } }),
    '/extension/0/valueQuantity constraint',
  ],
  [
    'an age that is negative',
    ext({ valueAge: { value: -1, code: 'a', system: 'http://unitsofmeasure.org' } }),
    '/extension/0/valueAge constraint',
  ],
  [
    'a name with an unknown use',
    ext({ valueHumanName: { text: 'x', use: 'legal' } }),
    '/extension/0/valueHumanName/use code',
  ],
  [
    'a ratio without a denominator',
    ext({ valueRatio: { numerator: { value: 1 } } }),
    '/extension/0/valueRatio constraint',
  ],
  [
    'a note without its text',
    ext({ valueAnnotation: { authorString: 'x' } }),
    '/extension/0/valueAnnotation required',
  ],
  [
    'a note by a device',
    ext({ valueAnnotation: { text: 'x', authorReference: { reference: 'Device/1' } } }),
    '/extension/0/valueAnnotation/authorReference reference-type',
  ],
  [
    'a note of two authors',
    ext({ valueAnnotation: { text: 'x', authorString: 'x', authorReference: { reference: 'Patient/1' } } }),
    '/extension/0/valueAnnotation choice',
  ],
  [
    'a timing whose period has no unit',
    ext({ valueTiming: { repeat: { period: 1 } } }),
    '/extension/0/valueTiming/repeat constraint',
  ],
  [
    'a timing',
    ext({ valueTiming: { repeat: { period: 1, periodUnit: 'd', boundsPeriod: { start: '2020' } } } }),
  ],
  [
    'an extension of a datatype without a value',
    ext({ valueAddress: { city: 'x', extension: [{ url: 'urn:y' }] } }),
    '/extension/0/valueAddress/extension/0 element',
  ],
  [
    'an extension of a datatype with two values',
    ext({ valueAddress: { city: 'x', extension: [{ url: 'urn:y', valueBoolean: true, valueCode: 'x' }] } }),
    '/extension/0/valueAddress/extension/0 choice',
  ],
  ['a datatype with an id alone', ext({ valueAddress: { id: 'x' } }), '/extension/0/valueAddress element'],
  // Narrative
  ['a narrative', div('<p>Hello</p>')],
  [
    'a narrative with everything',
    div(
      '<h1 class="a">A</h1><table><tr><td colspan="2">b</td></tr></table><a href="https://x.example/?a&amp;b">c</a> &lt; &#160;',
    ),
  ],
  ['a narrative of a picture alone', div('<img src="data:image/png;base64,AAAA" alt="x"/>')],
  ['a narrative with a comment', div('x<!-- y -->')],
  ['a narrative without its namespace', rawDiv('<div>x</div>'), '/text/div narrative'],
  [
    'a narrative that is no div',
    rawDiv('<p xmlns="http://www.w3.org/1999/xhtml">x</p>'),
    '/text/div narrative',
  ],
  [
    'a narrative with two roots',
    rawDiv('<div xmlns="http://www.w3.org/1999/xhtml">x</div><div/>'),
    '/text/div narrative',
  ],
  ['a narrative of text alone', rawDiv('Hello'), '/text/div narrative'],
  [
    'a narrative that is not closed',
    rawDiv('<div xmlns="http://www.w3.org/1999/xhtml"><p>x</div>'),
    '/text/div narrative',
  ],
  [
    'a narrative that breaks off',
    rawDiv('<div xmlns="http://www.w3.org/1999/xhtml">x'),
    '/text/div narrative',
  ],
  ['a narrative with a bare ampersand', div('a & b'), '/text/div narrative'],
  ['a narrative with an entity of HTML', div('a&nbsp;b'), '/text/div narrative'],
  ['a narrative with an attribute without quotes', div('<p class=x>y</p>'), '/text/div narrative'],
  ['a narrative that says nothing', div(' <p> </p> '), '/text/div narrative'],
  ['a narrative with a script', div('x<script>alert(1)</script>'), '/text/div narrative'],
  ['a narrative with a script in capitals', div('x<SCRIPT>alert(1)</SCRIPT>'), '/text/div narrative'],
  [
    'a narrative with a script of another prefix',
    div('<h:script xmlns:h="http://www.w3.org/1999/xhtml">x</h:script>'),
    '/text/div narrative',
  ],
  [
    'a narrative with SVG',
    div('<svg xmlns="http://www.w3.org/2000/svg"><text>x</text></svg>'),
    '/text/div narrative',
  ],
  ['a narrative with an event handler', div('<p onclick="x()">y</p>'), '/text/div narrative'],
  ['a narrative with a form', div('<form action="x"><input/></form>x'), '/text/div narrative'],
  ['a narrative with a frame', div('<iframe src="x"/>x'), '/text/div narrative'],
  ['a narrative with an object', div('<object data="x"/>x'), '/text/div narrative'],
  ['a narrative with a stylesheet', div('<link rel="stylesheet" href="x"/>x'), '/text/div narrative'],
  ['a narrative with style rules', div('<style>p {}</style>x'), '/text/div narrative'],
  [
    'a narrative with a link that runs a program',
    div('<a href="javascript:alert(1)">x</a>'),
    '/text/div narrative',
  ],
  [
    'a narrative with a link that hides a program',
    div('<a href=" java&#10;script:alert(1)">x</a>'),
    '/text/div narrative',
  ],
  [
    'a narrative with a style that loads',
    div('<p style="background: url(http://x.example)">x</p>'),
    '/text/div narrative',
  ],
  ['a narrative with a style', div('<p style="color: red">x</p>')],
  [
    'a narrative with a document type',
    rawDiv('<!DOCTYPE div><div xmlns="http://www.w3.org/1999/xhtml">x</div>'),
    '/text/div narrative',
  ],
  ['a narrative with a processing instruction', div('<?php x ?>x'), '/text/div narrative'],
  ['a narrative with half a character', div(`x${lone}`), '/text/div unicode'],
  ['a narrative of ten megabytes', div('<p>x</p>'.repeat(1_250_000))],
  ['a narrative that nests a million deep', div('<p>'.repeat(1_000_000)), '/text/div narrative'],
  ['a narrative without a div', { text: { status: 'generated' } }, '/text required'],
  [
    'a narrative without a status',
    { text: { div: '<div xmlns="http://www.w3.org/1999/xhtml">x</div>' } },
    '/text required',
  ],
  ['a narrative with an empty div', { text: { status: 'generated', div: '' } }, '/text/div empty'],
  [
    'a narrative with an unknown status',
    { text: { ...rawDiv('<div xmlns="http://www.w3.org/1999/xhtml">x</div>').text, status: 'made' } },
    '/text/status code',
  ],
  ['a companion of a div', { text: { ...div('x').text, _div: { id: 'x' } } }, '/text/_div unknown-property'],
  // Contained resources
  ['a contained resource that is referred to', referred()],
  [
    'a contained resource with a property that R4 does not know',
    referred({ 'a b': { goes: [1, 'x', true] } }),
    '/contained/0/a b unknown-property',
  ],
  [
    'a contained resource of a type that R4 does not know',
    referred({ resourceType: 'Ward' }),
    '/contained/0/resourceType resource-type',
  ],
  [
    'a contained resource of a type that only others are made of',
    {
      contained: [{ resourceType: 'DomainResource', id: 'o' }],
      ...ext({ valueReference: { reference: '#o' } }),
    },
    '/contained/0/resourceType resource-type',
  ],
  [
    'an organization of which nothing is said',
    { contained: [{ resourceType: 'Organization', id: 'o' }], managingOrganization: { reference: '#o' } },
    '/contained/0 constraint',
  ],
  [
    'an organization at home',
    referred({ telecom: [{ system: 'phone', use: 'home' }] }),
    '/contained/0 constraint',
  ],
  [
    'a contained resource in a contained resource',
    referred({ contained: [{ resourceType: 'Location', id: 'l' }] }),
    '/contained/0 constraint',
  ],
  ['a contained resource with a version', referred({ meta: { versionId: '1' } }), '/contained/0 constraint'],
  [
    'a contained resource with a time of its last change',
    referred({ meta: { lastUpdated: '2020-01-01T00:00:00Z' } }),
    '/contained/0 constraint',
  ],
  [
    'a contained resource with a security label',
    referred({ meta: { security: [{ system: 'urn:s', code: 'R' }] } }),
    '/contained/0 constraint',
  ],
  ['a contained resource with a tag', referred({ meta: { tag: [{ system: 'urn:s', code: 'R' }] } })],
  [
    'a code that the value set of a contained resource does not have',
    {
      contained: [
        {
          resourceType: 'Patient',
          id: 'p',
          gender: 'm',
          link: [{ other: { reference: '#' }, type: 'seealso' }],
        },
      ],
    },
    '/contained/0/gender code',
  ],
  [
    'a contained resource without what it requires',
    {
      contained: [
        {
          resourceType: 'Endpoint',
          id: 'e',
          status: 'active',
          address: 'urn:a',
          payloadType: [{ text: 'x' }],
          managingOrganization: { reference: '#o' },
        },
        organization({ endpoint: [{ reference: '#e' }] }),
      ],
    },
    '/contained/0 required',
  ],
  [
    'a contained resource with a date that is none',
    referred({ identifier: [{ value: '1', period: { start: '2023-02-29' } }] }),
    '/contained/0/identifier/0/period/start date',
  ],
  [
    'a contained resource with a reference to nothing',
    referred({ partOf: { reference: '#x' } }),
    '/contained/0/partOf/reference reference',
  ],
  [
    'a contained resource with a reference to another type',
    referred({ partOf: { reference: 'Patient/1' } }),
    '/contained/0/partOf reference-type',
  ],
  [
    'a contained resource with one value where many may stand',
    referred({ alias: 'x' }),
    '/contained/0/alias type',
  ],
  [
    'a contained resource with many values where one may stand',
    referred({ active: [true] }),
    '/contained/0/active type',
  ],
  [
    'a contained resource with two values of one choice',
    {
      contained: [
        {
          resourceType: 'Patient',
          id: 'p',
          deceasedBoolean: true,
          deceasedDateTime: '2020',
          managingOrganization: { reference: '#o' },
        },
        organization({
          contact: [{ address: { extension: [{ url: 'urn:p', valueReference: { reference: '#p' } }] } }],
        }),
      ],
      managingOrganization: { reference: '#o' },
    },
    '/contained/0 choice',
  ],
  [
    'a contained resource with a script',
    referred({
      text: { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">x<script/></div>' },
    }),
    '/contained/0/text/div narrative',
  ],
  [
    'a contained resource that refers to the endpoint',
    { contained: [organization({ endpoint: [{ reference: '#' }] })] },
  ],
  [
    'a contained resource that another refers to',
    {
      contained: [
        organization(),
        { resourceType: 'Location', id: 'l', managingOrganization: { reference: '#o' } },
      ],
      ...ext({ valueReference: { reference: '#l' } }),
    },
  ],
  [
    'a contained resource that is referred to by a canonical',
    { contained: [organization()], ...ext({ valueCanonical: '#o' }) },
  ],
  [
    'a contained resource that nothing refers to',
    { contained: [organization()] },
    '/contained/0 contained-reference',
  ],
  [
    'a contained resource that only itself refers to',
    { contained: [organization({ partOf: { reference: '#o' } })] },
    '/contained/0 contained-reference',
  ],
  [
    'two elements of one id',
    { period: { id: 'x', start: '2020' }, contact: [{ system: 'sms', id: 'x' }] },
    '/contact/0/id element-id',
  ],
  [
    'an element and a primitive extension of one id',
    { _name: { id: 'x' }, name: 'a', period: { id: 'x', start: '2020' } },
    '/period/id element-id',
  ],
  [
    'an extension and the quantity in it of one id',
    { extension: [{ id: 'x', url: 'urn:x', valueQuantity: { id: 'x', value: 1 } }] },
    '/extension/0/valueQuantity/id element-id',
  ],
  [
    'two elements of a contained resource of one id',
    {
      contained: [
        organization({ identifier: [{ id: 'x', value: '1' }], alias: ['a'], _alias: [{ id: 'x' }] }),
      ],
      managingOrganization: { reference: '#o' },
    },
    '/contained/0/_alias/0/id element-id',
  ],
  [
    'elements of one id in the endpoint and in a contained resource, and resources of the ids of elements',
    {
      id: 'x',
      period: { id: 'x', start: '2020' },
      contact: [{ id: 'o', system: 'sms' }],
      contained: [organization({ identifier: [{ id: 'x', value: '1' }] })],
      managingOrganization: { reference: '#o' },
    },
  ],
  [
    'two contained resources of one id',
    { contained: [organization(), organization()], managingOrganization: { reference: '#o' } },
    '/contained/1/id contained-id',
  ],
  [
    'a contained resource without an id',
    { contained: [{ resourceType: 'Organization', name: 'x' }] },
    '/contained/0 required',
  ],
  [
    'a contained resource without a type',
    { contained: [{ id: 'o' }], managingOrganization: { reference: '#o' } },
    '/contained/0 required',
  ],
  [
    'a contained resource with a type in small letters',
    referred({ resourceType: 'organization' }),
    '/contained/0/resourceType format',
  ],
  ['a contained resource that is a string', { contained: ['x'] }, '/contained/0 type'],
  ['a contained resource with an empty object', referred({ contact: [{}] }), '/contained/0/contact/0 empty'],
  ['a contained resource with an empty string', referred({ name: '' }), '/contained/0/name empty'],
  ['a contained resource with null', referred({ name: null }), '/contained/0/name type'],
  [
    'a contained resource with an array in an array',
    referred({ alias: [['x']] }),
    '/contained/0/alias/0 type',
  ],
  ['a contained resource with arrays that line up', referred({ alias: ['a', null], _alias: [null, absent] })],
  [
    'a contained resource with arrays that do not line up',
    referred({ alias: ['a'], _alias: [null, absent] }),
    '/contained/0/_alias companion',
  ],
  [
    'a contained resource with an object for a string',
    referred({ name: { a: 1 } }),
    '/contained/0/name type',
  ],
  ['no contained resource in the array', { contained: [] }, '/contained empty'],
  // Warnings
  ['implicit rules', { implicitRules: 'urn:rules' }, '/implicitRules implicit-rules'],
  [
    'a modifier extension',
    { modifierExtension: [{ url: 'urn:m', valueBoolean: true }] },
    '/modifierExtension/0 modifier-extension',
  ],
];

const proto = JSON.parse(
  '{"resourceType":"Endpoint","status":"active","address":"urn:a","connectionType":{"code":"x"},"payloadType":[{"text":"x"}],"contained":[{"resourceType":"Organization","id":"o","name":"x","__proto__":{"x":1}}],"managingOrganization":{"reference":"#o"}}',
) as unknown;

/** Documents, valid and invalid, each invalid one with exactly one fault. */
export const documents: readonly Case[] = [
  ['every property there is', fullest],
  ['null', null, ' type'],
  ['a string', 'Endpoint', ' type'],
  ['an array', [smallest], ' type'],
  ['a number', 1, ' type'],
  [
    'an endpoint without payload types',
    { resourceType: 'Endpoint', status: 'active', connectionType: { code: 'x' }, address: 'urn:a' },
    ' required',
  ],
  ['__proto__ in a contained resource is no property', proto, '/contained/0/__proto__ unknown-property'],
  ...withs.map(([sentence, patch, ...problem]): Case => [sentence, merged(patch), ...problem]),
];

/** Undefined takes a property away; `__proto__` is put in as data. */
function merged(patch: object): object {
  const all = new Map<string, unknown>([...Object.entries(smallest), ...Object.entries(patch)]);
  const document: object = {};
  for (const [name, value] of all) {
    if (value !== undefined)
      Object.defineProperty(document, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return document;
}
