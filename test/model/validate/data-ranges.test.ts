import { describe, expect, test } from 'vitest';
import { readOntology } from '../../../src/model/ontology/read.js';
import { parseRdf } from '../../../src/rdf/parse.js';
import { namedNode, type Quad } from '../../../src/rdf/terms.js';
import { prefixes, sh } from '../../../src/rdf/vocabulary.js';
import { checkGraph } from '../../../src/model/validate/check-graph.js';
import { validateResource } from '../../../src/model/validate/resource.js';
import { shapeValidator } from '../../../src/model/validate/shapes/shacl.js';
import { deriveShapes, shapesText } from '../../../src/model/validate/shapes/derive-shapes.js';
import { tinyOntology } from '../ontology/tiny-ontology.js';

const facets = (datatype: string, stated: string): string =>
  `[ a rdfs:Datatype ; owl:onDatatype xsd:${datatype} ; owl:withRestrictions ( ${stated} ) ]`;
const only = (property: string, filler: string): string =>
  `[ a owl:Restriction ; owl:onProperty ${property} ; owl:allValuesFrom ${filler} ]`;

const ontology = readOntology(
  await parseRdf(
    `@prefix xsd: <${prefixes.xsd}> .${tinyOntology}
    sp:Shoe rdfs:subClassOf
      ${only('sp:length', only('sp:value', facets('decimal', '[ xsd:minInclusive 10 ] [ xsd:maxExclusive 40 ]')))} ,
      ${only('sp:worn', facets('date', '[ xsd:minInclusive "1900-01-01"^^xsd:date ]'))} ,
      ${only('sp:maker', facets('string', '[ xsd:minLength 2 ] [ xsd:maxLength 5 ]'))} ,
      ${only('sp:state', '[ a rdfs:Datatype ; owl:oneOf ( "new" "worn" 3 ) ]')} .
    sp:value a owl:DatatypeProperty . sp:worn a owl:DatatypeProperty . sp:maker a owl:DatatypeProperty .
    sp:state a owl:DatatypeProperty .`,
    { format: 'turtle' },
  ),
);
const root = namedNode('http://h/records/1/shoes/a');

function shoe({ length = '"24"', more = '' } = {}): Promise<Quad[]> {
  return parseRdf(
    `@prefix sp: <${prefixes.sp}> . @prefix spcode: <${prefixes.spcode}> . @prefix dcterms: <${prefixes.dcterms}> .
    @prefix xsd: <${prefixes.xsd}> .
    <${root.value}> a sp:Shoe ; sp:belongsTo <http://h/records/1> ; sp:startDate "2010-06" ; ${more}
      sp:size [ a sp:CodedValue ; dcterms:title "small one" ; sp:code <${prefixes.spcode}Size#small> ] ;
      sp:length [ a sp:ValueAndUnit ; sp:unit "cm" ; sp:value ${length} ] .
    <${prefixes.spcode}Size#small> a sp:Code , spcode:Size ; dcterms:title "small" ; dcterms:identifier "small" ;
      sp:system "${prefixes.spcode}Size#" .`,
    { format: 'turtle' },
  );
}

const lengthSays =
  'sp:value in sp:length of sp:Shoe must be a value of xsd:decimal, at least 10 and less than 40.';
const wornSays = 'sp:worn of sp:Shoe must be a value of xsd:date, at least 1900-01-01.';
const makerSays = 'sp:maker of sp:Shoe must be text, at least 2 characters and at most 5 characters.';
const stateSays = 'sp:state of sp:Shoe must be one of "new", "worn", "3".';

// prettier-ignore
/** [what is written, the sentence; none where it is right] */
const cases: readonly (readonly [written: { length?: string; more?: string }, says?: string])[] = [
  [{}], [{ length: '10' }], [{ length: '"10.0"' }], [{ length: '39.999' }], [{ length: '"12"^^xsd:int' }],
  [{ length: '9.9' }, lengthSays], [{ length: '40' }, lengthSays], [{ length: '"40.0"^^xsd:decimal' }, lengthSays],
  [{ length: '"long"' }, lengthSays], [{ length: '"9.99"' }, lengthSays], [{ length: '"40"' }, lengthSays], [{ length: '"-12"' }, lengthSays], [{ length: '12e0' }, lengthSays], [{ length: '"12"@en' }, lengthSays],
  [{ length: '"x"^^xsd:decimal' }, lengthSays], [{ length: '<urn:24>' }, lengthSays], [{ length: 'true' }, lengthSays],
  [{ more: 'sp:worn "2010-06-15" ;' }], [{ more: 'sp:worn "1900-01-01"^^xsd:date ;' }],
  [{ more: 'sp:worn "1899-12-31"^^xsd:date ;' }, wornSays], [{ more: 'sp:worn "2010" ;' }, wornSays],
  [{ more: 'sp:worn "2010-06-15T10:30:00Z"^^xsd:dateTime ;' }, wornSays],
  [{ more: 'sp:worn "-2010-06-15"^^xsd:date ;' }, wornSays], [{ more: 'sp:worn "12010-06-15" ;' }, wornSays],
  [{ length: '"39.99999999999999999999"' }], [{ length: '"9.99999999999999999999"^^xsd:decimal' }, lengthSays],
  [{ more: 'sp:maker "Aldo" ;' }], [{ more: 'sp:maker "A" ;' }, makerSays], [{ more: 'sp:maker "Aldous" ;' }, makerSays],
  [{ more: 'sp:maker 1234 ;' }, makerSays], [{ more: 'sp:maker "Aldo"@it ;' }, makerSays],
  [{ more: 'sp:state "new" ;' }], [{ more: 'sp:state "3" ;' }], [{ more: 'sp:state 3 ;' }],
  [{ more: 'sp:state "New" ;' }, stateSays], [{ more: 'sp:state 4 ;' }, stateSays], [{ more: 'sp:state "new"@en ;' }, stateSays],
];

