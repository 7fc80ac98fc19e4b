import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Graph } from '../../../src/model/ontology/graph.js';
import { termText } from '../../../src/rdf/term-key.js';
import { isA } from '../../../src/model/ontology/model.js';
import type { Ontology } from '../../../src/model/ontology/model.js';
import { readOntology } from '../../../src/model/ontology/read.js';
import { instants } from '../../../src/model/query/partial-date.js';
import { parseRdf } from '../../../src/rdf/parse.js';
import { blankNode, literal, namedNode, quad, type Quad, type Term } from '../../../src/rdf/terms.js';
import { prefixes, rdf, sp, xsd } from '../../../src/rdf/vocabulary.js';
import { checkGraph } from '../../../src/model/validate/check-graph.js';
import { isoDatePattern } from '../../../src/rdf/iso-date.js';
import { validateResource } from '../../../src/model/validate/resource.js';
import { shapeValidator } from '../../../src/model/validate/shapes/shacl.js';
import { tinyOntology } from '../ontology/tiny-ontology.js';
import { ontology as shipped } from '../../records/support.js';
import { runs } from '../../setup/runs.js';
import { seedResources, type Resource } from './seed-statements.js';

const datatypes = Object.values(xsd)
  .map((iri) => `[ a owl:Restriction ; owl:onProperty sp:value ; owl:allValuesFrom <${iri}> ]`)
  .map((restriction, index) => `sp:Typed${index} a owl:Class ; rdfs:subClassOf ${restriction} .`);
const tiny = readOntology(
  await parseRdf(`${tinyOntology}\nsp:value a owl:DatatypeProperty .\n${datatypes.join('\n')}`, {
    format: 'turtle',
  }),
);
/** What bounds the literals of the shoe below. */
const bounded = readOntology(
  await parseRdf(
    `@prefix xsd: <${prefixes.xsd}> .${tinyOntology}
    sp:Shoe rdfs:subClassOf
      [ a owl:Restriction ; owl:onProperty sp:length ; owl:allValuesFrom [ a owl:Restriction ; owl:onProperty sp:value ; owl:allValuesFrom
        [ a rdfs:Datatype ; owl:onDatatype xsd:decimal ; owl:withRestrictions ( [ xsd:minInclusive 10 ] [ xsd:maxExclusive 40 ] ) ] ] ] ,
      [ a owl:Restriction ; owl:onProperty sp:size ; owl:allValuesFrom [ a owl:Restriction ; owl:onProperty dcterms:title ; owl:allValuesFrom
        [ a rdfs:Datatype ; owl:onDatatype xsd:string ; owl:withRestrictions ( [ xsd:minLength 3 ] [ xsd:maxLength 9 ] ) ] ] ] ,
      [ a owl:Restriction ; owl:onProperty sp:sex ; owl:allValuesFrom [ a rdfs:Datatype ; owl:oneOf ( "male" 24 ) ] ] ,
      [ a owl:Restriction ; owl:onProperty sp:worn ; owl:allValuesFrom
        [ a rdfs:Datatype ; owl:onDatatype xsd:date ; owl:withRestrictions ( [ xsd:minInclusive "2000-01-01" ] ) ] ] .
    sp:value a owl:DatatypeProperty . sp:worn a owl:DatatypeProperty .`,
    { format: 'turtle' },
  ),
);
const seed = await seedResources();
const shoe = await parseRdf(
  `@prefix sp: <${prefixes.sp}> . @prefix spcode: <${prefixes.spcode}> . @prefix dcterms: <${prefixes.dcterms}> .
  <http://h/records/1/shoes/a> a sp:Shoe ; sp:belongsTo <http://h/records/1> ; sp:startDate "2010-06" ; sp:sex "male" ;
    sp:size [ a sp:CodedValue ; dcterms:title "small one" ; sp:code <${prefixes.spcode}Size#small> ] ;
    sp:length [ a sp:ValueAndUnit ; sp:unit "cm" ] .
  <${prefixes.spcode}Size#small> a sp:Code , spcode:Size ; dcterms:title "small" ; dcterms:identifier "small" ;
    sp:system "${prefixes.spcode}Size#" .`,
  { format: 'turtle' },
);

