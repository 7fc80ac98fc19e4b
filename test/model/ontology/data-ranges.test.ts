import { describe, expect, test } from 'vitest';
import {
  allows,
  areEmpty,
  listedValues,
  rangeInWords,
} from '../../../src/model/ontology/allowed-literals.js';
import { checkOntology } from '../../../src/model/check/check.js';
import type { DataRange } from '../../../src/model/ontology/model.js';
import { readOntology } from '../../../src/model/ontology/read.js';
import { parseRdf } from '../../../src/rdf/parse.js';
import type { Literal, Quad } from '../../../src/rdf/terms.js';
import { prefixes, sp } from '../../../src/rdf/vocabulary.js';
import { tinyOntology } from './tiny-ontology.js';

const boot = `${prefixes.sp}Boot`;
const price = `${prefixes.sp}price`;

/** The tiny ontology with boots, whose price is restricted to what is given. */
function boots(filler: string, more = ''): Promise<Quad[]> {
  return parseRdf(
    `@prefix xsd: <${prefixes.xsd}> .${tinyOntology}
    sp:price a owl:DatatypeProperty ; cg:identifying "none" .
    sp:Boot a owl:Class ; rdfs:subClassOf sp:Shoe , [ a owl:Restriction ; owl:onProperty sp:price ; ${filler} ] .
    ${more}`,
    { format: 'turtle' },
  );
}

const errorsOf = (quads: readonly Quad[]) =>
  checkOntology(readOntology(quads), quads).filter(({ severity }) => severity === 'error');

async function rangesOf(filler: string, more?: string): Promise<readonly DataRange[]> {
  return (
    readOntology(await boots(filler, more))
      .classes.get(boot)
      ?.rules.get(price)?.ranges ?? []
  );
}

const only = (range: string): string => `owl:allValuesFrom ${range}`;
const facets = (datatype: string, ...stated: string[]): string =>
  `[ a rdfs:Datatype ; owl:onDatatype xsd:${datatype} ; owl:withRestrictions ( ${stated.map((each) => `[ ${each} ]`).join(' ')} ) ]`;

async function literalOf(turtle: string): Promise<Literal> {
  const [quad] = await parseRdf(`@prefix xsd: <${prefixes.xsd}> . <urn:a> <urn:b> ${turtle} .`, {
    format: 'turtle',
  });
  return quad?.object as Literal;
}

// prettier-ignore
/** [the data range, literals that it holds, literals that it does not hold] */
const table: readonly (readonly [range: string, held: readonly string[], others: readonly string[]])[] = [
  [facets('decimal', 'xsd:minInclusive 25', 'xsd:maxInclusive 45.5'),
    ['25', '"25"', '37.2', '"37.2"', '"+045.50"', '"30"^^xsd:int', '"30"^^xsd:nonNegativeInteger'],
    ['24.9', '"45.6"', '"-30"', '"warm"', '""', '"3.7e1"', '37.0e0', '"37"@en', '"37 "', 'true']],
  [facets('decimal', 'xsd:minExclusive 0', 'xsd:maxExclusive 1'), ['0.1', '".5"', '"0.999"'], ['0', '"1.0"', '-0.1']],
  [facets('integer', 'xsd:minInclusive -3'), ['-3', '"99999999999999999999"', '"7"^^xsd:long', '"9"^^xsd:decimal'], ['-4', '1.0', '"1.5"', '"9"^^xsd:double', '"9999999999"^^xsd:int']],
  [facets('decimal', 'xsd:minExclusive -0.10', 'xsd:maxInclusive 9007199254740992'),
    ['9007199254740992', '"+09007199254740992.000"', '-0', '"-0.0"', '"-.0999999999999999999999"', '"-0.09"'],
    ['9007199254740993', '"9007199254740992.0000000000000001"', '-0.1', '"-.1"', '"-00.10000000000000000000001"', '"-9007199254740993"']],
  [facets('decimal', 'xsd:maxInclusive 0'), ['0.0', '-0', '"-00.5"'], ['"0.0000000000000000000000001"']],
  [facets('nonNegativeInteger', 'xsd:maxInclusive 10'), ['"0"', '"10"^^xsd:nonNegativeInteger', '7'], ['"-1"', '11', '-7']],
  [facets('double', 'xsd:maxInclusive "1e3"'), ['1e3', '"1e3"', '"12"^^xsd:double'], ['1.1e3', '"NaN"', '"-INF"', '12']],
  [facets('date', 'xsd:minInclusive "1900-01-01"', 'xsd:maxExclusive "2100-01-01"^^xsd:date'),
    ['"1900-01-01"', '"2024-02-29"^^xsd:date'], ['"1899-12-31"', '"2100-01-01"^^xsd:date', '"2010"', '"2010-06-15T10:30:00Z"']],
  [facets('date', 'xsd:minInclusive "1900-01-01"'),
    ['"2010-06-15Z"', '"2010-06-15+05:00"^^xsd:date', '"1900-01-01-05:00"'], ['"-0044-03-15"^^xsd:date', '"12000-01-01"', '"1900-01-01+05:00"']],
  [facets('dateTime', 'xsd:minInclusive "2000-01-01T00:00:00Z"'),
    ['"2000-01-01T00:00:00Z"', '"2000-01-01T01:00:00+01:00"^^xsd:dateTime'], ['"1999-12-31T23:59:59Z"', '"2000-01-01T00:30:00+01:00"', '"2010-01-01T00:00:00"']],
  [facets('dateTime', 'xsd:minInclusive "2000-01-01T00:00:00"'), ['"2000-01-01T00:00:00"'], ['"2010-01-01T00:00:00Z"', '"1999-12-31T23:59:59"']],
  [facets('string', 'xsd:minLength 2', 'xsd:maxLength 3'), ['"ab"', '"abc"', '"👟👟👟"'], ['"a"', '"abcd"', '12', '"ab"@en', '"👟"']],
  [facets('string', 'xsd:length 5'), ['"02139"'], ['"0213"', '"021390"']],
  ['[ a rdfs:Datatype ; owl:oneOf ( "new" "old" ) ]', ['"new"', '"old"'], ['"New"', '"new"@en', '""', '1']],
  ['[ a rdfs:Datatype ; owl:oneOf ( 1 2 ) ]', ['1', '"2"'], ['3', '"3"', '"01"', '"1"^^xsd:decimal']],
];

