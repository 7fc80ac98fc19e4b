import { api, cg, rdfs } from '../rdf/vocabulary.js';
import { choicesOf, oneOf, valueTypeOf } from './annotations.js';
import type { Graph } from './graph.js';
import { alternatives, codeBase, comparedPaths, datedProperties, readPaths } from './filter-patterns.js';
import { answers, cardinalities, methods } from './answer-forms.js';
import { dateOperators, disclosures, scopes, textOperators } from './model.js';
import type { CallModel, FilterModel, ParameterModel } from './model.js';
import { PathTemplate } from './path-template.js';
import { expandName } from './term-names.js';

/** The calls that state all they need, in order of their IRIs; `checkOntology` names what the others lack. */
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
  const discloses = oneOf(disclosures, text(cg.discloses));
  const contentType = text(api.responseContentType);
  const allows = text(cg.allows);
  return {
    iri,
    name,
    method,
    path,
    pathParameters: PathTemplate.of(path).parameters,
    scope,
    ...(discloses !== undefined && { discloses }),
    target,
    cardinality,
    answer,
    ...(defaultSort !== undefined && { defaultSort }),
    sortProperties: alternatives(text(cg.sortPath) ?? '') ?? (defaultSort === undefined ? [] : [defaultSort]),
    sortNames: (text(cg.sortNames) ?? '').split(',').flatMap((path) => readPaths(path).slice(0, 1)),
    ...(contentType !== undefined && { contentType }),
    parameters: linked(graph, iri, api.hasParameter, readParameter),
    filters: linked(graph, iri, api.hasFilter, readFilter),
    label: text(rdfs.label) ?? name,
    comment: text(rdfs.comment) ?? '',
    ...(allows !== undefined && { allows }),
  };
}

/** The property of api:defaultSort, which is a prefixed name as text in the vocabulary's own data, or an IRI. */
export function readSort(graph: Graph, call: string): string | undefined {
  const sort = graph.objects(call, api.defaultSort)[0];
  return sort?.termType === 'Literal' ? (expandName(sort.value) ?? sort.value) : sort?.value;
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

function readParameter(graph: Graph, iri: string): ParameterModel | undefined {
  const name = graph.value(iri, api.clientParameterName);
  if (name === undefined) return undefined;
  const pattern = graph.value(iri, api.filterSparql);
  const operator = oneOf(textOperators, graph.value(iri, cg.operator));
  return {
    iri,
    name,
    comment: graph.value(iri, rdfs.comment) ?? '',
    valueType: valueTypeOf(graph, iri) ?? 'text',
    choices: choicesOf(graph, iri),
    ...(pattern !== undefined && { pattern }),
    ...(operator !== undefined && { operator }),
    paths: operator === undefined ? [] : comparedPaths(pattern ?? ''),
  };
}

function readFilter(graph: Graph, iri: string): FilterModel | undefined {
  const name = graph.value(iri, api.clientParameterName);
  const pattern = graph.value(iri, api.filterSparql);
  if (name === undefined || pattern === undefined) return undefined;
  const operator = oneOf(dateOperators, graph.value(iri, cg.operator));
  const properties = datedProperties(pattern);
  const base = graph.value(iri, cg.codeBase) ?? codeBase(pattern, name);
  const property = properties[0];
  return {
    iri,
    name,
    comment: graph.value(iri, rdfs.comment) ?? '',
    valueType: valueTypeOf(graph, iri) ?? 'text',
    pattern,
    ...(operator !== undefined && { operator }),
    ...(property !== undefined && { property }),
    properties,
    ...(base !== undefined && { codeBase: base }),
  };
}
