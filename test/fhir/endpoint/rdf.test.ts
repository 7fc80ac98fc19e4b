import fc from 'fast-check';
import { isomorphic } from 'rdf-isomorphic';
import { describe, expect, test } from 'vitest';
import {
  endpointFromRdf,
  endpointToRdf,
  readEndpoint,
  validateEndpoint,
  type Endpoint,
} from '../../../src/fhir/endpoint/endpoint.js';
import { numberText } from '../../../src/fhir/endpoint/reading/write-json.js';
import { parseRdf } from '../../../src/rdf/parse.js';
import { writeRdf } from '../../../src/rdf/write.js';
import { runs } from '../../setup/runs.js';
import { fullest, smallest } from './example.js';
import { diceOf, endpointOf } from './generated.js';

/** A value with each number as the text in which it was read. */
function withTexts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [
    key,
    typeof member === 'number' ? { number: numberText(value, key, member) } : withTexts(member),
  ]);
  return Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries);
}

const backAndForth = (endpoint: unknown): unknown => endpointFromRdf(endpointToRdf(endpoint as Endpoint));
const prefix = '@prefix fhir: <http://hl7.org/fhir/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n';
const parse = (turtle: string) => parseRdf(prefix + turtle, { format: 'turtle' });

/** JSON text in which numbers are written as programs in other languages write them. */
function written(endpoint: object): string {
  return JSON.stringify(endpoint)
    .replaceAll(/(?<=:|\[|,)(-?\d+\.\d+)(?=[,\]}])/gu, '$100')
    .replaceAll('e+21', 'e21');
}

describe('the RDF form of an endpoint', () => {
  test('keeps everything, the texts of numbers included', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const { value, problems } = readEndpoint(written(endpointOf(diceOf(seed))));
        expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(withTexts(backAndForth(value))).toEqual(withTexts(value));
      }),
      { numRuns: runs(2_000) },
    );
  });

  test.each(['turtle', 'nquads', 'rdfxml'] as const)(
    'keeps everything when it is written as %s',
    async (format) => {
      for (let seed = 0; seed < 40; seed++) {
        const endpoint = endpointOf(diceOf(seed));
        const quads = endpointToRdf(endpoint as unknown as Endpoint);
        const text = await writeRdf(quads, format).catch((error: unknown) => {
          // RDF/XML has no predicates that are no XML names; those of contained resources may be.
          if (format === 'rdfxml') return undefined;
          throw error;
        });
        if (text === undefined) continue;
        const read = await parseRdf(text, { format });
        expect(isomorphic(read, quads)).toBe(true);
        expect(endpointFromRdf(read)).toEqual(endpoint);
      }
    },
  );

  test('the examples come back from RDF as they were', () => {
    expect(backAndForth(fullest)).toEqual(fullest);
    expect(backAndForth(smallest)).toEqual(smallest);
  });

  test('is what FHIR R4 writes', async () => {
    const endpoint = {
      resourceType: 'Endpoint',
      id: 'e1',
      meta: { lastUpdated: '2020-01-01T10:00:00Z' },
      text: { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">x</div>' },
      contained: [{ resourceType: 'Organization', id: 'o', active: true, name: 'W', telecom: [{ rank: 1 }] }],
      extension: [{ url: 'urn:x', valueDecimal: 1.5 }],
      status: 'active',
      _status: { id: 's' },
      connectionType: { system: 'urn:s', code: 'c' },
      managingOrganization: { reference: '#o' },
      identifier: [
        {
          assigner: { reference: 'https://x.example/Organization/1' },
          period: { start: '2020', end: '2021-02' },
        },
      ],
      payloadType: [{ text: 'a' }, { text: 'b' }],
      _header: [{ extension: [{ url: 'urn:y', valueBoolean: false }] }],
    };
    const expected = await parse(`<urn:chartgraph:endpoint:e1> a fhir:Endpoint ; fhir:nodeRole fhir:treeRoot ;
      fhir:Resource.id [ fhir:value "e1" ] ;
      fhir:Resource.meta [ fhir:Meta.lastUpdated [ fhir:value "2020-01-01T10:00:00Z"^^xsd:dateTime ] ] ;
      fhir:DomainResource.text [
        fhir:Narrative.status [ fhir:value "generated" ] ;
        fhir:Narrative.div "<div xmlns=\\"http://www.w3.org/1999/xhtml\\">x</div>" ] ;
      fhir:DomainResource.contained _:o ;
      fhir:DomainResource.extension [ fhir:index 0 ; fhir:Extension.url [ fhir:value "urn:x" ] ; fhir:Extension.valueDecimal [ fhir:value 1.5 ] ] ;
      fhir:Endpoint.status [ fhir:value "active" ; fhir:Element.id [ fhir:value "s" ] ] ;
      fhir:Endpoint.connectionType [ fhir:Coding.system [ fhir:value "urn:s" ] ; fhir:Coding.code [ fhir:value "c" ] ] ;
      fhir:Endpoint.managingOrganization [ fhir:link _:o ; fhir:Reference.reference [ fhir:value "#o" ] ] ;
      fhir:Endpoint.identifier [ fhir:index 0 ;
        fhir:Identifier.assigner [ fhir:link <https://x.example/Organization/1> ; fhir:Reference.reference [ fhir:value "https://x.example/Organization/1" ] ] ;
        fhir:Identifier.period [ fhir:Period.start [ fhir:value "2020"^^xsd:gYear ] ; fhir:Period.end [ fhir:value "2021-02"^^xsd:gYearMonth ] ] ] ;
      fhir:Endpoint.payloadType [ fhir:index 0 ; fhir:CodeableConcept.text [ fhir:value "a" ] ], [ fhir:index 1 ; fhir:CodeableConcept.text [ fhir:value "b" ] ] ;
      fhir:Endpoint.header [ fhir:index 0 ; fhir:Element.extension [ fhir:index 0 ; fhir:Extension.url [ fhir:value "urn:y" ] ; fhir:Extension.valueBoolean [ fhir:value false ] ] ] .
      _:o a fhir:Organization ; fhir:index 0 ; fhir:Resource.id [ fhir:value "o" ] ; fhir:Organization.active [ fhir:value true ] ; fhir:Organization.name [ fhir:value "W" ] ;
        fhir:Organization.telecom [ fhir:index 0 ; fhir:Organization.telecom.rank [ fhir:value 1 ] ] .`);
    expect(isomorphic(endpointToRdf(endpoint as unknown as Endpoint), expected)).toBe(true);
  });

  test('says of an array that companions alone fill what arrays of one length say', () => {
    const companion = { extension: [{ url: 'urn:y', valueBoolean: false }] };
    expect(backAndForth({ ...smallest, _header: [companion] })).toEqual({
      ...smallest,
      header: [null],
      _header: [companion],
    });
  });

  test('is about a blank node when the endpoint has no id', () => {
    const roots = endpointToRdf(smallest as unknown as Endpoint).filter(({ predicate }) =>
      predicate.value.endsWith('nodeRole'),
    );
    expect(roots.map(({ subject }) => subject.termType)).toEqual(['BlankNode']);
  });

  test('is refused for an endpoint with an error, and written for one with a warning', () => {
    const invalid = { ...smallest, status: 'x' } as unknown as Endpoint;
    expect(() => endpointToRdf(invalid)).toThrow(/no valid endpoint: \/status/u);
    const warned = { ...smallest, implicitRules: 'urn:r' };
    expect(validateEndpoint(warned)).toHaveLength(1);
    expect(backAndForth(warned)).toEqual(warned);
  });
});