/** What is left of a graph when whatever the root does not lead to is cut off, as it is for each resource. */
function pruned(ontology: Ontology, { name, quads }: Resource): Quad[] {
  const graph = new Graph(quads);
  const alone = (key: string): boolean =>
    graph.iris(key, rdf.type).some((type) => type === sp.MedicalRecord || isA(ontology, type, sp.Statement));
  const reached = new Set([name]);
  for (const key of reached) {
    for (const [, objects] of graph.properties(key)) {
      for (const object of objects) {
        if (object.termType !== 'Literal' && !alone(termText(object))) reached.add(termText(object));
      }
    }
  }
  return quads.filter(({ subject }) => reached.has(termText(subject)));
}

/** One change at random: a quad left out, or given another object, predicate or subject of the same graph or beyond. */
type Edit = (quads: readonly Quad[]) => Quad[];

function edits(ontology: Ontology, more: readonly Term[] = []): fc.Arbitrary<Edit[]> {
  const strangers: Term[] = [
    ...more,
    literal('2010-02-29'),
    literal('cm'),
    literal('24', namedNode(xsd.integer)),
    literal('klein', 'de'),
    namedNode('urn:example:thing'),
    blankNode('nothing'),
    ...[...ontology.classes.keys()].map((iri) => namedNode(iri)),
    namedNode(`${prefixes.sp}Unicorn`),
  ];
  const properties = [...ontology.properties.keys(), rdf.type, rdf.first, `${prefixes.sp}wingspan`];
  const place = fc.nat(1000);
  const edit = fc
    .record({
      kind: fc.constantFrom('drop', 'object', 'property', 'add'),
      at: place,
      from: place,
      more: place,
    })
    .map(({ kind, at, from, more }): Edit => (quads) => {
      const chosen = quads[at % quads.length];
      if (!chosen) return [...quads];
      const others = [...strangers, ...quads.map(({ object }) => object)];
      const object = others[from % others.length] ?? chosen.object;
      const property = namedNode(properties[more % properties.length] ?? rdf.type);
      const rest = quads.filter((one) => one !== chosen);
      if (kind === 'drop') return rest;
      if (kind === 'object') return [...rest, quad(chosen.subject, chosen.predicate, object)];
      if (kind === 'property') return [...rest, quad(chosen.subject, property, chosen.object)];
      return [...quads, quad(chosen.subject, property, object)];
    });
  return fc.array(edit, { minLength: 1, maxLength: 3 });
}

function expectAgreement(ontology: Ontology, name: string, quads: readonly Quad[]): void {
  const own = validateResource(ontology, namedNode(name), quads);
  const results = shapeValidator(ontology)(quads);
  expect({ refused: results.length > 0, results }, JSON.stringify({ own, quads })).toMatchObject({
    refused: own.length > 0,
  });
}

