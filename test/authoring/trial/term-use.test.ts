import { expect, test } from 'vitest';
import { readOntology } from '../../../src/model/ontology/read.js';
import { parseRdf } from '../../../src/rdf/parse.js';
import { prefixes } from '../../../src/rdf/vocabulary.js';
import { shortName } from '../../../src/model/ontology/term-names.js';
import { namesIn, unusedTerms } from '../../../src/authoring/trial/term-use.js';

const ontology = `
@prefix rdfs: <${prefixes.rdfs}> . @prefix owl: <${prefixes.owl}> . @prefix dcterms: <${prefixes.dcterms}> .
@prefix sp: <${prefixes.sp}> . @prefix spcode: <${prefixes.spcode}> . @prefix api: <${prefixes.api}> .
@prefix cg: <${prefixes.cg}> . @prefix filters: <${prefixes.filters}> . @prefix calls: <${prefixes.calls}> .
sp: a owl:Ontology .
api:Call a owl:Class . api:Filter a owl:Class . api:Set a owl:Class .
api:clientMethodName a owl:AnnotationProperty . api:hasFilter a owl:ObjectProperty . api:doc a owl:AnnotationProperty .
sp:Code a owl:Class . spcode:Size a owl:Class ; rdfs:subClassOf sp:Code .
spcode:big a spcode:Size . spcode:small a spcode:Size .
sp:Garment a owl:Class . sp:Shoe a owl:Class ; rdfs:subClassOf sp:Garment . sp:Hat a owl:Class . sp:Glove a owl:Class .
sp:size a owl:ObjectProperty . sp:price a owl:DatatypeProperty . sp:worth a owl:DatatypeProperty ; cg:generatedFrom sp:price .
sp:date a owl:DatatypeProperty . sp:brim a owl:DatatypeProperty . sp:old a owl:DatatypeProperty ; owl:deprecated true .
cg:generatedFrom a owl:AnnotationProperty . sp:leather a owl:NamedIndividual . sp:wool a owl:NamedIndividual .
calls:get_hat a api:Call ; api:clientMethodName "get_hat" ; api:httpMethod "GET" ; api:path "/hat" ; api:target sp:Hat ;
  api:category "container" ; api:cardinality "multiple" ; cg:answer "rdf" ; api:hasFilter filters:from .
filters:from a api:Filter ; api:clientParameterName "from" ; cg:valueType "date" ; cg:operator "from" ;
  api:filterSparql "GRAPH ?v { ?v sp:date ?d }" .
filters:stray a api:Filter ; api:clientParameterName "stray" ; api:filterSparql "GRAPH ?v { ?v sp:brim ?d }" .
`;
const data = `
@prefix sp: <${prefixes.sp}> . @prefix spcode: <${prefixes.spcode}> .
[] a sp:Shoe ; sp:size spcode:big ; sp:price 1 . spcode:big a spcode:Size .
`;
const query = `PREFIX s: <${prefixes.sp}> CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o ; a s:Hat ; ?x s:leather }`;

test('terms that neither data nor a query names are reported, with what they are', async () => {
  const quads = await parseRdf(ontology, { format: 'turtle' });
  const unused = unusedTerms({
    ontology: readOntology(quads),
    quads,
    queries: [query],
    data: new Set(namesIn(await parseRdf(data, { format: 'turtle' }))),
  });
  expect(unused.map(({ iri, kind, deprecated }) => [kind, shortName(iri), deprecated])).toEqual([
    ['class', 'sp:Glove', false],
    ['class', 'api:Set', false],
    ['code', 'spcode:small', false],
    ['filter or parameter', 'filters:stray', false],
    ['other term', 'sp:wool', false],
    ['property', 'sp:brim', false],
    ['property', 'sp:old', true],
    ['property', 'api:doc', false],
  ]);
});
