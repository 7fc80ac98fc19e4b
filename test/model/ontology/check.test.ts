import { describe, expect, test } from 'vitest';
import { rules } from '../../../src/cli/validate/all-rules.js';
import { checkOntology } from '../../../src/model/check/check.js';
import { readOntology } from '../../../src/model/ontology/read.js';
import { parseRdf } from '../../../src/rdf/parse.js';
import { tinyOntology } from './tiny-ontology.js';

async function problems(turtle: string): Promise<string[]> {
  const quads = await parseRdf(turtle, { format: 'turtle' });
  return checkOntology(readOntology(quads), quads).map(({ rule, message }) => `${rule}: ${message}`);
}

/** [what is broken, text of the good ontology, what stands there instead, a problem that must be named] */
const mutations: readonly [string, string | RegExp, string, string][] = [
  [
    'an undeclared property in a restriction, which has no name of its own',
    'owl:onProperty sp:length ; owl:maxCardinality 2',
    'owl:onProperty sp:lenght ; owl:maxCardinality 2',
    'undeclared-term: sp:lenght is used by sp:Shoe but not declared.',
  ],
  [
    'a cardinality that is no number',
    'sp:length ; owl:maxCardinality 2',
    'sp:length ; owl:maxCardinality "two"',
    'impossible-cardinality: sp:Shoe asks for two of sp:length, which is no whole number from 0 on.',
  ],
  [
    'a restriction of nothing',
    'owl:onProperty sp:length ; owl:maxCardinality 2',
    'owl:maxCardinality 2',
    'undeclared-property: sp:Shoe has a restriction without owl:onProperty.',
  ],
  [
    'an enumeration that is no list',
    'owl:oneOf ( size:small size:large )',
    'owl:oneOf "small"',
    'enumeration-member: spcode:Size has an owl:oneOf that is no complete list, such as ( code:a code:b ).',
  ],
  [
    'an enumeration that goes round in a circle',
    'owl:oneOf ( size:small size:large ) ] .',
    `owl:oneOf _:l ] . _:l <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> size:small ;
       <http://www.w3.org/1999/02/22-rdf-syntax-ns#rest> _:l .`,
    'enumeration-member: spcode:Size has an owl:oneOf that is no complete list, such as ( code:a code:b ).',
  ],
  [
    'an undeclared class as target',
    'api:target sp:Shoe',
    'api:target sp:Sandal',
    'undeclared-term: sp:Sandal is used by calls:get_shoe',
  ],
  [
    'a target that is no class',
    'api:target sp:Shoe',
    'api:target sp:size',
    'call-target: calls:get_shoe has the target sp:size, which is not declared as an owl:Class.',
  ],
  [
    'no target',
    'api:target sp:Shoe ;',
    '',
    'call-target: calls:get_shoe must state exactly one target, it states 0.',
  ],
  [
    'an undeclared predicate',
    'sp:Statement a owl:Class ;',
    'sp:Statement a owl:Class ; api:nonsense 1 ;',
    'undeclared-term: api:nonsense is used by sp:Statement but not declared.',
  ],
  [
    'a misspelt subject',
    'api:Call a owl:Class .',
    'api:Call a owl:Class . sp:Misspelt rdfs:label "x" .',
    'undeclared-term: sp:Misspelt is used but not declared.',
  ],
  [
    'an undeclared sort property',
    '"sp:startDate"',
    '"sp:date"',
    'undeclared-term: calls:get_shoes sorts by sp:date, which is not declared.',
  ],
  [
    'a sort property as text, by a prefix of the file alone',
    '"sp:startDate"',
    '"shop:madeOn"',
    'undeclared-term: calls:get_shoes sorts by shop:madeOn, whose prefix is not one of the container: state the property itself, without quotation marks.',
  ],
  [
    'two names',
    'api:clientMethodName "get_shoe" ;',
    'api:clientMethodName "get_shoe" , "one_shoe" ;',
    'call-name: calls:get_shoe must state exactly one client method name, it states 2.',
  ],
  [
    'a name that is no identifier',
    '"get_shoe"',
    '"get-shoe"',
    'call-name: calls:get_shoe cannot have the client method name get-shoe: it is not an ASCII identifier.',
  ],
  [
    'a name that is not ASCII',
    '"get_shoe"',
    '"get_shoé"',
    'call-name: calls:get_shoe cannot have the client method name get_shoé: it is not an ASCII identifier.',
  ],
  [
    'a name that the client has itself',
    '"get_shoe"',
    '"record_id"',
    'call-name: calls:get_shoe cannot have the client method name record_id: it is an attribute of the client itself',
  ],
  [
    'one name for two calls',
    '"get_shoe"',
    '"get_shoes"',
    'call-name: calls:get_shoes has the same client method name as calls:get_shoe: get_shoes.',
  ],
  [
    'a path without a slash',
    '"/records/{record_id}/shoes/"',
    '"records/{record_id}/shoes/"',
    'call-path: calls:get_shoes cannot have the path records/{record_id}/shoes/: it does not begin with a slash',
  ],
  [
    'an open placeholder',
    '{shoe_id}" ; api:target',
    '{shoe_id" ; api:target',
    'call-path: calls:get_shoe cannot have the path /records/{record_id}/shoes/{shoe_id: it is not made of plain segments',
  ],
  [
    'a repeated placeholder',
    '{shoe_id}" ; api:target',
    '{record_id}" ; api:target',
    'call-path: calls:get_shoe cannot have the path /records/{record_id}/shoes/{record_id}: it repeats a placeholder',
  ],
  [
    'a placeholder in capitals',
    '{shoe_id}" ; api:target',
    '{Shoe}" ; api:target',
    'call-path: calls:get_shoe cannot have the path /records/{record_id}/shoes/{Shoe}: it has a placeholder that is no lower-case identifier',
  ],
  [
    'one path for two calls',
    '"/records/{record_id}/shoes/{shoe_id}" ; api:target',
    '"/records/{record_id}/shoes" ; api:target',
    'call-route: calls:get_shoes has the same method and path as calls:get_shoe',
  ],
  [
    'an unknown method',
    'api:httpMethod "GET"',
    'api:httpMethod "FETCH"',
    'call-method: calls:get_shoe cannot have the HTTP method FETCH: it is none of GET, PUT, POST, DELETE.',
  ],
  ['no scope', 'api:category "record" ;', '', 'call-scope: calls:get_shoe must state exactly one scope'],
  [
    'a path outside its scope',
    'api:category "record"',
    'api:category "user"',
    'call-path-parameter: calls:get_shoe has scope user, so its path must begin with /users/{user_id}.',
  ],
  [
    'no cardinality',
    'api:cardinality "single" ;',
    '',
    'call-cardinality: calls:get_shoe must state exactly one cardinality',
  ],
  [
    'a form that has no lists',
    'api:cardinality "single" ; cg:answer "rdf"',
    'api:cardinality "multiple" ; cg:answer "blob"',
    'call-answer: calls:get_shoe cannot answer as blob GET multiple: it is none of rdf GET single, rdf GET multiple',
  ],
  ['no answer', '; cg:answer "rdf" .', '.', 'call-answer: calls:get_shoe must state exactly one answer'],
  [
    'an unknown answer',
    'cg:answer "rdf"',
    'cg:answer "xml"',
    'call-answer: calls:get_shoe cannot have the answer (cg:answer) xml: it is none of rdf, json, blob, document, changes, subscription, export, export-file.',
  ],
  [
    'no base path',
    'api:base_path "/records/{record_id}/shoes/{shoe_id}"',
    'rdfs:comment "x"',
    'call-base-path: calls:get_shoe has the target sp:Shoe, a statement class without api:base_path.',
  ],
  [
    'another base path',
    'api:base_path "/records/{record_id}/shoes/{shoe_id}"',
    'api:base_path "/records/{record_id}/boots/{shoe_id}"',
    'call-item-path: calls:get_shoe has a path that is not the base path of sp:Shoe',
  ],
  [
    'a filter that is none',
    'filters:shoes_from a api:Filter',
    'filters:shoes_from a owl:NamedIndividual',
    'call-filter: calls:get_shoes links filters:shoes_from, which is not declared as a filter.',
  ],
  [
    'a filter without value type',
    'cg:valueType "date" ; cg:operator',
    'cg:operator',
    'filter-type: filters:shoes_from must state exactly one cg:valueType',
  ],
  [
    'a date filter without operator',
    'cg:operator "from" ;',
    '',
    'filter-operator: filters:shoes_from compares dates and must state one cg:operator of from, from_excluding',
  ],
  [
    'a date filter without property',
    '?v sp:startDate ?d',
    '?v sp:startDate ?date',
    'filter-pattern: filters:shoes_from compares dates, so its pattern must bind them as ?v property ?d.',
  ],
  [
    'a filter without pattern',
    /; cg:operator "from" ;\s*api:filterSparql "[^"]*"/,
    '; cg:operator "from"',
    'filter-pattern: filters:shoes_from must state one api:filterSparql',
  ],
  [
    'a search term with another operator',
    'cg:operator "begins"',
    'cg:operator "from"',
    'parameter-operator: params:title may state as cg:operator one of begins, equals.',
  ],
  [
    'a search term whose operator does not fit',
    'cg:operator "begins"',
    'cg:operator "equals"',
    'parameter-operator: params:title must state begins for names, and equals for all else.',
  ],
  [
    'a search term that compares no path',
    'sp:length/(dcterms:title|sp:unit) ?d',
    'sp:length*/dcterms:title ?d',
    'parameter-pattern: params:title states an operator, so its pattern must bind ?d as ?v path ?d.',
  ],
  [
    'a search term that compares what is not declared',
    'sp:length/(dcterms:title|sp:unit) ?d',
    'sp:length/(dcterms:title|sp:depth) ?d',
    'undeclared-term: params:title compares sp:depth, which is not declared.',
  ],
  [
    'an order by no path',
    'cg:sortNames "sp:length/dcterms:title, sp:sex"',
    'cg:sortNames "sp:length/dcterms:title, sp:sex|sp:unit"',
    'sort-names: calls:search_shoes sorts by sp:sex|sp:unit, which is no path of properties.',
  ],
  [
    'an order by what is not declared',
    'cg:sortNames "sp:length/dcterms:title, sp:sex"',
    'cg:sortNames "sp:length/dcterms:name"',
    'undeclared-term: calls:search_shoes sorts by dcterms:name, which is not declared.',
  ],
  [
    'a choice without choices',
    '"limit" ; cg:valueType "integer"',
    '"limit" ; cg:valueType "choice"',
    'parameter-choice: params:limit has the value type choice but no cg:choice.',
  ],
  [
    'two parameters of one name',
    'clientParameterName "limit"',
    'clientParameterName "size"',
    'parameter-twice: calls:get_shoes declares the parameter size twice.',
  ],
  [
    'a parameter named like a placeholder',
    'clientParameterName "limit"',
    'clientParameterName "record_id"',
    'parameter-twice: calls:get_shoes declares the parameter record_id twice.',
  ],
  [
    'the same cardinality twice (S3)',
    'owl:onProperty sp:startDate ; owl:maxCardinality 1',
    'owl:onProperty sp:startDate ; owl:cardinality 1',
    'repeated-cardinality: sp:Shoe states or inherits owl:cardinality of sp:startDate more than once.',
  ],
  [
    'two numbers of one cardinality in one restriction',
    'owl:onProperty sp:startDate ; owl:maxCardinality 1',
    'owl:onProperty sp:startDate ; owl:maxCardinality 1 , 2',
    'repeated-cardinality: sp:Shoe states or inherits owl:maxCardinality of sp:startDate more than once.',
  ],
  [
    'two ranges (S5)',
    'owl:allValuesFrom sp:ValueAndUnit',
    'owl:allValuesFrom sp:ValueAndUnit , sp:Code',
    'several-ranges: sp:Shoe gives sp:length more than one range: sp:ValueAndUnit, sp:Code.',
  ],
  [
    'two enumerations (S7)',
    'owl:oneOf ( size:small size:large )',
    'owl:oneOf ( size:small ) , ( size:large )',
    'several-enumerations: spcode:Size has more than one owl:oneOf.',
  ],
  [
    'a member of another class',
    'size:small a owl:NamedIndividual , spcode:Size',
    'size:small a owl:NamedIndividual',
    'enumeration-member: spcode:Size#small is a member of spcode:Size but not typed with it.',
  ],
  [
    'a code without title',
    'dcterms:title "Small"',
    'rdfs:label "Small"',
    'code-title: spcode:Size#small is a code without title',
  ],
  [
    'a code of another system',
    'dcterms:identifier "large"',
    'dcterms:identifier "huge"',
    'enumeration-member: spcode:Size#large is a code whose IRI is not its system and identifier.',
  ],
  [
    'a range that is no class',
    'owl:onProperty sp:belongsTo ; owl:allValuesFrom sp:MedicalRecord',
    'owl:onProperty sp:belongsTo ; owl:allValuesFrom sp:size',
    'undeclared-class: sp:Statement gives sp:belongsTo the range sp:size, which is not declared',
  ],
  [
    'literals of an object property',
    'sp:startDate a owl:DatatypeProperty',
    'sp:startDate a owl:ObjectProperty',
    'property-kind: sp:Shoe wants literals of sp:startDate, which is an object property.',
  ],
  [
    'a restriction on no property',
    'sp:length a owl:ObjectProperty',
    'sp:length a owl:Class',
    'undeclared-property: sp:Shoe restricts sp:length, which is not declared as a property.',
  ],
  [
    'no version',
    '; owl:versionInfo "0.1"',
    '',
    'ontology-header: sp: must state exactly one owl:versionInfo.',
  ],
  [
    'no header',
    'sp: a owl:Ontology ; owl:versionInfo "0.1" .',
    '',
    'ontology-header: owl:Ontology must have exactly one instance, it has 0.',
  ],
];