describe('a data range', () => {
  test.each(table)(
    '%s holds its values, typed or as plain text, and no others',
    async (range, held, others) => {
      const [read, ...more] = await rangesOf(only(range));
      expect(more).toEqual([]);
      if (!read) throw new Error('no range was read');
      for (const [texts, expected] of [
        [held, true],
        [others, false],
      ] as const) {
        for (const text of texts)
          expect([text, allows(read, await literalOf(text))]).toEqual([text, expected]);
      }
    },
  );

  test('makes its property one with literals, and leaves the datatype itself to whoever names it alone', async () => {
    const { classes } = readOntology(await boots(only(facets('integer', 'xsd:minInclusive 1'))));
    expect(classes.get(boot)?.rules.get(price)).toMatchObject({ literal: true, classes: [] });
    expect(classes.get(boot)?.rules.get(price)).not.toHaveProperty('datatype');
    expect(await rangesOf(only('xsd:integer'))).toEqual([]);
  });

  test('stands beside a qualified cardinality, in an intersection, and behind the name of a datatype', async () => {
    const low = facets('decimal', 'xsd:minInclusive 1');
    const high = facets('decimal', 'xsd:maxInclusive 9');
    const words = async (...given: Parameters<typeof rangesOf>) =>
      (await rangesOf(...given)).map(rangeInWords);
    const [least, most] = ['a value of xsd:decimal, at least 1', 'a value of xsd:decimal, at most 9'];
    expect(await words(`owl:maxQualifiedCardinality 1 ; owl:onDataRange ${low}`)).toEqual([least]);
    expect(await words(only(`[ a rdfs:Datatype ; owl:intersectionOf ( ${low} ${high} ) ]`))).toEqual([
      least,
      most,
    ]);
    const named = `sp:Cost a rdfs:Datatype ; owl:equivalentClass ${high} .`;
    expect(await words(only('sp:Cost'), named)).toEqual([most]);
    expect(errorsOf(await boots(only('sp:Cost'), named))).toEqual([]);
  });

  test('may be about the literals of the node that the property leads to', async () => {
    const quads = await boots(
      'owl:maxCardinality 1',
      `sp:value a owl:DatatypeProperty ; cg:identifying "none" . sp:Boot rdfs:subClassOf [ a owl:Restriction ; owl:onProperty sp:length ;
        owl:allValuesFrom [ a owl:Restriction ; owl:onProperty sp:value ; owl:allValuesFrom ${facets('decimal', 'xsd:minInclusive 1')} ] ] .`,
    );
    const ontology = readOntology(quads);
    expect(ontology.classes.get(boot)?.rules.get(`${prefixes.sp}length`)).toMatchObject({
      literal: false,
      classes: [sp.ValueAndUnit],
      fixed: [{ property: sp.unit, value: 'cm' }],
      ranges: [{ on: sp.value }],
    });
    expect(errorsOf(quads)).toEqual([]);
  });

  test('holds together with those of the classes above', async () => {
    const quads = await boots(
      only(facets('integer', 'xsd:maxInclusive 9')),
      `sp:Shoe rdfs:subClassOf [ a owl:Restriction ; owl:onProperty sp:price ; ${only(facets('decimal', 'xsd:minInclusive 5'))} ] .`,
    );
    const ranges = readOntology(quads).classes.get(boot)?.rules.get(price)?.ranges ?? [];
    expect(ranges.map(rangeInWords)).toEqual([
      'a value of xsd:integer, at most 9',
      'a value of xsd:decimal, at least 5',
    ]);
    expect(areEmpty(ranges)).toBe(false);
  });

  test('of a list leaves what all hold', async () => {
    const list = (...values: string[]): string =>
      only(`[ a rdfs:Datatype ; owl:oneOf ( ${values.join(' ')} ) ]`);
    const ranges = [...(await rangesOf(list('"a"', '"b"'))), ...(await rangesOf(list('"b"', '"c"')))];
    expect(listedValues(ranges)).toEqual(['b']);
    expect(areEmpty(ranges)).toBe(false);
    expect(areEmpty([...ranges, ...(await rangesOf(list('"c"')))])).toBe(true);
  });
});

