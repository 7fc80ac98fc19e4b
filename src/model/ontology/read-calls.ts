import { api, cg, rdfs } from '../../rdf/vocabulary.js';
import { choicesOf, oneOf, valueTypeOf } from './annotations.js';
import type { Graph } from './graph.js';
import {
  alternatives,
  codeBase,
  comparedPaths,
  datedProperties,
  iriOf,
  readPaths,
} from './filter-patterns.js';
import { answers, cardinalities, methods } from './answer-forms.js';
import {
  dateOperators,
  disclosures,
  scopes,
  textOperators,
  type CallModel,
  type FilterModel,
  type ParameterModel,
} from './model.js';
import { PathTemplate } from './path-template.js';

/** Reads the complete calls in order of their IRIs; `checkOntology` reports what the others lack. */
export function readCalls(graph: Graph): CallModel[] {
  return graph.instances(api.Call).flatMap((iri) => readCall(graph, iri) ?? []);
}

function readCall(graph: Graph, iri: string): CallModel | undefined {
  const text = (property: string): string | undefined => graph.value(iri, property);
  const name = text(api.clientMethodName);
  const path = text(api.path);
  const target = text(api.target);
  const method = oneOf(methods, text(api.httpMethod)?.toUpperCase());
  const scope = oneOf(scopes, text(api.category));
  const cardinality = oneOf(cardinalities, text(api.cardinality));
  const answer = oneOf(answers, text(cg.answer));
  if (!name || !path || !target || !method || !scope || !cardinality || !answer) return undefined;
  const defaultSort = readSort(graph, iri);
  return {
    iri,
    name,
    method,
    path,
    pathParameters: PathTemplate.of(path).parameters,
    scope,
    discloses: oneOf(disclosures, text(cg.discloses)),
    target,
    cardinality,
    answer,
    defaultSort,
    sortProperties: alternatives(text(cg.sortPath) ?? '') ?? (defaultSort === undefined ? [] : [defaultSort]),
    sortNames: (text(cg.sortNames) ?? '').split(',').flatMap((path) => readPaths(path).slice(0, 1)),
    contentType: text(api.responseContentType),
    parameters: linked(graph, iri, api.hasParameter, readParameter),
    filters: linked(graph, iri, api.hasFilter, readFilter),
    label: text(rdfs.label) ?? name,
    comment: text(rdfs.comment) ?? '',
    allows: text(cg.allows),
  };
}

/** The property of api:defaultSort: an IRI or, in the vocabulary's own data, a prefixed name as text. */
export function readSort(graph: Graph, call: string): string | undefined {
  const sort = graph.objects(call, api.defaultSort)[0];
  return sort?.termType === 'Literal' ? (iriOf(sort.value) ?? sort.value) : sort?.value;
}

function linked<T extends { name: string }>(
  graph: Graph,
  call: string,
  property: string,
  read: (graph: Graph, iri: string) => T | undefined,
): T[] {
  const models = graph.iris(call, property).flatMap((iri) => read(graph, iri) ?? []);
  return models.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readArgument(graph: Graph, iri: string) {
  const name = graph.value(iri, api.clientParameterName);
  if (name === undefined) return undefined;
  const comment = graph.value(iri, rdfs.comment) ?? '';
  return { iri, name, comment, valueType: valueTypeOf(graph, iri) ?? 'text' };
}

function readParameter(graph: Graph, iri: string): ParameterModel | undefined {
  const argument = readArgument(graph, iri);
  const pattern = graph.value(iri, api.filterSparql);
  const operator = oneOf(textOperators, graph.value(iri, cg.operator));
  return (
    argument && {
      ...argument,
      choices: choicesOf(graph, iri),
      pattern,
      operator,
      paths: operator === undefined ? [] : comparedPaths(pattern ?? ''),
    }
  );
}

function readFilter(graph: Graph, iri: string): FilterModel | undefined {
  const argument = readArgument(graph, iri);
  const pattern = graph.value(iri, api.filterSparql);
  if (!argument || pattern === undefined) return undefined;
  const properties = datedProperties(pattern);
  return {
    ...argument,
    pattern,
    operator: oneOf(dateOperators, graph.value(iri, cg.operator)),
    property: properties[0],
    properties,
    codeBase: graph.value(iri, cg.codeBase) ?? codeBase(pattern, argument.name),
  };
}
