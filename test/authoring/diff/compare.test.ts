import { describe, expect, test } from 'vitest';
import { changeKinds } from '../../../src/authoring/diff/kinds.js';
import { skos } from '../../../src/rdf/vocabulary.js';
import { before, differences, edited, lineOf, type Edit } from './comparing.js';

const small = 'http://smartplatforms.org/terms/codes/Size#';
const sole = '[ a owl:Restriction ; owl:onProperty sp:sole ; owl:maxCardinality 1 ] ,';
const heel = '[ a owl:Restriction ; owl:onProperty sp:sole ; owl:allValuesFrom sp:Heel ] ,';
const pattern = '"GRAPH ?v { ?v sp:startDate ?d }"';
const bounded = (facets: string, datatype = 'decimal'): string =>
  `[ a rdfs:Datatype ; owl:onDatatype xsd:${datatype} ; owl:withRestrictions ( ${facets} ) ]`;
const leather = '<http://example.org/leather> a owl:NamedIndividual ; rdfs:label "leather"';

// prettier-ignore
/** [what is done, the edits, the changes that are found] */
const table: readonly (readonly [what: string, edits: readonly Edit[], found: readonly string[]])[] = [
  ['a class comes',                        [['', 'sp:Glove a owl:Class .']], ['additive class-added sp:Glove']],
  ['a class goes',                         [['sp:Sole a owl:Class ; rdfs:subClassOf sp:Component .', ''], ['sp:Heel a owl:Class ; rdfs:subClassOf sp:Sole .', 'sp:Heel a owl:Class ; rdfs:subClassOf sp:Component .']], ['breaking class-removed sp:Sole', 'breaking parent-removed sp:Heel sp:Sole']],
  ['a parent comes',                       [['', 'sp:Sole rdfs:subClassOf sp:MedicalRecord .']], ['additive parent-added sp:Sole sp:MedicalRecord']],
  ['a parent goes',                        [['sp:Sole a owl:Class ; rdfs:subClassOf sp:Component .', 'sp:Sole a owl:Class .']], ['breaking parent-removed sp:Sole sp:Component']],
  ['a base path comes',                    [['', 'sp:Sole api:base_path "/soles/{id}" .']], ['additive base-path-added sp:Sole ( > /soles/{id})']],
  ['a base path goes',                     [['; api:base_path "/records/{record_id}"', '']], ['breaking base-path-removed sp:MedicalRecord (/records/{record_id} > )']],
  ['a base path changes',                  [['/records/{record_id}/shoes/{shoe_id}" .', '/records/{record_id}/boots/{shoe_id}" .']], ['breaking base-path-changed sp:Shoe (/records/{record_id}/shoes/{shoe_id} > /records/{record_id}/boots/{shoe_id})']],
  ['a property becomes impersonal',        [['', 'sp:Code cg:impersonal dcterms:title .']], ['breaking impersonal-added sp:Code dcterms:title']],
  ['a property is so no longer',           [['spcode:Maker cg:impersonal sp:weight .', '']], ['breaking impersonal-removed spcode:Maker sp:weight']],

  ['a property comes',                     [['', 'sp:colour a owl:DatatypeProperty .']], ['additive property-added sp:colour']],
  ['a property goes',                      [['sp:weight a owl:DatatypeProperty .', '']], ['breaking property-removed sp:weight']],
  ['literals become links',                [['sp:weight a owl:DatatypeProperty', 'sp:weight a owl:ObjectProperty']], ['breaking property-kind-changed sp:weight (datatype > object)']],
  ['a domain changes',                     [['rdfs:domain sp:Shoe', 'rdfs:domain sp:Sole']], ['breaking property-range-changed sp:lace rdfs:domain (sp:Shoe > sp:Sole)']],
  ['text becomes a date',                  [['', 'sp:weight cg:valueType "date" .']], ['breaking property-value-type-changed sp:weight ( > date)']],
  ['a value joins a closed list',          [['cg:choice "male" , "female"', 'cg:choice "male" , "female" , "other"']], ['breaking property-choice-added sp:sex other']],
  ['a value leaves a closed list',         [['cg:choice "male" , "female"', 'cg:choice "male"']], ['breaking property-choice-removed sp:sex female']],
  ['values are closed',                    [['', 'sp:weight cg:choice "light" .']], ['breaking property-choices-closed sp:weight ( > light)']],
  ['values are opened',                    [['; cg:choice "male" , "female"', '']], ['breaking property-choices-opened sp:sex (female, male > )']],
  ['the container begins to make values',  [['', 'sp:weight cg:generatedFrom sp:price .']], ['additive property-generated sp:weight sp:price']],
  ['the container stops making values',    [['; cg:generatedFrom sp:price', '']], ['breaking property-no-longer-generated sp:worth sp:price']],
  ['what it tells of a person is said',    [['', 'sp:weight cg:identifying "none" .']], ['additive identifying-stated sp:weight ( > none)']],
  ['it is said no longer',                 [['; cg:identifying "place"', '']], ['breaking identifying-removed sp:worth (place > )']],
  ['less is said to be told',              [['"place"', '"none"']], ['breaking identifying-weakened sp:worth (place > none)']],
  ['more is said to be told',              [['"place"', '"direct"']], ['breaking identifying-strengthened sp:worth (place > direct)']],
  ['whole dates are shown',                [[' ; cg:precision "year"', '']], ['breaking identifying-weakened sp:born (year > )']],
  ['years alone are shown',                [['', 'sp:startDate cg:precision "year" .']], ['breaking identifying-strengthened sp:startDate ( > year)']],

  ['a new property may be stated',         [['', 'sp:colour a owl:DatatypeProperty . sp:Shoe rdfs:subClassOf [ a owl:Restriction ; owl:onProperty sp:colour ; owl:maxCardinality 1 ] .']], ['additive property-added sp:colour', 'additive rule-optional sp:Shoe sp:colour ( > 0 to 1 of literal)']],
  ['a new property must be stated',        [['', 'sp:colour a owl:DatatypeProperty . sp:Shoe rdfs:subClassOf [ a owl:Restriction ; owl:onProperty sp:colour ; owl:cardinality 1 ] .']], ['breaking rule-required sp:Shoe sp:colour ( > exactly 1 of literal)', 'additive property-added sp:colour']],
  ['a known property gets a rule',         [['', 'sp:Shoe rdfs:subClassOf [ a owl:Restriction ; owl:onProperty sp:weight ; owl:allValuesFrom rdfs:Literal ] .']], ['breaking rule-imposed sp:Shoe sp:weight ( > 0 or more of literal)']],
  ['all rules of a property go',           [[sole, ''], [heel, '']], ['breaking rule-removed sp:Shoe sp:sole (0 to 1 of sp:Heel > )']],
  ['a minimum rises',                      [[sole, sole.replace('maxC', 'c')]], ['breaking minimum-raised sp:Shoe sp:sole (0 > 1)']],
  ['a minimum falls',                      [['sp:size ; owl:qualifiedCardinality 1', 'sp:size ; owl:maxQualifiedCardinality 1']], ['breaking minimum-lowered sp:Shoe sp:size (1 > 0)']],
  ['a maximum rises',                      [['sp:length ; owl:maxCardinality 2', 'sp:length ; owl:maxCardinality 3']], ['breaking maximum-raised sp:Shoe sp:length (2 > 3)']],
  ['a maximum goes',                       [[sole, '']], ['breaking maximum-raised sp:Shoe sp:sole (1 > any number)']],
  ['a maximum falls',                      [['sp:length ; owl:maxCardinality 2', 'sp:length ; owl:maxCardinality 1']], ['breaking maximum-lowered sp:Shoe sp:length (2 > 1)']],
  ['a class of values becomes its parent', [[heel, heel.replace('Heel', 'Sole')]], ['breaking range-widened sp:Shoe sp:sole (sp:Heel > sp:Sole)']],
  ['a class of values gets a new parent',  [[heel, heel.replace('Heel', 'Tread')], ['', 'sp:Tread a owl:Class ; rdfs:subClassOf sp:Component . sp:Heel rdfs:subClassOf sp:Tread .']], ['breaking range-widened sp:Shoe sp:sole (sp:Heel > sp:Tread)', 'additive class-added sp:Tread', 'additive parent-added sp:Heel sp:Tread']],
  ['a class of values becomes its child',  [['sp:belongsTo ; owl:allValuesFrom sp:MedicalRecord', 'sp:belongsTo ; owl:allValuesFrom sp:Chart'], ['', 'sp:Chart a owl:Class ; rdfs:subClassOf sp:MedicalRecord .']], ['breaking range-narrowed sp:Statement sp:belongsTo (sp:MedicalRecord > sp:Chart)', 'additive class-added sp:Chart']],
  ['a class of values becomes another',    [[heel, heel.replace('Heel', 'ValueAndUnit')]], ['breaking range-changed sp:Shoe sp:sole (sp:Heel > sp:ValueAndUnit)']],
  ['links become literals',                [[heel, heel.replace('sp:Heel', 'rdfs:Literal')]], ['breaking range-changed sp:Shoe sp:sole (sp:Heel > literal)']],
  ['a datatype is asked for no longer',    [['owl:allValuesFrom xsd:decimal', 'owl:allValuesFrom rdfs:Literal']], ['breaking range-widened sp:Shoe sp:price (xsd:decimal > literal)']],
  ['codes of a set are asked for no longer', [['owl:intersectionOf ( sp:CodedValue [ a owl:Restriction ; owl:onProperty sp:code ; owl:allValuesFrom spcode:Size ] )', 'owl:intersectionOf ( sp:CodedValue )']], ['breaking range-widened sp:Shoe sp:size (sp:CodedValue with a code of spcode:Size > sp:CodedValue)']],
  ['a value is fixed',                     [['', 'sp:Shoe rdfs:subClassOf [ a owl:Restriction ; owl:onProperty sp:sole ; owl:allValuesFrom [ a owl:Restriction ; owl:onProperty sp:unit ; owl:hasValue "g" ] ] .']], ['breaking fixed-value-added sp:Shoe sp:sole ( > sp:unit g)']],
  ['a value is fixed no longer',           [['[ a owl:Restriction ; owl:onProperty sp:length ; owl:allValuesFrom\n    [ a owl:Restriction ; owl:onProperty sp:unit ; owl:hasValue "cm" ] ]', '[ a owl:Restriction ; owl:onProperty sp:length ; owl:maxCardinality 2 ]']], ['breaking fixed-value-removed sp:Shoe sp:length (sp:unit cm > )']],
  ['a fixed value changes',                [['owl:hasValue "cm"', 'owl:hasValue "mm"']], ['breaking fixed-value-changed sp:Shoe sp:length (sp:unit cm > sp:unit mm)']],

  ['numbers get a bound',                  [['owl:allValuesFrom xsd:decimal', `owl:allValuesFrom ${bounded('[ xsd:minInclusive 1 ]')}`]], ['breaking limit-tightened sp:Shoe sp:price ( > at least 1)', 'breaking range-widened sp:Shoe sp:price (xsd:decimal > xsd:decimal or plain text)']],
  ['numbers get a looser bound',           [['xsd:maxInclusive 20', 'xsd:maxExclusive 25']], ['additive limit-loosened sp:Heel sp:height (at most 20 > less than 25)']],
  ['literals get a length',                [['', `sp:Shoe rdfs:subClassOf [ a owl:Restriction ; owl:onProperty sp:startDate ; owl:allValuesFrom ${bounded('[ xsd:maxLength 10 ]', 'string')} ] .`]], ['breaking limit-tightened sp:Shoe sp:startDate ( > at most 10 characters)', 'breaking range-narrowed sp:Shoe sp:startDate (literal > xsd:string)']],
  ['a known property gets a list of literals', [['', 'sp:Shoe rdfs:subClassOf [ a owl:Restriction ; owl:onProperty sp:weight ; owl:allValuesFrom [ a rdfs:Datatype ; owl:oneOf ( "light" ) ] ] .']], ['breaking rule-imposed sp:Shoe sp:weight ( > 0 or more of literal (one of "light"))']],
  ['literals of a linked node get a bound', [['', `sp:Shoe rdfs:subClassOf [ a owl:Restriction ; owl:onProperty sp:sole ; owl:allValuesFrom [ a owl:Restriction ; owl:onProperty sp:weight ; owl:allValuesFrom ${bounded('[ xsd:minExclusive 0 ]')} ] ] .`]], ['breaking limit-tightened sp:Shoe sp:sole ( > sp:weight more than 0)', 'breaking range-narrowed sp:Shoe sp:sole (sp:Heel > sp:Heel with sp:weight of xsd:decimal)']],

  ['a set is closed',                      [['', 'spcode:Maker owl:equivalentClass [ a owl:Class ; owl:oneOf ( <http://smartplatforms.org/terms/codes/Maker#acme> ) ] .']], ['breaking enumeration-closed spcode:Maker']],
  ['a set is opened',                      [[' ; owl:equivalentClass [ a owl:Class ; owl:oneOf ( size:small size:large ) ]', '']], ['breaking enumeration-opened spcode:Size']],
  ['a code joins a closed set',            [['( size:small size:large )', '( size:small size:large size:huge )'], ['', 'size:huge a spcode:Size ; dcterms:title "Huge" .']], [`breaking member-added spcode:Size spcode:Size#huge`]],
  ['a code leaves a closed set',           [['( size:small size:large )', '( size:large )'], ['size:small a owl:NamedIndividual , spcode:Size ; dcterms:title "Small" .', '']], ['breaking member-removed spcode:Size spcode:Size#small']],

  ['a code joins an open set',             [['', '<http://smartplatforms.org/terms/codes/Maker#ajax> a spcode:Maker ; dcterms:title "Ajax" .']], ['additive code-added spcode:Maker#ajax']],
  ['a code leaves an open set',            [['<http://smartplatforms.org/terms/codes/Maker#acme> a spcode:Maker , spcode:Brand ; dcterms:title "Acme" .', '']], ['breaking code-removed spcode:Maker#acme']],
  ['a code gets another IRI',              [['( size:small size:large )', '( size:tiny size:large )'], ['size:small a', 'size:tiny a']], ['breaking code-renamed spcode:Size#small (spcode:Size#small > spcode:Size#tiny)']],
  ['a code gets another title',            [['"Small"', '"Petite"']], ['breaking code-retitled spcode:Size#small (Small > Petite)']],
  ['a title is written in capitals',       [['"Small"', '"SMALL"']], ['editorial reworded spcode:Size#small dcterms:title']],
  ['a code gets another identifier',       [['dcterms:identifier "large"', 'dcterms:identifier "L"']], [`breaking code-identity-changed spcode:Size#large (${small} large > ${small} L)`]],
  ['a code joins another class',           [['', 'size:small a spcode:Maker .']], ['additive code-class-added spcode:Size#small spcode:Maker']],
  ['a code leaves a class',                [['a spcode:Maker , spcode:Brand', 'a spcode:Maker']], ['breaking code-class-removed spcode:Maker#acme spcode:Brand']],
  ['a code comes below another',           [['', `size:small <${skos.broader}> size:large .`]], ['breaking code-broader-added spcode:Size#small spcode:Size#large']],
  ['a code is no longer below another',    [[`; <${skos.broader}> <http://smartplatforms.org/terms/codes/Maker#acme>`, '']], ['breaking code-broader-removed spcode:Maker#acmeSport spcode:Maker#acme']],

  ['a call comes',                         [['', 'calls:get_boot a api:Call ; api:clientMethodName "get_boot" ; api:httpMethod "GET" ; api:path "/boots/{id}" ; api:target sp:Boot ; api:category "container" ; api:cardinality "single" ; cg:answer "rdf" .']], ['additive call-added calls:get_boot ( > GET /boots/{id})']],
  ['a call goes',                          [['calls:get_lace a api:Call', 'calls:get_lace a owl:NamedIndividual']], ['breaking call-removed calls:get_lace (GET /laces/{lace_id} > )']],
  ['a client method gets another name',    [['"get_lace"', '"find_lace"']], ['breaking call-renamed calls:get_lace (get_lace > find_lace)']],
  ['a method changes',                     [['"get_lace" ; api:httpMethod "GET"', '"get_lace" ; api:httpMethod "POST"']], ['breaking call-method-changed calls:get_lace (GET > POST)']],
  ['a path changes',                       [['"/laces/{lace_id}"', '"/strings/{lace_id}"']], ['breaking call-path-changed calls:get_lace (/laces/{lace_id} > /strings/{lace_id})']],
  ['a path parameter gets another name',   [['"/laces/{lace_id}"', '"/laces/{id}"']], ['breaking call-path-parameter-renamed calls:get_lace (/laces/{lace_id} > /laces/{id})']],
  ['a path gets a slash at its end',       [['"/laces/{lace_id}"', '"/laces/{lace_id}/"']], ['editorial reworded calls:get_lace api:path']],
  ['a scope changes',                      [['sp:Shoe ; api:category "container" ; api:cardinality "single"', 'sp:Shoe ; api:category "user" ; api:cardinality "single"']], ['breaking call-scope-changed calls:get_lace (container > user)']],
  ['a call discloses people',              [['', 'calls:get_lace cg:discloses "directory" .']], ['breaking call-disclosure-added calls:get_lace ( > directory)']],
  ['a call that comes discloses people',   [['', 'calls:get_boot a api:Call ; api:clientMethodName "get_boot" ; api:httpMethod "GET" ; api:path "/boots/{id}" ; api:target sp:Boot ; api:category "container" ; cg:discloses "directory" ; api:cardinality "single" ; cg:answer "rdf" .']], ['breaking call-disclosure-added calls:get_boot ( > directory)', 'additive call-added calls:get_boot ( > GET /boots/{id})']],
  ['a call no longer discloses people',    [['cg:discloses "directory" ; ', '']], ['breaking call-disclosure-removed calls:get_owner (directory > )']],
  ['a cardinality changes',                [['"container" ; api:cardinality "single"', '"container" ; api:cardinality "multiple"']], ['breaking call-cardinality-changed calls:get_lace (single > multiple)']],
  ['a target changes',                     [['"/laces/{lace_id}" ;\n  api:target sp:Shoe', '"/laces/{lace_id}" ;\n  api:target sp:Boot']], ['breaking call-target-changed calls:get_lace (sp:Shoe > sp:Boot)']],
  ['a form of answer changes',             [['cg:answer "rdf" ;\n  api:hasParameter params:number', 'cg:answer "json" ;\n  api:hasParameter params:number']], ['breaking call-answer-changed calls:get_lace (rdf > json)']],
  ['a media type changes',                 [['"application/rdf+xml"', '"text/turtle"']], ['breaking call-content-type-changed calls:get_shoe (application/rdf+xml > text/turtle)']],
  ['an order is stated',                   [['', 'calls:get_lace api:defaultSort "sp:startDate" .']], ['additive call-order-added calls:get_lace ( > latest sp:startDate)']],
  ['an order changes',                     [['api:defaultSort "sp:startDate"', 'api:defaultSort "sp:price"']], ['breaking call-order-changed calls:get_shoes (latest sp:startDate > latest sp:price)']],
  ['a parameter comes',                    [['', 'calls:get_lace api:hasParameter params:limit .']], ['additive parameter-added calls:get_lace limit']],
  ['a filter goes',                        [['filters:shoes_from , filters:shoes_by_size', 'filters:shoes_from']], ['breaking parameter-removed calls:get_shoes size']],
  ['a type of a parameter changes',        [['"number" ; cg:valueType "integer"', '"number" ; cg:valueType "text"']], ['breaking parameter-value-type-changed params:number (integer > text)']],
  ['a choice comes',                       [['cg:choice "left" , "right"', 'cg:choice "left" , "right" , "both"']], ['additive parameter-choice-added params:form ( > both)']],
  ['a choice goes',                        [['cg:choice "left" , "right"', 'cg:choice "left"']], ['breaking parameter-choice-removed params:form (right > )']],
  ['a filter looks elsewhere',             [[pattern, '"GRAPH ?v { ?v sp:endDate ?d }"']], ['breaking parameter-meaning-changed filters:shoes_from date_from (from GRAPH ?v { ?v sp:startDate ?d } > from GRAPH ?v { ?v sp:endDate ?d })']],
  ['a filter of another name takes a place', [['filters:shoes_from , filters:shoes_by_size', 'filters:shoes_since , filters:shoes_by_size'], ['', `filters:shoes_since a api:Filter ; api:clientParameterName "date_from" ; cg:valueType "date" ; cg:operator "from_excluding" ; api:filterSparql ${pattern} .`]], ['breaking parameter-meaning-changed calls:get_shoes date_from (from GRAPH ?v { ?v sp:startDate ?d } > from_excluding GRAPH ?v { ?v sp:startDate ?d })']],

  ['an individual comes',                  [['', '<http://example.org/wool> a owl:NamedIndividual .']], ['additive term-added http://example.org/wool']],
  ['an individual goes',                   [[`${leather} .`, '']], ['breaking term-removed http://example.org/leather']],
  ['a term is deprecated',                 [['', 'sp:weight owl:deprecated true .']], ['additive deprecated sp:weight']],
  ['a term is deprecated no longer',       [['sp:old a owl:DatatypeProperty ; owl:deprecated true .', 'sp:old a owl:DatatypeProperty .']], ['additive no-longer-deprecated sp:old']],
  ['the ontology gets another IRI',        [['sp: a owl:Ontology', 'api: a owl:Ontology']], ['breaking ontology-renamed api: (http://smartplatforms.org/terms# > http://smartplatforms.org/terms/api#)']],
  ['an axiom that nothing reads comes',    [['', 'sp:Shoe owl:disjointWith sp:Sole .']], ['breaking statement-changed sp:Shoe owl:disjointWith ( > sp:Sole)']],
  ['a class expression that nothing reads comes', [['', 'sp:Shoe rdfs:subClassOf [ a owl:Restriction ; owl:onProperty sp:sole ; owl:someValuesFrom sp:Heel ] .']], ['breaking statement-changed sp:Shoe rdfs:subClassOf ( > ['] ],
  ['a label changes',                      [['rdfs:label "Boot"', 'rdfs:label "Boots"']], ['editorial reworded sp:Boot rdfs:label']],
  ['pages mark results of a code',         [['dcterms:title "Small"', 'dcterms:title "Small" ; cg:outside "true" ; cg:over "true" ; cg:social "true"']], ['editorial reworded spcode:Size#small cg:outside, cg:over, cg:social']],
  ['pages show a class elsewhere',         [['rdfs:label "Boot"', 'rdfs:label "Boot" ; cg:group "current" ; cg:order "5"']], ['editorial reworded sp:Boot cg:group, cg:order']],
];