describe('the shapes and the container', () => {
  test('agree on statements of the seed, however they are changed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...seed), edits(shipped), (resource, changes) => {
        const quads = changes.reduce<readonly Quad[]>((before, change) => change(before), resource.quads);
        const left = pruned(shipped, { ...resource, quads });
        // Of nothing, shapes have nothing to say.
        fc.pre(left.length > 0);
        expectAgreement(shipped, resource.name, left);
      }),
      { numRuns: runs(800), seed: 5 },
    );
  });

  test('agree on an ontology with choices and datatypes', () => {
    const name = 'http://h/records/1/shoes/a';
    fc.assert(
      fc.property(edits(tiny), (changes) => {
        const quads = changes.reduce<readonly Quad[]>((before, change) => change(before), shoe);
        const left = pruned(tiny, { name, quads });
        fc.pre(left.length > 0);
        expectAgreement(tiny, name, left);
      }),
      { numRuns: runs(800), seed: 5 },
    );
  });

  test('agree on an ontology with data ranges', async () => {
    const name = 'http://h/records/1/shoes/a';
    const typed = (text: string, datatype: string): Term => literal(text, namedNode(datatype));
    const values = [
      ...['9.9', '10', '39.999', '40', '-12', 'long'].map((text) => typed(text, xsd.decimal)),
      ...['12', '400', '1e1'].map((text) => typed(text, xsd.int)),
      typed('12', xsd.double),
      ...['1999-12-31', '2000-01-01', '2024-02-29', '2024'].map((text) => typed(text, xsd.date)),
      ...[
        '12',
        '12.5',
        '9.99',
        '40.0',
        '039.9',
        '-12',
        '400',
        '2010-06-15',
        'ab',
        'abc',
        'a text that is long',
        '',
      ].map((text) => literal(text)),
    ];
    const worn = await parseRdf(
      `@prefix sp: <${prefixes.sp}> . <${name}> sp:worn "2010-06-15" ; sp:length [ a sp:ValueAndUnit ; sp:unit "cm" ; sp:value "24" ] .`,
      { format: 'turtle' },
    );
    const good = [...shoe, ...worn];
    expect(validateResource(bounded, namedNode(name), good)).toEqual([]);
    let refused = 0;
    fc.assert(
      fc.property(edits(bounded, values), (changes) => {
        const quads = changes.reduce<readonly Quad[]>((before, change) => change(before), good);
        const left = pruned(bounded, { name, quads });
        fc.pre(left.length > 0);
        if (validateResource(bounded, namedNode(name), left).some(({ rule }) => rule === 'value')) refused++;
        expectAgreement(bounded, name, left);
      }),
      { numRuns: runs(800), seed: 5 },
    );
    expect(refused).toBeGreaterThan(runs(800) / 40);
  });

  test('agree on literals of every datatype of the vocabulary', () => {
    const texts = [
      '1',
      '-1',
      '+01',
      '1.5',
      '.5',
      '1e3',
      'true',
      'INF',
      '2010',
      '2010-06',
      '2010-06-01',
      '14:30:00Z',
      'x',
      '',
    ];
    for (const [index, wanted] of Object.values(xsd).entries()) {
      for (const text of texts) {
        for (const stated of [wanted, xsd.string]) {
          const root = namedNode('http://h/typed');
          expectAgreement(tiny, root.value, [
            quad(root, namedNode(rdf.type), namedNode(`${prefixes.sp}Typed${index}`)),
            quad(root, namedNode(`${prefixes.sp}value`), literal(text, namedNode(stated))),
          ]);
        }
      }
    }
  });

  test('read the same texts as dates', () => {
    const pattern = new RegExp(isoDatePattern);
    const digits = (count: number): fc.Arbitrary<string> =>
      fc.nat(10 ** count - 1).map((number) => String(number).padStart(count, '0'));
    const near = fc
      .tuple(
        digits(4),
        fc.nat(13),
        fc.nat(32),
        fc.nat(25),
        fc.nat(61),
        fc.constantFrom('', 'Z', '+14', '-1401', '+05:30'),
      )
      .map(([year, ...parts]) => {
        const [month, day, hour, minute, zone] = parts.map((part) => String(part).padStart(2, '0'));
        return `${year}-${month}-${day}T${hour}:${minute}${zone === '00' ? '' : zone}`;
      });
    const cut = fc.tuple(near, fc.nat(24)).map(([text, length]) => text.slice(0, length));
    fc.assert(
      fc.property(cut, (text) => {
        expect(pattern.test(text), text).toBe(instants(text) !== undefined);
      }),
      {
        numRuns: runs(20_000),
        seed: 5,
        examples: [['2000-02-29'], ['1900-02-29'], ['2024-02-29'], ['2023-02-29']],
      },
    );
  });
});

describe('what shapes cannot say', () => {
  const root = namedNode('http://h/records/1/shoes/a');
  const changed = (property: string, object: Term): Quad[] => [
    ...shoe.filter(({ subject, predicate }) => !(subject.equals(root) && predicate.value === property)),
    quad(root, namedNode(property), object),
  ];

  test.each([
    [
      'a time whose offset leads out of the years that are compared',
      sp.startDate,
      literal('9999-12-31T23:59-01:00'),
    ],
    ['the end of a list in place of another resource', sp.belongsTo, namedNode(rdf.nil)],
    ['nothing', sp.startDate, undefined],
  ])('is found all the same: %s', (_, property, object) => {
    const quads = object ? changed(property, object) : [];
    expect(shapeValidator(tiny)(quads)).toEqual([]);
    expect(checkGraph(tiny, root, quads)).toHaveLength(1);
  });

  test('is found all the same: plain text beyond the bounds of its datatype', () => {
    const quads = changed(`${prefixes.sp}worn`, literal('1999-12-31'));
    expect(shapeValidator(bounded)(quads)).toEqual([]);
    expect(checkGraph(bounded, root, quads)).toHaveLength(1);
  });
});