describe('a data range that cannot be read', () => {
  // prettier-ignore
  test.each([
    [only(facets('string', 'xsd:pattern "a+"')), 'restricts sp:price to a data range with xsd:pattern, which is not checked'],
    [only(facets('decimal', 'xsd:minInclusiv 1')), 'restricts sp:price to a data range with xsd:minInclusiv, which is not checked'],
    [only(facets('decimal', 'xsd:minLength 1')), 'restricts sp:price to a data range with xsd:minLength, and values of xsd:decimal are not counted'],
    [only(facets('gYear', 'xsd:minInclusive "2000"')), 'restricts sp:price to a data range with xsd:minInclusive, and values of xsd:gYear are not compared'],
    [only(facets('integer', 'xsd:minInclusive 1.5')), 'restricts sp:price to a data range with the xsd:minInclusive "1.5", which is no value of xsd:integer'],
    [only(facets('string', 'xsd:minLength -1')), 'restricts sp:price to a data range with the xsd:minLength "-1", which is no value of xsd:nonNegativeInteger'],
    [only(facets('date', 'xsd:minInclusive sp:Shoe')), 'restricts sp:price to a data range with the xsd:minInclusive "http://smartplatforms.org/terms#Shoe", which is no value of xsd:date'],
    [only('[ a rdfs:Datatype ; owl:unionOf ( xsd:date xsd:gYear ) ]'), 'restricts sp:price to a data range that states neither owl:onDatatype with owl:withRestrictions nor owl:oneOf'],
    [only('[ a rdfs:Datatype ; owl:onDatatype xsd:decimal ]'), 'restricts sp:price to a data range that states neither owl:onDatatype with owl:withRestrictions nor owl:oneOf'],
    [only('[ owl:onDatatype xsd:decimal ; owl:withRestrictions () ]'), 'restricts sp:price to a data range that states neither owl:onDatatype with owl:withRestrictions nor owl:oneOf'],
    [only('[ a rdfs:Datatype ; owl:oneOf () ]'), 'restricts sp:price to a data range whose owl:oneOf is no list of literals'],
    [only('[ a rdfs:Datatype ; owl:oneOf ( 1 2 ) ; owl:onDatatype xsd:decimal ; owl:withRestrictions ( [ xsd:minInclusive 2 ] ) ]'), 'restricts sp:price to a data range with both owl:oneOf and owl:onDatatype'],
    [only('[ a rdfs:Datatype ; owl:onDatatype xsd:decimal ; owl:withRestrictions ( [ xsd:minInclusive 9 ] ) , ( [ xsd:maxInclusive 1 ] ) ]'), 'leaves no value for sp:price: a value of xsd:decimal, at least 9 and at most 1'],
    [`owl:maxQualifiedCardinality 1 ; owl:onDataRange [ a rdfs:Datatype ; owl:oneOf ( sp:Shoe ) ]`, 'restricts sp:price to a data range whose owl:oneOf is no list of literals'],
    [only(facets('decimal', 'xsd:minInclusive 9', 'xsd:maxInclusive 1')), 'leaves no value for sp:price: a value of xsd:decimal, at least 9 and at most 1'],
    [only(facets('decimal', 'xsd:minInclusive 9007199254740993', 'xsd:maxInclusive 9007199254740992')), 'leaves no value for sp:price: a value of xsd:decimal, at least 9007199254740993 and at most 9007199254740992'],
    [only(facets('dateTime', 'xsd:minInclusive "2000-01-01T00:00:00Z"', 'xsd:maxInclusive "2010-01-01T00:00:00"')), 'leaves no value for sp:price: a value of xsd:dateTime with a zone, at least 2000-01-01T00:00:00Z and at most 2010-01-01T00:00:00'],
    [only(facets('string', 'xsd:minLength 9', 'xsd:maxLength 1')), 'leaves no value for sp:price: text, at least 9 characters and at most 1 characters'],
    [`owl:someValuesFrom ${facets('decimal', 'xsd:minInclusive 1')}`, 'restricts sp:price to a data range with owl:someValuesFrom, which is not checked here'],
  ])('%s is told', async (filler, says) => {
    const quads = await boots(filler);
    const problems = errorsOf(quads);
    expect(problems).toMatchObject([
      { severity: 'error', rule: 'data-range', subject: boot, message: `sp:Boot ${says}.` },
    ]);
  });

  // prettier-ignore
  test.each([
    [`owl:someValuesFrom ${facets('decimal', 'xsd:minInclusive 1')}`, 'with owl:someValuesFrom, which is not checked here'],
    [`owl:maxQualifiedCardinality 1 ; owl:onDataRange ${facets('decimal', 'xsd:minInclusive 1')}`, 'with owl:onDataRange, which is not checked here'],
    [only('xsd:decimal'), 'without bounds, which is not checked here'],
  ])('of the literals of a linked node is told: %s', async (filler, says) => {
    const linked = (inner: string): Promise<Quad[]> =>
      boots(
        'owl:maxCardinality 1',
        `sp:value a owl:DatatypeProperty ; cg:identifying "none" . sp:Boot rdfs:subClassOf [ a owl:Restriction ;
          owl:onProperty sp:length ; owl:allValuesFrom [ a owl:Restriction ; owl:onProperty sp:value ; ${inner} ] ] .`,
      );
    expect(errorsOf(await linked(filler)).map(({ message }) => message)).toEqual([
      `sp:Boot restricts sp:length to a data range ${says}.`,
    ]);
    expect(errorsOf(await linked(only('rdfs:Literal')))).toEqual([]);
  });

  test('since a property has it for itself is told, by its name as well', async () => {
    const range = facets('decimal', 'xsd:minInclusive 1');
    for (const more of [
      `sp:price rdfs:range ${range} .`,
      `sp:price rdfs:range sp:Cost . sp:Cost a rdfs:Datatype ; owl:equivalentClass ${range} .`,
    ])
      expect(errorsOf(await boots('owl:maxCardinality 1', more)).map(({ message }) => message)).toEqual([
        'sp:price has a data range with rdfs:range, which is not checked here.',
      ]);
  });

  test('together with that of another parent is told of the class below both', async () => {
    const restricted = (range: string): string =>
      `[ a owl:Restriction ; owl:onProperty sp:price ; ${only(range)} ]`;
    const quads = await boots(
      only(facets('decimal', 'xsd:minInclusive 9')),
      `sp:Gift a owl:Class ; rdfs:subClassOf ${restricted(facets('decimal', 'xsd:maxInclusive 1'))} .
      sp:GivenBoot a owl:Class ; rdfs:subClassOf sp:Boot , sp:Gift .`,
    );
    expect(errorsOf(quads).map(({ message }) => message)).toEqual([
      'sp:GivenBoot leaves no value for sp:price: a value of xsd:decimal, at least 9; a value of xsd:decimal, at most 1.',
    ]);
  });

  test('is told once where it has a name, of that name', async () => {
    const quads = await boots(
      only('sp:Cost'),
      `sp:Cost a rdfs:Datatype ; owl:equivalentClass ${facets('decimal', 'xsd:totalDigits 3')} .
      sp:Shoe rdfs:subClassOf [ a owl:Restriction ; owl:onProperty sp:price ; ${only('sp:Cost')} ] .`,
    );
    expect(errorsOf(quads)).toMatchObject([
      {
        subject: `${prefixes.sp}Cost`,
        near: `${prefixes.xsd}totalDigits`,
        message: 'sp:Cost is defined as a data range with xsd:totalDigits, which is not checked.',
      },
    ]);
  });
});
