import { api, cg } from '../../rdf/vocabulary.js';
import type { Graph } from '../graph.js';
import { dateOperators, textOperators } from '../model.js';
import { valueTypes } from '../value-types.js';
import type { CallModel, FilterModel, Ontology, ParameterModel } from '../model.js';
import { shortName } from '../term-names.js';
import { problem } from './ontology-problem.js';
import type { OntologyProblem } from './ontology-problem.js';

/** What a call links, and what it must be declared as. */
const links = [
  [api.hasFilter, api.Filter, 'filter'],
  [api.hasParameter, api.Parameter, 'parameter'],
] as const;

/** Query parameters that every call has. */
const common = new Set(['_format']);

/** Filters and parameters that say too little, or whose names meet on one call. */
export function parameterProblems(graph: Graph, ontology: Ontology): OntologyProblem[] {
  return [
    ...links.flatMap(([link, type, what]) =>
      graph.instances(api.Call).flatMap((call) =>
        graph
          .objects(call, link)
          .filter((object) => !graph.hasType(object, type))
          .map((object) =>
            problem(
              `call-${what}`,
              call,
              `links ${shortName(object.value)}, which is not declared as a ${what}`,
              object.value,
            ),
          ),
      ),
    ),
    ...links.flatMap(([, type, what]) =>
      graph.instances(type).flatMap((iri) => ownProblems(graph, iri, what)),
    ),
    ...unique(ontology.calls.flatMap(({ filters }) => filters)).flatMap(filterProblems),
    ...unique(ontology.calls.flatMap(({ parameters }) => parameters)).flatMap((parameter) =>
      searchProblems(graph, ontology, parameter),
    ),
    ...ontology.calls.flatMap(nameProblems),
  ];
}

function ownProblems(graph: Graph, iri: string, what: 'filter' | 'parameter'): OntologyProblem[] {
  const found: OntologyProblem[] = [];
  const names = graph.objects(iri, api.clientParameterName);
  const name = names[0]?.value ?? '';
  if (names.length !== 1)
    found.push(
      problem(`${what}-name`, iri, 'must state exactly one client parameter name', api.clientParameterName),
    );
  else if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    found.push(
      problem(
        `${what}-name`,
        iri,
        `has a client parameter name that is no ASCII identifier: ${name}`,
        api.clientParameterName,
      ),
    );
  }
  const types = graph.objects(iri, cg.valueType).map((term) => term.value);
  if (types.length !== 1 || !(valueTypes as readonly string[]).includes(types[0] ?? '')) {
    found.push(
      problem(
        `${what}-type`,
        iri,
        `must state exactly one cg:valueType of ${valueTypes.join(', ')}`,
        cg.valueType,
      ),
    );
  } else if (types[0] === 'choice' && graph.objects(iri, cg.choice).length === 0) {
    found.push(problem(`${what}-choice`, iri, 'has the value type choice but no cg:choice', cg.valueType));
  }
  const patterns = graph.objects(iri, api.filterSparql).length;
  if (what === 'filter' ? patterns !== 1 : patterns > 1) {
    found.push(
      problem(
        `${what}-pattern`,
        iri,
        `must state one api:filterSparql, it states ${patterns}`,
        api.filterSparql,
      ),
    );
  }
  return found;
}

function unique<T extends { iri: string }>(models: readonly T[]): T[] {
  return [...new Map(models.map((model) => [model.iri, model])).values()];
}

function filterProblems(filter: FilterModel): OntologyProblem[] {
  if (filter.valueType !== 'date') return [];
  const found: OntologyProblem[] = [];
  if (filter.operator === undefined) {
    const allowed = dateOperators.join(', ');
    found.push(
      problem(
        'filter-operator',
        filter.iri,
        `compares dates and must state one cg:operator of ${allowed}`,
        cg.operator,
      ),
    );
  }
  if (filter.properties.length === 0) {
    found.push(
      problem(
        'filter-pattern',
        filter.iri,
        'compares dates, so its pattern must bind them as ?v property ?d',
        api.filterSparql,
      ),
    );
  }
  return found;
}

function searchProblems(
  graph: Graph,
  { terms }: Ontology,
  { iri, operator, paths, valueType }: ParameterModel,
): OntologyProblem[] {
  const stated = graph.value(iri, cg.operator);
  if (stated === undefined) return [];
  if (operator === undefined) {
    return [
      problem(
        'parameter-operator',
        iri,
        `may state as cg:operator one of ${textOperators.join(', ')}`,
        cg.operator,
      ),
    ];
  }
  if ((valueType === 'name') !== (operator === 'begins')) {
    return [
      problem('parameter-operator', iri, 'must state begins for names, and equals for all else', cg.operator),
    ];
  }
  if (paths.length === 0) {
    return [
      problem(
        'parameter-pattern',
        iri,
        'states an operator, so its pattern must bind ?d as ?v path ?d',
        api.filterSparql,
      ),
    ];
  }
  return [...new Set(paths.flat())]
    .filter((property) => !terms.has(property))
    .map((property) =>
      problem(
        'undeclared-term',
        iri,
        `compares ${shortName(property)}, which is not declared`,
        api.filterSparql,
      ),
    );
}

function nameProblems(call: CallModel): OntologyProblem[] {
  const seen = new Set<string>();
  const names = [...call.pathParameters, ...[...call.parameters, ...call.filters].map(({ name }) => name)];
  return names.flatMap((name) => {
    const fault = seen.has(name) ? 'twice' : common.has(name) ? 'which every call has already' : undefined;
    seen.add(name);
    return fault === undefined
      ? []
      : [problem('parameter-twice', call.iri, `declares the parameter ${name} ${fault}`, api.hasParameter)];
  });
}