describe('a graph', () => {
  const root = '<urn:e> a fhir:Endpoint ; fhir:nodeRole fhir:treeRoot';
  const rest = 'fhir:Endpoint.connectionType [ fhir:Coding.code [ fhir:value "c" ] ]';
  const type = 'fhir:Endpoint.payloadType [ fhir:index 0 ; fhir:CodeableConcept.text [ fhir:value "a" ] ]';

  test('as others write it is read: without an index for one, with types of concepts, with XHTML in a node', async () => {
    const quads =
      await parse(`${root} ; ${rest.replace('[', '[ a <urn:concept> ;')} ; ${type.replace('fhir:index 0 ;', '')} ;
      fhir:DomainResource.text [ fhir:Narrative.status [ fhir:value "generated" ] ; fhir:Narrative.div [ fhir:value "<div xmlns='http://www.w3.org/1999/xhtml'>x</div>" ] ] .
      <urn:e.ttl> a <http://www.w3.org/2002/07/owl#Ontology> .`);
    expect(endpointFromRdf(quads)).toMatchObject({
      connectionType: { code: 'c' },
      payloadType: [{ text: 'a' }],
    });
  });

  test.each([
    ['no root', '<urn:e> a fhir:Endpoint .', /0 roots/u],
    ['two roots', `${root} . <urn:f> fhir:nodeRole fhir:treeRoot .`, /2 roots/u],
    ['another resource', '<urn:e> a fhir:Patient ; fhir:nodeRole fhir:treeRoot .', /no fhir:Endpoint/u],
    ['an unknown property', `${root} ; fhir:Endpoint.colour [ fhir:value "red" ] .`, /colour/u],
    ['a property of another vocabulary', `${root} ; <urn:p> "x" .`, /<urn:p> is no property/u],
    ['a value outside a node', `${root} ; fhir:Endpoint.name "x" .`, /node of its own/u],
    [
      'two values',
      `${root} ; fhir:Endpoint.name [ fhir:value "x" ], [ fhir:value "y" ] .`,
      /several values/u,
    ],
    ['two values in one node', `${root} ; fhir:Endpoint.name [ fhir:value "x", "y" ] .`, /several values/u],
    [
      'a gap in the index',
      `${root} ; fhir:Endpoint.header [ fhir:index 0 ; fhir:value "x" ], [ fhir:index 2 ; fhir:value "y" ] .`,
      /counted/u,
    ],
    [
      'an index that stands twice',
      `${root} ; fhir:Endpoint.header [ fhir:index 0 ; fhir:value "x" ], [ fhir:index 0 ; fhir:value "y" ] .`,
      /counted/u,
    ],
    [
      'a boolean that is none',
      `${root} ; fhir:Endpoint.connectionType [ fhir:Coding.userSelected [ fhir:value "yes" ] ] .`,
      /boolean/u,
    ],
    [
      'a number that is none of JSON',
      `${root} ; fhir:DomainResource.extension [ fhir:index 0 ; fhir:Extension.valueDecimal [ fhir:value "+1"^^xsd:decimal ] ] .`,
      /number of JSON/u,
    ],
    [
      'a node that holds itself',
      `${root} ; fhir:DomainResource.extension _:x . _:x fhir:index 0 ; fhir:Element.extension _:x .`,
      /two places/u,
    ],
    [
      '__proto__',
      `${root} ; fhir:DomainResource.contained [ a fhir:X ; fhir:index 0 ; fhir:X.__proto__ [ fhir:value "x" ] ] .`,
      /__proto__/u,
    ],
    ['an endpoint with an error', `${root} ; ${rest} .`, /payloadType/u],
  ])('with %s is refused', async (_fault, turtle, message) => {
    const quads = await parse(turtle);
    expect(() => endpointFromRdf(quads)).toThrow(message);
  });
});