describe('every kind of change is found, weighed and named', () => {
  test.each(table)('%s', async (_, edits, found) => {
    const changes = (await differences(before, edited(before, ...edits))).map(lineOf).sort();
    const expected = [...found].sort();
    expect(changes).toHaveLength(expected.length);
    changes.forEach((change, index) => expect(change.startsWith(expected[index] ?? '?'), change).toBe(true));
  });

  test('the table above holds every kind that there is', () => {
    const shown = new Set(table.flatMap(([, , found]) => found.map((line) => line.split(' ')[1])));
    expect(Object.keys(changeKinds).filter((kind) => !shown.has(kind))).toEqual([]);
  });
});

describe('what is no change', () => {
  // prettier-ignore
  test.each<readonly [string, readonly Edit[]]>([
    ['another version',                        [['owl:versionInfo "0.1"', 'owl:versionInfo "0.2"']]],
    ['two restrictions written as one',        [[`${sole}\n  ${heel}`, '[ a owl:Restriction ; owl:onProperty sp:sole ; owl:maxCardinality 1 ; owl:allValuesFrom sp:Heel ] ,']]],
    ['a rule said again by a child',           [['', 'sp:Boot rdfs:subClassOf [ a owl:Restriction ; owl:onProperty sp:sole ; owl:maxCardinality 1 ] .']]],
    ['a parent of a parent, said again',       [['', 'sp:Boot rdfs:subClassOf sp:Statement .']]],
    ['a class of values beside its own parent', [['', 'sp:Shoe rdfs:subClassOf [ a owl:Restriction ; owl:onProperty sp:sole ; owl:allValuesFrom sp:Sole ] .']]],
    ['spaces in a pattern',                    [[pattern, '"GRAPH ?v  {\\n ?v sp:startDate ?d }"']]],
    ['an identifier that the IRI says too',    [['', 'size:small dcterms:identifier "small" .']]],
    ['a class that is an individual as well',  [['', 'sp:Shoe a owl:NamedIndividual .']]],
  ])('%s', async (_, edits) => {
    expect((await differences(before, edited(before, ...edits))).map(lineOf)).toEqual([]);
  });

  test('the same statements in another order', async () => {
    const blocks = before.split('\n\n');
    const [prefixes = '', ...rest] = blocks;
    expect(await differences(before, [prefixes, ...rest.reverse()].join('\n\n'))).toEqual([]);
  });
});