describe('the ontology check', () => {
  test('finds nothing in a good ontology but words that it spares itself', async () => {
    const spared = /^(missing-label|missing-comment|code-system): /;
    expect((await problems(tinyOntology)).filter((found) => !spared.test(found))).toEqual([]);
  });

  test.each(mutations)('names %s', async (_, text, instead, message) => {
    // The last occurrence: the item's call stands after the list's.
    const found = typeof text === 'string' ? text : (text.exec(tinyOntology)?.[0] ?? '');
    const at = tinyOntology.lastIndexOf(found);
    expect(at).toBeGreaterThan(0);
    const broken = tinyOntology.slice(0, at) + instead + tinyOntology.slice(at + found.length);
    expect((await problems(broken)).join('\n')).toContain(message);
  });

  test('tells a cardinality below zero once, with a remedy that fits', async () => {
    const broken = tinyOntology.replace(
      'sp:length ; owl:maxCardinality 2',
      'sp:length ; owl:maxCardinality -2',
    );
    expect((await problems(broken)).filter((found) => found.startsWith('impossible-cardinality'))).toEqual([
      'impossible-cardinality: sp:Shoe asks for -2 of sp:length, which is no whole number from 0 on.',
    ]);
    expect(rules.find(({ id }) => id === 'impossible-cardinality')?.hint).toMatch(
      /^Write whole numbers in digits/u,
    );
  });
});
