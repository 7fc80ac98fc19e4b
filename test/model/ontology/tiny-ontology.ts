/** A small ontology that passes the check: one statement class with a list, an item, filters and enumerated sizes. */
export const tinyOntology = `
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix sp: <http://smartplatforms.org/terms#> .
@prefix spcode: <http://smartplatforms.org/terms/codes/> .
@prefix size: <http://smartplatforms.org/terms/codes/Size#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix api: <http://smartplatforms.org/terms/api#> .
@prefix calls: <http://smartplatforms.org/terms/api/calls#> .
@prefix filters: <http://smartplatforms.org/terms/api/filters#> .
@prefix params: <http://smartplatforms.org/terms/api/parameters#> .
@prefix cg: <https://chartgraph.example.org/terms#> .

sp: a owl:Ontology ; owl:versionInfo "0.1" .

api:Call a owl:Class . api:Filter a owl:Class . api:Parameter a owl:Class .
api:clientMethodName a owl:AnnotationProperty . api:httpMethod a owl:AnnotationProperty .
api:path a owl:AnnotationProperty . api:target a owl:AnnotationProperty . api:category a owl:AnnotationProperty .
api:cardinality a owl:AnnotationProperty . api:defaultSort a owl:AnnotationProperty .
api:base_path a owl:AnnotationProperty . api:hasFilter a owl:ObjectProperty . api:hasParameter a owl:ObjectProperty .
api:clientParameterName a owl:AnnotationProperty . api:filterSparql a owl:AnnotationProperty .
cg:answer a owl:AnnotationProperty . cg:valueType a owl:AnnotationProperty . cg:operator a owl:AnnotationProperty .
cg:codeBase a owl:AnnotationProperty . cg:choice a owl:AnnotationProperty . cg:sortNames a owl:AnnotationProperty .

sp:Statement a owl:Class ; rdfs:subClassOf
  [ a owl:Restriction ; owl:onProperty sp:belongsTo ; owl:cardinality 1 ] ,
  [ a owl:Restriction ; owl:onProperty sp:belongsTo ; owl:allValuesFrom sp:MedicalRecord ] ,
  [ a owl:Restriction ; owl:onProperty sp:startDate ; owl:maxCardinality 1 ] .
sp:MedicalRecord a owl:Class ; api:base_path "/records/{record_id}" .
sp:Component a owl:Class .
sp:Code a owl:Class ; rdfs:subClassOf sp:Component ,
  [ a owl:Restriction ; owl:onProperty dcterms:title ; owl:cardinality 1 ] ,
  [ a owl:Restriction ; owl:onProperty dcterms:identifier ; owl:cardinality 1 ] ,
  [ a owl:Restriction ; owl:onProperty sp:system ; owl:cardinality 1 ] .
sp:CodedValue a owl:Class ; rdfs:subClassOf sp:Component ,
  [ a owl:Restriction ; owl:onProperty dcterms:title ; owl:cardinality 1 ] ,
  [ a owl:Restriction ; owl:onProperty sp:code ; owl:cardinality 1 ] ,
  [ a owl:Restriction ; owl:onProperty sp:code ; owl:allValuesFrom sp:Code ] .
sp:ValueAndUnit a owl:Class ; rdfs:subClassOf sp:Component .

sp:Shoe a owl:Class ; rdfs:label "Shoe" ; rdfs:subClassOf sp:Statement ,
  [ a owl:Restriction ; owl:onProperty sp:startDate ; owl:cardinality 1 ] ,
  [ a owl:Restriction ; owl:onProperty sp:startDate ; owl:allValuesFrom rdfs:Literal ] ,
  [ a owl:Restriction ; owl:onProperty sp:size ; owl:qualifiedCardinality 1 ; owl:onClass sp:CodedValue ] ,
  [ a owl:Restriction ; owl:onProperty sp:size ; owl:allValuesFrom
    [ owl:intersectionOf ( sp:CodedValue [ a owl:Restriction ; owl:onProperty sp:code ; owl:allValuesFrom spcode:Size ] ) ] ] ,
  [ a owl:Restriction ; owl:onProperty sp:length ; owl:maxCardinality 2 ] ,
  [ a owl:Restriction ; owl:onProperty sp:length ; owl:allValuesFrom sp:ValueAndUnit ] ,
  [ a owl:Restriction ; owl:onProperty sp:length ; owl:allValuesFrom
    [ a owl:Restriction ; owl:onProperty sp:unit ; owl:hasValue "cm" ] ] ;
  api:base_path "/records/{record_id}/shoes/{shoe_id}" .

spcode:Size a owl:Class ; rdfs:subClassOf sp:Code ; owl:equivalentClass [ a owl:Class ; owl:oneOf ( size:small size:large ) ] .
size:small a owl:NamedIndividual , spcode:Size ; dcterms:title "Small" .
size:large a owl:NamedIndividual , spcode:Size ; dcterms:title "Large" ;
  sp:system "http://smartplatforms.org/terms/codes/Size#" ; dcterms:identifier "large" .

sp:belongsTo a owl:ObjectProperty . sp:size a owl:ObjectProperty . sp:code a owl:ObjectProperty .
sp:length a owl:ObjectProperty . sp:unit a owl:DatatypeProperty ; cg:identifying "none" . sp:system a owl:DatatypeProperty ; cg:identifying "none" .
cg:identifying a owl:AnnotationProperty .
sp:sex a owl:DatatypeProperty ; cg:choice "male" , "female" ; cg:identifying "none" .
dcterms:title a owl:DatatypeProperty ; cg:identifying "text" . dcterms:identifier a owl:DatatypeProperty ; cg:identifying "direct" .
sp:startDate a owl:DatatypeProperty ; cg:valueType "date" ; cg:identifying "date" .

calls:get_shoes a api:Call ; api:clientMethodName "get_shoes" ; api:httpMethod "GET" ;
  api:path "/records/{record_id}/shoes/" ; api:target sp:Shoe ; api:category "record" ;
  api:cardinality "multiple" ; cg:answer "rdf" ; api:defaultSort "sp:startDate" ;
  api:hasFilter filters:shoes_from , filters:shoes_by_size ; api:hasParameter params:limit .
calls:search_shoes a api:Call ; api:clientMethodName "search_shoes" ; api:httpMethod "GET" ;
  api:path "/records/{record_id}/shoes/search" ; api:target sp:Shoe ; api:category "record" ;
  api:cardinality "multiple" ; cg:answer "rdf" ; cg:sortNames "sp:length/dcterms:title, sp:sex" ;
  api:hasParameter params:title .
calls:get_shoe a api:Call ; api:clientMethodName "get_shoe" ; api:httpMethod "GET" ;
  api:path "/records/{record_id}/shoes/{shoe_id}" ; api:target sp:Shoe ; api:category "record" ;
  api:cardinality "single" ; cg:answer "rdf" .

filters:shoes_from a api:Filter ; api:clientParameterName "date_from" ; cg:valueType "date" ; cg:operator "from" ;
  api:filterSparql "GRAPH ?v { ?v sp:startDate ?d }" .
filters:shoes_by_size a api:Filter ; api:clientParameterName "size" ; cg:valueType "code" ;
  cg:codeBase "http://smartplatforms.org/terms/codes/Size#" ;
  api:filterSparql "GRAPH ?v { ?v sp:size/sp:code {size} }" .
sp:sex rdfs:domain sp:Statement . sp:unit rdfs:domain sp:ValueAndUnit .
params:limit a api:Parameter ; api:clientParameterName "limit" ; cg:valueType "integer" .
params:title a api:Parameter ; api:clientParameterName "title" ; cg:valueType "name" ; cg:operator "begins" ;
  api:filterSparql "GRAPH ?v { ?v sp:length/(dcterms:title|sp:unit) ?d }" .
`;
