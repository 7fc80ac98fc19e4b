import type { Rule } from '../../ontology/check/rule.js';

/** Every rule that a folder of queries, and the patterns of filters, are held to. */
export const queryRules = [
  {
    id: 'query-folder',
    severity: 'error',
    summary: 'The folder of queries can be read.',
    hint: 'Name the folder with --queries.',
  },
  {
    id: 'query-missing',
    severity: 'error',
    summary: 'Every GET has a query.',
    hint: 'Add a file with the client method name of the call and the extension .rq to the folder of queries.',
  },
  {
    id: 'query-stray',
    severity: 'error',
    summary: 'Every query file has the client method name of a call.',
    hint: 'Rename the file, or declare the call.',
  },
  {
    id: 'query-syntax',
    severity: 'error',
    summary: 'A query is SPARQL 1.1.',
    hint: 'Mend the query where the message says.',
  },
  {
    id: 'query-form',
    severity: 'error',
    summary: 'A query is a CONSTRUCT query.',
    hint: 'Write CONSTRUCT { ?s ?p ?o } WHERE { … }.',
  },
  {
    id: 'query-parameter',
    severity: 'error',
    summary: 'A parameter of a query is one that its call has.',
    hint: 'Use $record, $resource, or a name that the path, a parameter or a filter of the call has.',
  },
  {
    id: 'query-variable',
    severity: 'error',
    summary: 'A parameter is written with $ everywhere, a variable with ?.',
    hint: 'To SPARQL the two are one name: rename the variable, or write the parameter with $.',
  },
  {
    id: 'query-term',
    severity: 'error',
    summary: 'Every class and property of a query is declared in the ontology.',
    hint: 'Look for a misspelt name, or declare the term.',
  },
  {
    id: 'query-list',
    severity: 'error',
    summary: 'A list has one sub-select with the marks #:filters and #:page at their places.',
    hint: 'Write { SELECT ?statement WHERE { … #:filters } #:page }, each mark on a line of its own.',
  },
  {
    id: 'query-binding',
    severity: 'error',
    summary: 'A query stays SPARQL when its parameters, filters and page are put in.',
    hint: 'Let a parameter stand only where an IRI or a literal can stand.',
  },
  {
    id: 'query-graph',
    severity: 'error',
    summary: 'Every pattern of a query stands in a GRAPH.',
    hint: 'Put the pattern into GRAPH ?statement { … }: nothing is stored outside of named graphs.',
  },
  {
    id: 'query-unguarded',
    severity: 'error',
    summary: 'A query about a record reads only graphs that belong to that record.',
    hint: 'Say so of each graph in itself: GRAPH ?part { ?part sp:belongsTo $record . … }.',
  },
  {
    id: 'query-unconstrained',
    severity: 'error',
    summary: 'Every parameter of the path decides what the query finds.',
    hint: 'Let $record and $resource stand in a pattern that must match, not only in OPTIONAL or the template.',
  },
  {
    id: 'query-first',
    severity: 'warning',
    summary: 'The first pattern of a query binds the record or the item.',
    hint: 'Move the pattern with $record or $resource to the front: patterns are answered in the order of the text.',
  },
  {
    id: 'pattern-syntax',
    severity: 'error',
    summary: 'The pattern of a filter or parameter is SPARQL with a place for its own value.',
    hint: 'Mend the pattern; {name} stands for the value of the parameter of that name.',
  },
  {
    id: 'pattern-unguarded',
    severity: 'error',
    summary: 'The pattern of a filter on a record reads only graphs that belong to that record.',
    hint: 'Say so of each graph: GRAPH ?v { ?v sp:belongsTo ?owner } GRAPH ?part { ?part sp:belongsTo ?owner }.',
  },
] as const satisfies readonly Rule[];

export type QueryRuleId = (typeof queryRules)[number]['id'];

const severities = new Map<string, Rule['severity']>(queryRules.map(({ id, severity }) => [id, severity]));

/** How much a broken rule weighs. */
export function severityOf(rule: QueryRuleId): Rule['severity'] {
  return severities.get(rule) ?? 'error';
}
