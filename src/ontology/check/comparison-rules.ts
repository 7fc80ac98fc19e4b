import { api, cg } from '../../rdf/vocabulary.js';
import type { Graph } from '../graph.js';
import { dateOperators, textOperators, type FilterModel, type ParameterModel } from '../model.js';
import type { Breach, OntologyInput, OntologyRule } from './rule.js';

function unique<T extends { iri: string }>(models: readonly T[]): T[] {
  return [...new Map(models.map((model) => [model.iri, model])).values()];
}

const allFilters = ({ ontology }: OntologyInput): FilterModel[] =>
  unique(ontology.calls.flatMap(({ filters }) => filters));

/** The filters that compare dates: their patterns are read, not run. */
const dateFilters = (input: OntologyInput): FilterModel[] =>
  allFilters(input).filter(({ valueType }) => valueType === 'date');

/** The parameters that state how they are compared: their patterns are read, not run. */
const searchTerms = ({ graph, ontology }: OntologyInput): ParameterModel[] =>
  unique(ontology.calls.flatMap(({ parameters }) => parameters)).filter(
    ({ iri }) => graph.value(iri, cg.operator) !== undefined,
  );

const fits = ({ valueType, operator }: ParameterModel): boolean =>
  (valueType === 'name') === (operator === 'begins');

/** How many patterns a filter or parameter has, where that is not as it should be. */
function counted(graph: Graph, type: string, isRight: (count: number) => boolean): Breach[] {
  return graph.instances(type).flatMap((subject) => {
    const count = graph.objects(subject, api.filterSparql).length;
    const says = `must state one api:filterSparql, it states ${count}`;
    return isRight(count) ? [] : [{ subject, says, near: api.filterSparql }];
  });
}

const filterPattern: OntologyRule = {
  id: 'filter-pattern',
  severity: 'error',
  summary: 'A filter has one pattern, and that of a date filter binds the date as ?v property ?d.',
  hint: 'State one api:filterSparql, for a date such as GRAPH ?v { ?v dcterms:date ?d }.',
  check: (input) => [
    ...counted(input.graph, api.Filter, (count) => count === 1),
    ...dateFilters(input)
      .filter(({ properties }) => properties.length === 0)
      .map(({ iri: subject }) => ({
        subject,
        says: 'compares dates, so its pattern must bind them as ?v property ?d',
        near: api.filterSparql,
      })),
  ],
};

const filterOperator: OntologyRule = {
  id: 'filter-operator',
  severity: 'error',
  summary: 'A date filter says which side it keeps, and no other filter does.',
  hint: 'State one cg:operator with the value type date: from, from_excluding, to or to_excluding.',
  check: (input) => [
    ...dateFilters(input)
      .filter(({ operator }) => operator === undefined)
      .map(({ iri: subject }) => ({
        subject,
        says: `compares dates and must state one cg:operator of ${dateOperators.join(', ')}`,
        near: cg.operator,
      })),
    ...allFilters(input)
      .filter(
        ({ iri, valueType }) => valueType !== 'date' && input.graph.value(iri, cg.operator) !== undefined,
      )
      .map(({ iri: subject }) => ({
        subject,
        says: 'states a cg:operator, which compares dates, so its cg:valueType must be date',
        near: cg.valueType,
      })),
  ],
};

const parameterPattern: OntologyRule = {
  id: 'parameter-pattern',
  severity: 'error',
  summary:
    'A parameter has at most one pattern, and with an operator it binds what is compared as ?v path ?d.',
  hint: 'State one api:filterSparql, such as GRAPH ?v { ?v v:n/v:family-name ?d }.',
  check: (input) => [
    ...counted(input.graph, api.Parameter, (count) => count <= 1),
    ...searchTerms(input)
      .filter((term) => term.operator !== undefined && fits(term) && term.paths.length === 0)
      .map(({ iri: subject }) => ({
        subject,
        says: 'states an operator, so its pattern must bind ?d as ?v path ?d',
        near: api.filterSparql,
      })),
  ],
};

const parameterOperator: OntologyRule = {
  id: 'parameter-operator',
  severity: 'error',
  summary: 'The operator of a search term fits its value type.',
  hint: 'State cg:operator "begins" for names and "equals" for all else; codes are for filters.',
  check: (input) =>
    searchTerms(input)
      .filter((term) => term.operator === undefined || !fits(term) || term.valueType === 'code')
      .map(({ iri: subject, operator, valueType }) => ({
        subject,
        says:
          operator === undefined
            ? `may state as cg:operator one of ${textOperators.join(', ')}`
            : valueType === 'code'
              ? 'compares texts, so its cg:valueType cannot be code'
              : 'must state begins for names, and equals for all else',
        near: cg.operator,
      })),
};

/** Rules about what filters and search terms compare, and how. */
export const comparisonRules = [filterPattern, filterOperator, parameterPattern, parameterOperator];
