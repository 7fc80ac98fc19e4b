import { answers, methods } from '../answer-forms.js';
import { valueTypes } from '../value-types.js';
import type { Rule } from './rule.js';

const oneOf = (values: readonly string[]): string => `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;

/** Every rule that an ontology is held to, in the order of its parts: terms, classes, codes, calls, parameters. */
export const ontologyRules = [
  {
    id: 'ontology-header',
    severity: 'error',
    summary: 'The folder describes one owl:Ontology with one owl:versionInfo.',
    hint: 'State the header once, with its version.',
  },
  {
    id: 'undeclared-term',
    severity: 'error',
    summary: 'A term of the vocabularies is declared before it is used.',
    hint: 'Look for a misspelt name, or declare the term with its kind.',
  },
  {
    id: 'unused-term',
    severity: 'warning',
    summary: 'A declared class, property, filter, parameter or listed code is used somewhere.',
    hint: 'Use it, remove it, or mark it owl:deprecated true when it is kept for older data and readers.',
  },
  {
    id: 'missing-label',
    severity: 'warning',
    summary: 'A class, property, call, filter or parameter has a label.',
    hint: 'Add rdfs:label with a short name for people.',
  },
  {
    id: 'missing-comment',
    severity: 'warning',
    summary: 'A class, property, call, filter or parameter has a comment.',
    hint: 'Add rdfs:comment with a sentence that says what it means.',
  },
  {
    id: 'xml-name',
    severity: 'error',
    summary: 'The IRI of a property ends in an XML name, so that RDF/XML can carry it.',
    hint: 'Let the name begin with a letter or underscore, and hold letters, digits, hyphens and dots only.',
  },
  {
    id: 'undeclared-class',
    severity: 'error',
    summary: 'A parent or range of a class is declared as an owl:Class.',
    hint: 'Declare the class, or name the one that is meant.',
  },
  {
    id: 'undeclared-property',
    severity: 'error',
    summary: 'A property that a class restricts is declared as a property.',
    hint: 'Declare it as owl:ObjectProperty or owl:DatatypeProperty.',
  },
  {
    id: 'property-kind',
    severity: 'error',
    summary: 'Object properties lead to nodes, datatype properties to literals.',
    hint: 'Change the kind of the property, or the range that the class gives it.',
  },
  {
    id: 'missing-range',
    severity: 'error',
    summary: 'An object property has a range wherever a class restricts it.',
    hint: 'Add a restriction with owl:allValuesFrom and the class of the value.',
  },
  {
    id: 'several-ranges',
    severity: 'error',
    summary: 'A class and its ancestors give a property one range.',
    hint: 'Keep one owl:allValuesFrom or owl:onClass, if need be with a common parent.',
  },
  {
    id: 'mixed-range',
    severity: 'error',
    summary: 'A property of a class is a literal or a node, not both.',
    hint: 'Keep rdfs:Literal or the class.',
  },
  {
    id: 'repeated-cardinality',
    severity: 'error',
    summary: 'A class and its ancestors state each kind of cardinality once for a property.',
    hint: 'Remove the restriction here or at the ancestor, or take another kind (owl:maxCardinality beside owl:minCardinality).',
  },
  {
    id: 'impossible-cardinality',
    severity: 'error',
    summary: 'The least number of values is not above the greatest.',
    hint: 'Raise the maximum or lower the minimum; both may be inherited.',
  },
  {
    id: 'several-enumerations',
    severity: 'error',
    summary: 'A class has at most one owl:oneOf.',
    hint: 'Put all members into one list.',
  },
  {
    id: 'enumeration-member',
    severity: 'error',
    summary:
      'A member of a code set is typed with its class, and its IRI is its system followed by its identifier.',
    hint: 'Add the class as a type; make IRI, sp:system and dcterms:identifier fit together.',
  },
  {
    id: 'code-title',
    severity: 'error',
    summary: 'A code of a closed set has a title.',
    hint: 'Add dcterms:title with the name that people read.',
  },
  {
    id: 'code-system',
    severity: 'warning',
    summary: 'A code of a closed set states its system and its identifier.',
    hint: 'Add sp:system (what stands before the identifier in the IRI) and dcterms:identifier.',
  },
  {
    id: 'call-name',
    severity: 'error',
    summary:
      'A call has one client method name, an identifier that no other call and no client attribute has.',
    hint: 'Give it one api:clientMethodName of letters, digits and underscores.',
  },
  {
    id: 'call-method',
    severity: 'error',
    summary: 'A call has one HTTP method that the container knows.',
    hint: `State one api:httpMethod: ${oneOf(methods)}.`,
  },
  {
    id: 'call-path',
    severity: 'error',
    summary: 'A call has one path of plain segments and {placeholders}, each placeholder once.',
    hint: 'Write it like /records/{record_id}/things/{thing_id}.',
  },
  {
    id: 'call-path-parameter',
    severity: 'error',
    summary: 'The path of a record or user call begins with the parameter of its scope.',
    hint: 'Begin the path with /records/{record_id} or /users/{user_id}, or change api:category.',
  },
  {
    id: 'call-route',
    severity: 'error',
    summary: 'No two calls have the same method and path.',
    hint: 'Change one of the paths; names of placeholders and a slash at the end do not tell paths apart.',
  },
  {
    id: 'call-scope',
    severity: 'error',
    summary: 'A call has one scope.',
    hint: 'State one api:category: container, record or user.',
  },
  {
    id: 'call-target',
    severity: 'error',
    summary: 'A call has one target, a declared class.',
    hint: 'State one api:target, the class of what the call reads or writes.',
  },
  {
    id: 'call-cardinality',
    severity: 'error',
    summary: 'A call says whether it answers with one resource or a list.',
    hint: 'State one api:cardinality: single or multiple.',
  },
  {
    id: 'call-answer',
    severity: 'error',
    summary: 'A call says in which form it answers.',
    hint: `State one cg:answer: ${oneOf(answers)}.`,
  },
  {
    id: 'call-base-path',
    severity: 'error',
    summary: 'The statement class that a call reads or writes has a base path.',
    hint: 'Add api:base_path to the class: the path of one instance.',
  },
  {
    id: 'call-item-path',
    severity: 'warning',
    summary: 'The call for a single statement has the base path of its class.',
    hint: 'Make api:path of the call and api:base_path of the class the same, so that what has an IRI can be fetched.',
  },
  {
    id: 'call-filter',
    severity: 'error',
    summary: 'What a call links as a filter is declared as one.',
    hint: 'Declare it as api:Filter, or link the filter that is meant.',
  },
  {
    id: 'call-parameter',
    severity: 'error',
    summary: 'What a call links as a parameter is declared as one.',
    hint: 'Declare it as api:Parameter, or link the parameter that is meant.',
  },
  {
    id: 'sort-names',
    severity: 'error',
    summary: 'The paths that a list is ordered by are paths of properties, separated by commas.',
    hint: 'Write each as properties with slashes between them, such as v:n/v:family-name.',
  },
  {
    id: 'filter-name',
    severity: 'error',
    summary: 'A filter has one name, an identifier.',
    hint: 'Give it one api:clientParameterName of letters, digits and underscores.',
  },
  {
    id: 'filter-type',
    severity: 'error',
    summary: 'A filter says how its value is read.',
    hint: `State one cg:valueType: ${oneOf(valueTypes)}.`,
  },
  {
    id: 'filter-choice',
    severity: 'error',
    summary: 'A filter of the value type choice lists its choices.',
    hint: 'Add cg:choice for each value that it takes.',
  },
  {
    id: 'filter-pattern',
    severity: 'error',
    summary: 'A filter has one pattern, and that of a date filter binds the date as ?v property ?d.',
    hint: 'State one api:filterSparql, for a date such as GRAPH ?v { ?v dcterms:date ?d }.',
  },
  {
    id: 'filter-operator',
    severity: 'error',
    summary: 'A date filter says which side it keeps.',
    hint: 'State one cg:operator: from, from_excluding, to or to_excluding.',
  },
  {
    id: 'parameter-name',
    severity: 'error',
    summary: 'A parameter has one name, an identifier.',
    hint: 'Give it one api:clientParameterName of letters, digits and underscores.',
  },
  {
    id: 'parameter-twice',
    severity: 'error',
    summary: 'The parameters of a call, those of its path included, have different names.',
    hint: 'Rename one; _format belongs to every call already.',
  },
  {
    id: 'parameter-type',
    severity: 'error',
    summary: 'A parameter says how its value is read.',
    hint: `State one cg:valueType: ${oneOf(valueTypes)}.`,
  },
  {
    id: 'parameter-choice',
    severity: 'error',
    summary: 'A parameter of the value type choice lists its choices.',
    hint: 'Add cg:choice for each value that it takes.',
  },
  {
    id: 'parameter-pattern',
    severity: 'error',
    summary:
      'A parameter has at most one pattern, and with an operator it binds what is compared as ?v path ?d.',
    hint: 'State one api:filterSparql, such as GRAPH ?v { ?v v:n/v:family-name ?d }.',
  },
  {
    id: 'parameter-operator',
    severity: 'error',
    summary: 'The operator of a search term fits its value type.',
    hint: 'State cg:operator "begins" for names and "equals" for all else.',
  },
] as const satisfies readonly Rule[];

export type OntologyRuleId = (typeof ontologyRules)[number]['id'];
