/** The smallest endpoint that is valid by FHIR R4, which asks for status and address. */
export const smallest = {
  resourceType: 'Endpoint',
  status: 'active',
  connectionType: { code: 'hl7-fhir-rest' },
  payloadType: [{ text: 'anything' }],
  address: 'https://fhir.example',
};

const absent = { url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' };

/** An endpoint with every property of the resource, companions included. */
export const fullest = {
  resourceType: 'Endpoint',
  id: 'e-1',
  _id: { extension: [absent] },
  meta: {
    versionId: '7',
    lastUpdated: '2024-02-29T10:00:00.250+02:00',
    source: 'urn:uuid:53fefa32-fcbb-4ff8-8a92-55ee120877b7',
    profile: ['http://profiles.example/Endpoint|1.0', null],
    _profile: [null, { extension: [absent] }],
    security: [{ system: 'urn:s', code: 'R' }],
    tag: [{ display: 'tested', userSelected: true }],
  },
  _implicitRules: { extension: [absent] },
  language: 'en-GB',
  _language: { id: 'l1' },
  text: {
    status: 'generated',
    _status: { id: 's' },
    div: '<div xmlns="http://www.w3.org/1999/xhtml"><p class="x">Our <b>endpoint</b><br/></p></div>',
  },
  contained: [
    {
      resourceType: 'Organization',
      id: 'org',
      active: true,
      name: 'Ward 7',
      _name: { id: 'n' },
      alias: ['W7', null],
      _alias: [null, { extension: [absent] }],
      address: [{ line: ['Main Road 1'], city: 'Town' }],
    },
  ],
  extension: [
    { url: 'urn:x:decimal', valueDecimal: 1.5 },
    {
      url: 'urn:x:parts',
      extension: [
        { url: 'one', valueInteger: 1 },
        { url: 'two', _valueUri: { id: 'u' }, valueUri: 'urn:y' },
      ],
    },
    { url: 'urn:x:quantity', valueQuantity: { value: 3, unit: 'mg' } },
  ],
  identifier: [
    {
      use: 'official',
      type: { coding: [{ system: 'urn:t', code: 'ID' }], text: 'id' },
      system: 'urn:ietf:rfc:3986',
      value: 'urn:oid:1.2.3',
      period: { start: '2020' },
      assigner: { reference: '#org', display: 'Ward 7' },
    },
  ],
  status: 'entered-in-error',
  _status: { id: 'st' },
  connectionType: {
    system: 'http://terminology.hl7.org/CodeSystem/endpoint-connection-type',
    version: '1',
    code: 'hl7-fhir-rest',
    display: 'REST',
  },
  name: 'Ward server',
  _name: { extension: [absent] },
  managingOrganization: { reference: 'Organization/1', type: 'Organization', identifier: { value: '1' } },
  contact: [{ system: 'phone', value: '+1 555', use: 'work', rank: 1, period: { end: '2030-01' } }],
  period: { start: '2020-01-01', end: '2030-12-31T23:59:59Z' },
  payloadType: [{ coding: [{ code: 'any' }] }, { text: 'more' }],
  payloadMimeType: ['application/fhir+json', null],
  _payloadMimeType: [{ id: 'm' }, { extension: [absent] }],
  address: 'https://fhir.example/r4',
  _address: { id: 'a' },
  header: ['Authorization: none', 'X: y'],
  _header: [null, { id: 'h' }],
};
