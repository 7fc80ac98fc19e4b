import { describe, expect, test } from 'vitest';
import { readOntology } from '../../../src/model/ontology/read.js';
import { parseRdf } from '../../../src/rdf/parse.js';
import { namedNode } from '../../../src/rdf/terms.js';
import { validateResource } from '../../../src/model/validate/resource.js';
import { tinyOntology } from '../ontology/tiny-ontology.js';

const ontology = readOntology(await parseRdf(tinyOntology, { format: 'turtle' }));
const root = namedNode('http://h/records/1/shoes/a');
const good = `
@prefix sp: <http://smartplatforms.org/terms#> .
@prefix spcode: <http://smartplatforms.org/terms/codes/> .
@prefix size: <http://smartplatforms.org/terms/codes/Size#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
<http://h/records/1/shoes/a> a sp:Shoe ; sp:belongsTo <http://h/records/1> ; sp:startDate "2010-06" ;
  sp:size [ a sp:CodedValue ; dcterms:title "small one" ; sp:code size:small ] ;
  sp:length [ a sp:ValueAndUnit ; sp:unit "cm" ] .
size:small a sp:Code , spcode:Size ; dcterms:title "small" ; dcterms:identifier "small" ;
  sp:system "http://smartplatforms.org/terms/codes/Size#" .
`;

async function violations(turtle: string): Promise<string[]> {
  const found = validateResource(ontology, root, await parseRdf(turtle, { format: 'turtle' }));
  return found.map(({ rule, message }) => `${rule}: ${message}`);
}

describe('a resource', () => {
  test('that follows the ontology has no violations', async () => {
    expect(await violations(good)).toEqual([]);
  });

  test.each([
    [
      'a missing value',
      'sp:startDate "2010-06" ;',
      '',
      ['cardinality: sp:Shoe must have exactly 1 of sp:startDate, it has 0.'],
    ],
    [
      'a repeated value',
      '"2010-06"',
      '"2010-06" , "2011"',
      ['cardinality: sp:Shoe must have exactly 1 of sp:startDate, it has 2.'],
    ],
    [
      'too many values',
      'sp:unit "cm" ]',
      'sp:unit "cm" ] , [ a sp:ValueAndUnit ] , [ a sp:ValueAndUnit ]',
      ['cardinality: sp:Shoe must have at most 2 of sp:length, it has 3.'],
    ],
    [
      'a missing value inside',
      'dcterms:title "small one" ;',
      '',
      ['cardinality: sp:CodedValue must have exactly 1 of dcterms:title, it has 0.'],
    ],
    [
      'a node of another class',
      '[ a sp:ValueAndUnit ;',
      '[ a sp:Component ;',
      ['range: sp:length of sp:Shoe must be a sp:ValueAndUnit, it has another class.'],
    ],
    [
      'a node without a class',
      '[ a sp:ValueAndUnit ;',
      '[',
      [
        'range: sp:length of sp:Shoe must be a sp:ValueAndUnit, it states no class.',
        'unknown-class: A node states no class.',
      ],
    ],
    [
      'a bare IRI for an embedded node',
      '[ a sp:ValueAndUnit ; sp:unit "cm" ]',
      '<urn:elsewhere>',
      ['range: sp:length of sp:Shoe must be a sp:ValueAndUnit, it states no class.'],
    ],
    [
      'a literal for a node',
      '[ a sp:ValueAndUnit ; sp:unit "cm" ]',
      '"27 cm"',
      ['range: sp:length of sp:Shoe must be a sp:ValueAndUnit, it is a literal.'],
    ],
    [
      'a node for a literal',
      '"2010-06"',
      '<urn:x>',
      ['literal: sp:startDate of sp:Shoe must be a literal, it is a node.'],
    ],
    [
      'another unit',
      'sp:unit "cm"',
      'sp:unit "inch"',
      ['unit: sp:unit in sp:length of sp:Shoe must be "cm", it is another value.'],
    ],
    [
      'a date that is none',
      '"2010-06"',
      '"June 2010"',
      ['date: sp:startDate of sp:Shoe is not an ISO 8601 date.'],
    ],
    [
      'a code of another class',
      'a sp:Code , spcode:Size',
      'a sp:Code',
      ['code: The code in sp:size of sp:Shoe must be typed spcode:Size.'],
    ],
    [
      'a code that is no member',
      /size:small/g,
      'size:tiny',
      ['code: A code typed spcode:Size is not one of its members.'],
    ],
    [
      'another title',
      '"small" ; dcterms:id',
      '"tiny" ; dcterms:id',
      ['code: dcterms:title of an enumerated code differs from the ontology.'],
    ],
    [
      'another identifier',
      'identifier "small"',
      'identifier "Small"',
      ['code: dcterms:identifier of an enumerated code differs from the ontology.'],
    ],
    [
      'another system',
      'sp:system "http',
      'sp:system "https',
      ['code: sp:system of an enumerated code differs from the ontology.'],
    ],
    [
      'an unknown class',
      'a sp:Shoe',
      'a sp:Shoe , sp:Boot',
      ['unknown-class: A node has a class that the ontology does not declare.'],
    ],
    [
      'an unknown property',
      'a sp:Shoe',
      'a sp:Shoe ; sp:colour "red"',
      ['unknown-property: sp:Shoe has the property sp:colour, which the ontology does not declare.'],
    ],
    [
      'a value outside the choices',
      'a sp:Shoe',
      'a sp:Shoe ; sp:sex "m"',
      ['literal: sp:sex of sp:Shoe must be one of female, male.'],
    ],
  ])('with %s breaks that rule alone', async (_, text, instead, expected) => {
    expect(await violations(good.replace(text, instead))).toEqual(expected);
  });

  test('may name another resource without describing it', async () => {
    expect(await violations(good.replace('<http://h/records/1> ;', '<http://h/records/2> ;'))).toEqual([]);
  });

  test('is validated alone: a neighbour in the same graph is not its business', async () => {
    const neighbour =
      '<http://h/records/1/shoes/b> a sp:Shoe . <http://h/records/1/shoes/a> sp:size <http://h/records/1/shoes/b> .';
    const found = await violations(good.replace('sp:size [', 'dcterms:title [') + neighbour);
    expect(found.filter((message) => message.includes('startDate'))).toEqual([]);
  });

  test('with nodes in a circle is validated once', async () => {
    const circle = 'size:small sp:code _:a . _:a a sp:CodedValue ; dcterms:title "x" ; sp:code size:small .';
    expect(await violations(good + circle)).toEqual([]);
  });

  test('never shows a recorded value in a message, but has it as value', async () => {
    const quads = await parseRdf(good.replace('"2010-06"', '"a secret"'), { format: 'turtle' });
    const [violation] = validateResource(ontology, root, quads);
    expect(violation?.message).not.toContain('secret');
    expect(violation).toMatchObject({ rule: 'date', node: root.value, value: 'a secret' });
  });

  test('of thousands takes a second or two', async () => {
    const quads = await parseRdf(good, { format: 'turtle' });
    const start = process.cpuUsage();
    for (let count = 0; count < 8000; count++) validateResource(ontology, root, quads);
    // Other processes do not count.
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(5000);
  });
});