describe('a data range that changes', () => {
  const range = (...given: Parameters<typeof bounded>): Edit => [
    'owl:allValuesFrom xsd:decimal',
    `owl:allValuesFrom ${bounded(...given)}`,
  ];
  const list = (...values: string[]): Edit => [
    'owl:allValuesFrom xsd:decimal',
    `owl:allValuesFrom [ a rdfs:Datatype ; owl:oneOf ( ${values.join(' ')} ) ]`,
  ];

  // prettier-ignore
  test.each<readonly [what: string, was: Edit, is: Edit, found: readonly string[]]>([
    ['a bound is tightened',       range('[ xsd:minInclusive 25 ] [ xsd:maxInclusive 45 ]'), range('[ xsd:minInclusive 30 ] [ xsd:maxInclusive 45 ]'), ['breaking limit-tightened sp:Shoe sp:price (at least 25 > at least 30)']],
    ['a bound is loosened',        range('[ xsd:minInclusive 25 ] [ xsd:maxInclusive 45 ]'), range('[ xsd:minInclusive 25 ] [ xsd:maxInclusive 50 ]'), ['additive limit-loosened sp:Shoe sp:price (at most 45 > at most 50)']],
    ['both move up',               range('[ xsd:minInclusive 25 ] [ xsd:maxInclusive 45 ]'), range('[ xsd:minInclusive 26 ] [ xsd:maxInclusive 46 ]'), ['breaking limit-tightened sp:Shoe sp:price (at least 25 > at least 26)', 'additive limit-loosened sp:Shoe sp:price (at most 45 > at most 46)']],
    ['a bound is left out',        range('[ xsd:minInclusive 0 ]'), range('[ xsd:minExclusive 0 ]'), ['breaking limit-tightened sp:Shoe sp:price (at least 0 > more than 0)']],
    ['a bound is let in',          range('[ xsd:maxExclusive 9 ]'), range('[ xsd:maxInclusive 9 ]'), ['additive limit-loosened sp:Shoe sp:price (less than 9 > at most 9)']],
    ['a bound goes',               range('[ xsd:minInclusive 1 ]'), ['', ''], ['breaking range-narrowed sp:Shoe sp:price (xsd:decimal or plain text > xsd:decimal)', 'additive limit-loosened sp:Shoe sp:price (at least 1 > )']],
    ['a text has no bound any more', range('[ xsd:minLength 1 ]', 'string'), ['owl:allValuesFrom xsd:decimal', 'owl:allValuesFrom xsd:string'], ['additive limit-loosened sp:Shoe sp:price (at least 1 characters > )']],
    ['a bound of many digits is tightened', range('[ xsd:maxInclusive 9007199254740993 ]'), range('[ xsd:maxInclusive 9007199254740992 ]'), ['breaking limit-tightened sp:Shoe sp:price (at most 9007199254740993 > at most 9007199254740992)']],
    ['times get a zone',           range('[ xsd:minInclusive "2000-01-01T00:00:00" ]', 'dateTime'), range('[ xsd:minInclusive "2000-01-01T00:00:00Z" ]', 'dateTime'), ['breaking range-changed sp:Shoe sp:price (xsd:dateTime without a zone > xsd:dateTime with a zone)']],
    ['a bound is written anew',    range('[ xsd:minInclusive 1 ]'), range('[ xsd:minInclusive 1.0 ]'), []],
    ['the datatype becomes another', range('[ xsd:minInclusive 1 ]'), range('[ xsd:minInclusive 1 ]', 'integer'), ['breaking range-changed sp:Shoe sp:price (xsd:decimal > xsd:integer)']],
    ['a text may be longer',       range('[ xsd:length 5 ]', 'string'), range('[ xsd:minLength 5 ] [ xsd:maxLength 9 ]', 'string'), ['additive limit-loosened sp:Shoe sp:price (at most 5 characters > at most 9 characters)']],
    ['a list gets longer',         list('"a"', '"b"'), list('"a"', '"b"', '"c"'), ['breaking property-choice-added sp:Shoe sp:price ( > c)']],
    ['a list gets shorter',        list('"a"', '"b"'), list('"a"'), ['breaking property-choice-removed sp:Shoe sp:price (b > )']],
    ['a list loses its datatype',  list('1', '2'), list('1', '"2"'), ['breaking property-choice-removed sp:Shoe sp:price (2 of xsd:integer > )']],
    ['a list is opened',           list('"a"', '"b"'), ['owl:allValuesFrom xsd:decimal', 'owl:allValuesFrom rdfs:Literal'], ['breaking property-choices-opened sp:Shoe sp:price (a, b > )']],
    ['a list is written anew',     list('"a"', '"b"'), list('"b"', '"a"'), []],
  ])('%s', async (_, was, is, found) => {
    expect((await differences(edited(before, was), edited(before, is))).map(lineOf)).toEqual(found);
  });

  test('is the same whether its datatype has a name or not', async () => {
    const named = (bound: number): string =>
      edited(
        before,
        ['owl:allValuesFrom xsd:decimal', 'owl:allValuesFrom sp:Cost'],
        ['', `sp:Cost a rdfs:Datatype ; owl:equivalentClass ${bounded(`[ xsd:minInclusive ${bound} ]`)} .`],
      );
    expect((await differences(named(1), named(0))).map(lineOf)).toEqual([
      'additive limit-loosened sp:Shoe sp:price (at least 1 > at least 0)',
    ]);
  });
});

test('what a class inherits is reported once, where it is stated', async () => {
  const rule =
    'sp:Statement rdfs:subClassOf [ a owl:Restriction ; owl:onProperty sp:weight ; owl:cardinality 1 ] .';
  expect((await differences(before, edited(before, ['', rule]))).map(lineOf)).toEqual([
    'breaking rule-required sp:Statement sp:weight ( > exactly 1 of literal)',
  ]);
});

test('the heaviest changes come first', async () => {
  const changes = await differences(
    before,
    edited(
      before,
      ['', 'sp:Apron a owl:Class .'],
      ['rdfs:label "Boot"', 'rdfs:label "Boots"'],
      ['"get_lace"', '"lace"'],
    ),
  );
  expect(changes.map(({ kind }) => changeKinds[kind].weight)).toEqual(['breaking', 'additive', 'editorial']);
});
