import { literal, namedNode, type Term } from '../../../rdf/terms.js';
import { bindFilter, hasPattern, type Bindable } from '../bind-filter.js';
import { listOrder } from '../list-order.js';
import { syntaxFault } from '../syntax.js';
import { patternFaults } from './check-patterns.js';
import { isAboutRecord } from './guards.js';
import type { QueryBreach, QueryInput, QueryRule } from './query-rule.js';
import { queryList } from '../segments.js';

/** Requires the marks of a list; cutting the query at its marks finds misplaced ones. */
const listMarks: QueryRule = {
  ...queryList,
  check: ({ template, call }) => {
    const isChosen = [...call.parameters, ...call.filters].some(hasPattern) || call.sortProperties.length > 0;
    // Without its marks a list would answer with everything. Calls of items (with $resource) that claim to be lists
    // are reported where they say so.
    const isOfRecord =
      call.cardinality === 'multiple' &&
      call.answer === 'rdf' &&
      isAboutRecord(call) &&
      !template.parameters.includes('resource');
    if (template.variable !== undefined || (!isChosen && !isOfRecord)) return [];
    const what = isChosen ? 'with filters or an order' : 'of what a record has';
    return [{ line: undefined, says: `a list ${what} needs #:filters and #:page` }];
  },
};

const queryBinding: QueryRule = {
  id: 'query-binding',
  severity: 'error',
  summary: 'A query stays SPARQL when its parameters, filters and page are put in.',
  hint: 'Let a parameter stand only where an IRI or a literal can stand.',
  check: (input) => bound(input).slice(0, 1),
};

function bound({ template, call, ontology }: QueryInput): QueryBreach[] {
  const iris = new Set(['resource', 'record']);
  const example = (name: string): Term => (iris.has(name) ? namedNode('urn:example') : literal('example'));
  const values = Object.fromEntries(template.parameters.map((name) => [name, example(name)]));
  const { variable } = template;
  if (variable === undefined) return faultOf(template.bind(values), 'construct');
  const filters = [...call.parameters, ...call.filters]
    .filter(hasPattern)
    .filter((pattern) => patternFaults(pattern).length === 0 && isWhole(pattern))
    .map((pattern, index) => {
      // Operators of filters compare dates, even where the value type says otherwise.
      const isDate =
        pattern.valueType === 'date' || ('properties' in pattern && pattern.operator !== undefined);
      const value = literal(isDate ? '2000' : 'example');
      return bindFilter(pattern, variable, index % 2 ? [value] : [value, value], index);
    });
  const order = call.sortProperties.every((iri) => ontology.terms.has(iri))
    ? listOrder(ontology, call, variable)
    : {};
  const options = { filters, ...order, limit: 1, offset: 1 };
  return [
    ...faultOf(template.bind(values, options), 'construct'),
    ...faultOf(template.select(values, options), 'select'),
    ...faultOf(template.count(values, options), 'select'),
    ...faultOf(template.known(values, [namedNode('urn:example')]), 'construct'),
  ];
}

function isWhole(pattern: Bindable): boolean {
  const ways = 'properties' in pattern ? pattern.properties : pattern.paths;
  return pattern.operator === undefined || ways.length > 0;
}

function faultOf(sparql: string, form: 'construct' | 'select'): QueryBreach[] {
  const fault = syntaxFault(sparql, form);
  const says = `bound, it is no longer SPARQL: ${fault?.reason}`;
  return fault ? [{ line: undefined, says }] : [];
}

export const bindingRules = [listMarks, queryBinding];