describe('a value that its class bounds', () => {
  test.each(cases.map(([written, says]) => ({ written, says })))(
    '$written is judged alike by the container and by the shapes',
    async ({ written, says }) => {
      const quads = await shoe(written);
      const own = validateResource(ontology, root, quads);
      expect(own.map(({ rule, message }) => [rule, message])).toEqual(
        says === undefined ? [] : [['value', says]],
      );
      const shapes = shapeValidator(ontology)(quads);
      expect([...new Set(shapes.map(({ rule, message }) => `${rule} ${message}`))]).toEqual(
        says === undefined ? [] : [`shape-value ${says}`],
      );
      expect(checkGraph(ontology, root, quads).map(({ message }) => message)).toEqual(
        says === undefined ? [] : [says],
      );
    },
  );

  test('is told with the property and what is allowed, never with what was written', async () => {
    const quads = await shoe({ length: '"4711"', more: 'sp:maker "Nobody at all" ; sp:state "lost" ;' });
    const messages = validateResource(ontology, root, quads).map(({ message }) => message);
    expect(messages.sort()).toEqual([lengthSays, makerSays, stateSays].sort());
    expect(messages.join(' ')).not.toMatch(/4711|Nobody|lost/);
  });

  test('that is a node in place of a literal is told as one', async () => {
    const quads = await shoe({ more: 'sp:maker <urn:example:aldo> ;' });
    expect(validateResource(ontology, root, quads).map(({ message }) => message)).toEqual([
      'sp:maker of sp:Shoe must be a literal, it is a node.',
    ]);
    expect(shapeValidator(ontology)(quads).length).toBeGreaterThan(0);
  });
});

test('an IRI in the place of text is of no list of texts', async () => {
  const listed = readOntology(
    await parseRdf(
      `@prefix xsd: <${prefixes.xsd}> .${tinyOntology}
      sp:Shoe rdfs:subClassOf ${only('sp:site', 'xsd:anyURI')} ,
        ${only('sp:site', '[ a rdfs:Datatype ; owl:oneOf ( "http://a/" ) ]')} . sp:site a owl:DatatypeProperty . sp:value a owl:DatatypeProperty .`,
      { format: 'turtle' },
    ),
  );
  for (const [site, count] of [
    ['"http://a/"', 0],
    ['"http://b/"', 1],
    ['<http://a/>', 1],
    ['<http://b/>', 1],
  ] as const) {
    const quads = await shoe({ more: `sp:site ${site} ;` });
    expect(validateResource(listed, root, quads)).toHaveLength(count);
    expect(shapeValidator(listed)(quads)).toHaveLength(count);
  }
});

describe('the shapes of data ranges', () => {
  const text = shapesText(ontology);
  const block = (name: string): string =>
    text.split('\n\n').find((part) => part.startsWith(`shape:${name} `)) ?? '';

  test('use the words of SHACL for bounds, lengths and lists', () => {
    const bounds = block('sp-Shoe.sp-length.values');
    expect(bounds).toContain('sh:path ( sp:length sp:value )');
    expect(bounds).toContain(`sh:minInclusive "10"^^<${prefixes.xsd}decimal>`);
    expect(bounds).toContain(`sh:maxExclusive "40"^^<${prefixes.xsd}decimal>`);
    expect(block('sp-Shoe.sp-maker.values')).toMatch(/sh:minLength 2 ;\s+sh:maxLength 5/);
    expect(block('sp-Shoe.sp-state.values')).toMatch(/sh:in \( 3 "new" "worn" "3" \)/);
  });

  test('stand for nothing where no class has a data range', async () => {
    const plain = readOntology(await parseRdf(tinyOntology, { format: 'turtle' }));
    const terms: readonly string[] = [sh.minInclusive, sh.maxExclusive, sh.minLength, sh.maxLength];
    expect(deriveShapes(plain).filter(({ predicate }) => terms.includes(predicate.value))).toEqual([]);
    expect(shapesText(plain)).not.toContain('.values');
  });
});
