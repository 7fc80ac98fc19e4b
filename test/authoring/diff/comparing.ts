import { compareOntologies } from '../../../src/authoring/diff/compare.js';
import { changeKinds } from '../../../src/authoring/diff/kinds.js';
import { shortName } from '../../../src/model/ontology/term-names.js';
import { readOntology } from '../../../src/model/ontology/read.js';
import { parseRdf } from '../../../src/rdf/parse.js';
import type { Change } from '../../../src/authoring/diff/change.js';
import { skos } from '../../../src/rdf/vocabulary.js';
import { tinyOntology } from '../../model/ontology/tiny-ontology.js';

/** The tiny ontology with a few more things that can change. */
export const before = `@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .${tinyOntology}
sp:Sole a owl:Class ; rdfs:subClassOf sp:Component .
spcode:Maker cg:impersonal sp:weight .
sp:Boot a owl:Class ; rdfs:label "Boot" ; rdfs:subClassOf sp:Shoe .
sp:Heel a owl:Class ; rdfs:subClassOf sp:Sole .
sp:Shoe rdfs:subClassOf
  [ a owl:Restriction ; owl:onProperty sp:sole ; owl:maxCardinality 1 ] ,
  [ a owl:Restriction ; owl:onProperty sp:sole ; owl:allValuesFrom sp:Heel ] ,
  [ a owl:Restriction ; owl:onProperty sp:price ; owl:maxCardinality 1 ] ,
  [ a owl:Restriction ; owl:onProperty sp:price ; owl:allValuesFrom xsd:decimal ] .
sp:Heel rdfs:subClassOf [ a owl:Restriction ; owl:onProperty sp:height ; owl:allValuesFrom
  [ a rdfs:Datatype ; owl:onDatatype xsd:decimal ; owl:withRestrictions ( [ xsd:minInclusive 1 ] [ xsd:maxInclusive 20 ] ) ] ] .
sp:height a owl:DatatypeProperty . sp:sole a owl:ObjectProperty . sp:price a owl:DatatypeProperty . sp:weight a owl:DatatypeProperty .
sp:worth a owl:DatatypeProperty ; cg:generatedFrom sp:price ; cg:identifying "place" .
sp:born a owl:DatatypeProperty ; cg:identifying "date" ; cg:precision "year" .
sp:lace a owl:DatatypeProperty ; rdfs:domain sp:Shoe .
spcode:Maker a owl:Class ; rdfs:subClassOf sp:Code .
spcode:Brand a owl:Class ; rdfs:subClassOf sp:Code .
<http://smartplatforms.org/terms/codes/Maker#acme> a spcode:Maker , spcode:Brand ; dcterms:title "Acme" .
<http://smartplatforms.org/terms/codes/Maker#acmeSport> a spcode:Maker ; dcterms:title "Acme Sport" ; <${skos.broader}> <http://smartplatforms.org/terms/codes/Maker#acme> .
<http://example.org/leather> a owl:NamedIndividual ; rdfs:label "leather" .
cg:generatedFrom a owl:AnnotationProperty . api:responseContentType a owl:AnnotationProperty .
api:clientParameterType a owl:AnnotationProperty . sp:old a owl:DatatypeProperty ; owl:deprecated true .
calls:get_shoe api:responseContentType "application/rdf+xml" ; api:hasParameter params:form .
params:form a api:Parameter ; api:clientParameterName "form" ; cg:valueType "choice" ; cg:choice "left" , "right" .
calls:get_lace a api:Call ; api:clientMethodName "get_lace" ; api:httpMethod "GET" ; api:path "/laces/{lace_id}" ;
  api:target sp:Shoe ; api:category "container" ; api:cardinality "single" ; cg:answer "rdf" ;
  api:hasParameter params:number .
calls:get_owner a api:Call ; api:clientMethodName "get_owner" ; api:httpMethod "GET" ; api:path "/owners/{id}" ;
  api:target sp:Shoe ; api:category "container" ; cg:discloses "directory" ; api:cardinality "single" ; cg:answer "rdf" .
params:number a api:Parameter ; api:clientParameterName "number" ; cg:valueType "integer" .
`;

/** One edit of Turtle text: what stands there, and what stands there afterwards. */
export type Edit = readonly [from: string, to: string];

/** Changes a text; an edit that finds nothing to change is a mistake of the test. */
export function edited(text: string, ...edits: readonly Edit[]): string {
  return edits.reduce((found, [from, to]) => {
    if (from !== '' && !found.includes(from)) throw new Error(`there is no ${from} to change`);
    return from === '' ? `${found}\n${to}` : found.replace(from, () => to);
  }, text);
}

/** What differs between two ontologies in Turtle. */
export async function differences(old: string, now: string): Promise<Change[]> {
  const [a, b] = await Promise.all([read(old), read(now)]);
  return compareOntologies(a, b);
}

async function read(turtle: string) {
  const quads = await parseRdf(turtle, { format: 'turtle' });
  return { ontology: readOntology(quads), quads };
}

/** A change as a line: weight, kind, term, and what it was and is. */
export function lineOf({ kind, subject, part, from, to }: Change): string {
  const values = from === undefined && to === undefined ? '' : ` (${from ?? ''} > ${to ?? ''})`;
  return `${changeKinds[kind].weight} ${kind} ${shortName(subject)}${part === undefined ? '' : ` ${part}`}${values}`;
}
