import { api, cg } from '../../rdf/vocabulary.js';
import type { Graph } from '../ontology/graph.js';
import {
  dateOperators,
  textOperators,
  isA,
  type FilterModel,
  type ParameterModel,
  type CallModel,
  type Ontology,
} from '../ontology/model.js';
import { shortName } from '../ontology/term-names.js';
import { breach, type Breach, type OntologyInput, type OntologyRule } from './rule.js';

function unique<T extends { iri: string }>(models: readonly T[]): T[] {
  return [...new Map(models.map((model) => [model.iri, model])).values()];
}

const allFilters = ({ ontology }: OntologyInput): FilterModel[] =>
  unique(ontology.calls.flatMap(({ filters }) => filters));

const dateFilters = (input: OntologyInput): FilterModel[] =>
  allFilters(input).filter(({ valueType }) => valueType === 'date');

/** Parameters with an operator; their patterns are read, not run. */
const searchTerms = ({ graph, ontology }: OntologyInput): ParameterModel[] =>
  unique(ontology.calls.flatMap(({ parameters }) => parameters)).filter(
    ({ iri }) => graph.value(iri, cg.operator) !== undefined,
  );

const fits = ({ valueType, operator }: ParameterModel): boolean =>
  (valueType === 'name') === (operator === 'begins');

function counted(graph: Graph, type: string, isRight: (count: number) => boolean): Breach[] {
  return graph.instances(type).flatMap((subject) => {
    const count = graph.objects(subject, api.filterSparql).length;
    const says = `must state one api:filterSparql, it states ${count}`;
    return isRight(count) ? [] : breach(subject, says, api.filterSparql);
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
      .map(({ iri }) =>
        breach(iri, 'compares dates, so its pattern must bind them as ?v property ?d', api.filterSparql),
      ),
  ],
};

const filterOperator: OntologyRule = {
  id: 'filter-operator',
  severity: 'error',
  summary: 'A date filter says which side it keeps, the one in its name, and no other filter does.',
  hint: 'State one cg:operator with the value type date: from, from_excluding, to or to_excluding.',
  check: (input) => [
    ...dateFilters(input)
      .filter(({ operator }) => operator === undefined)
      .map(({ iri: subject }) =>
        breach(
          subject,
          `compares dates and must state one cg:operator of ${dateOperators.join(', ')}`,
          cg.operator,
        ),
      ),
    ...dateFilters(input).flatMap(({ iri: subject, name, operator }) => {
      const [, said] = /(?:^|_)(from|to)(?:_|$)/.exec(name) ?? [];
      if (said === undefined || operator === undefined || operator.startsWith(said)) return [];
      return breach(
        subject,
        `is called ${name} and keeps the other side: cg:operator ${operator}`,
        cg.operator,
      );
    }),
    ...allFilters(input)
      .filter(
        ({ iri, valueType }) => valueType !== 'date' && input.graph.value(iri, cg.operator) !== undefined,
      )
      .map(({ iri: subject }) =>
        breach(
          subject,
          'states a cg:operator, which compares dates, so its cg:valueType must be date',
          cg.valueType,
        ),
      ),
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
      .map(({ iri }) =>
        breach(iri, 'states an operator, so its pattern must bind ?d as ?v path ?d', api.filterSparql),
      ),
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
      .map(({ iri: subject, operator, valueType }) =>
        breach(
          subject,
          operator === undefined
            ? `may state as cg:operator one of ${textOperators.join(', ')}`
            : valueType === 'code'
              ? 'compares texts, so its cg:valueType cannot be code'
              : 'must state begins for names, and equals for all else',
          cg.operator,
        ),
      ),
};

interface Comparison {
  readonly subject: string;
  readonly near: string;
  /** Continues a sentence that begins with the subject. */
  readonly does: string;
  readonly path: readonly string[];
  readonly isDate?: boolean;
}

/** The comparisons of a call that are read from the ontology instead of run as SPARQL. */
function comparisonsOf({ iri, sortProperties, sortNames, filters, parameters }: CallModel): Comparison[] {
  const sorts = { subject: iri, does: 'sorts by' };
  const compares = (subject: string) => ({ subject, near: api.filterSparql, does: 'compares' });
  return [
    ...sortProperties.map((property) => ({ ...sorts, near: api.defaultSort, path: [property] })),
    ...sortNames.map((path) => ({ ...sorts, near: cg.sortNames, path })),
    ...filters.flatMap((filter) =>
      filter.properties.map((property) => ({ ...compares(filter.iri), path: [property], isDate: true })),
    ),
    ...parameters.flatMap((term) => term.paths.map((path) => ({ ...compares(term.iri), path }))),
  ];
}

function breachOf(
  { subject, near, does, path, isDate = false }: Comparison,
  call: CallModel,
  { graph, ontology }: OntologyInput,
): Breach | undefined {
  const [first = '', last = first] = [path[0], path.at(-1)];
  const foreign = foreignProperty(ontology, call, first);
  if (foreign !== undefined) return breach(subject, `${does} ${foreign}`, near);
  const { kind, valueType } = ontology.properties.get(last) ?? {};
  // Other rules report properties that some class uses for literals, and unknown value types.
  const isLiteral = [...ontology.classes.values()].some(({ rules }) => rules.get(last)?.literal);
  const isStated = valueType !== undefined || graph.value(last, cg.valueType) === undefined;
  const fault =
    kind === 'object' && !isLiteral
      ? 'leads to nodes: only literals have an order'
      : isDate && kind === 'datatype' && isStated && valueType !== 'date'
        ? 'does not state cg:valueType "date"'
        : undefined;
  return fault && breach(subject, `${does} ${shortName(last)}, which ${fault}`, near);
}

/**
 * Says why instances of a call's target can never have a property; undefined when they may, because no class restricts
 * it, or a related one does: the target, an ancestor or descendant, or a class with its base path.
 */
export function foreignProperty(
  ontology: Ontology,
  { target }: CallModel,
  property: string,
): string | undefined {
  const own = ontology.classes.get(target);
  const having = [...ontology.classes.values()].filter(({ rules }) => rules.has(property));
  const isRelated = having.some(
    ({ iri, basePath }) =>
      isA(ontology, iri, target) ||
      isA(ontology, target, iri) ||
      (basePath !== undefined && basePath === own?.basePath),
  );
  if (own === undefined || having.length === 0 || isRelated) return undefined;
  const others = having.slice(0, 3).map(({ iri }) => shortName(iri));
  return `${shortName(property)}, which is no property of ${shortName(target)}, but of ${others.join(', ')}`;
}

export const comparedProperty: OntologyRule = {
  id: 'compared-property',
  severity: 'error',
  summary:
    'A list is ordered by one property of its target, and its filters and search terms compare properties of its target.',
  hint: 'Name a property that the class of api:target restricts, or restrict it there; at the end of a path stands one with literals.',
  check: (input) => [
    ...input.ontology.calls.flatMap(({ iri: subject }) => {
      const count = input.graph.objects(subject, api.defaultSort).length;
      const says = `must state at most one api:defaultSort, it states ${count}`;
      return count > 1 ? breach(subject, says, api.defaultSort) : [];
    }),
    ...input.ontology.calls.flatMap((call) =>
      comparisonsOf(call).flatMap((comparison) => breachOf(comparison, call, input) ?? []),
    ),
  ],
};

export const comparisonRules = [
  filterPattern,
  filterOperator,
  parameterPattern,
  parameterOperator,
  comparedProperty,
];
