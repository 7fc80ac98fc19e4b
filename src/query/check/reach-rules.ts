import { constrained, firstNames } from './constraints.js';
import { guardFaults, type GuardFault } from './guards.js';
import { Places } from './places.js';
import { isAboutRecord, policyOf } from './policy.js';
import type { QueryBreach, QueryInput, QueryRule } from './query-rule.js';
import { queryReach } from './query-reach.js';
import { queryTarget } from './target-rule.js';

/** The graphs that a query reads without a guard, each once. */
function unguarded({ tree, template, call, ontology }: QueryInput): GuardFault[] {
  const { own, owners, learn } = policyOf(call, ontology);
  // To SPARQL ?record is the variable $record: where it is not bound to the request it is any record.
  const isBound = (name: string): boolean => template.parameters.includes(name);
  const policy = { own: own.filter(isBound), owners: owners.filter(isBound), learn };
  return [
    ...new Map(guardFaults(tree, policy).map((fault) => [`${fault.kind} ${fault.graph}`, fault])).values(),
  ];
}

const queryGraph: QueryRule = {
  id: 'query-graph',
  severity: 'error',
  summary: 'Every pattern of a query stands in a GRAPH.',
  hint: 'Put the pattern into GRAPH ?statement { … }: nothing is stored outside of named graphs.',
  check: (input) =>
    unguarded(input)
      .filter(({ kind }) => kind === 'no-graph')
      .map(() => ({
        line: new Places(input.sparql).ofPattern(),
        says: 'a pattern stands outside of every GRAPH',
      })),
};

const queryUnguarded: QueryRule = {
  id: 'query-unguarded',
  severity: 'error',
  summary: 'A query about a record reads only graphs that belong to that record.',
  hint: 'Say so of each graph in itself: GRAPH ?part { ?part sp:belongsTo $record . … }.',
  check: (input) => {
    const place = new Places(input.sparql);
    const owner = isAboutRecord(input.call)
      ? 'does not belong to $record'
      : 'is nothing that the call is about';
    return unguarded(input)
      .filter(({ kind }) => kind !== 'no-graph')
      .map(({ kind, graph }) =>
        kind === 'elsewhere'
          ? { line: place.ofWord(graph), says: `it reads ${graph}, which nothing ties to the request` }
          : { line: place.ofGraph(graph), says: `a graph ?${graph} may be read that ${owner}` },
      );
  },
};

const queryUnconstrained: QueryRule = {
  id: 'query-unconstrained',
  severity: 'error',
  summary: 'Every parameter of the path decides what the query finds.',
  hint: 'Let $record and $resource stand in a pattern that must match, not only in OPTIONAL or the template.',
  check: ({ tree, template, call, sparql }): QueryBreach[] => {
    const deciding = constrained(tree);
    const idle = template.parameters
      .filter((name) => !deciding.has(name))
      .map((name) => ({ name, says: `$${name} decides nothing: it stands in no pattern that must match` }));
    const unasked = call.pathParameters
      .filter((name) => !decides(name, deciding))
      .map((name) => ({
        name,
        says: `{${name}} of the path decides nothing: neither $resource nor $${name} is used`,
      }));
    const place = new Places(sparql);
    return (idle.length > 0 ? idle : unasked).map(({ name, says }) => ({
      line: place.of(name) ?? place.ofPattern(),
      says,
    }));
  },
};

/** The IRI of the request holds every parameter of the path, that of the record its id. */
function decides(name: string, deciding: ReadonlySet<string>): boolean {
  return deciding.has(name) || deciding.has('resource') || (name === 'record_id' && deciding.has('record'));
}

const queryFirst: QueryRule = {
  id: 'query-first',
  severity: 'warning',
  summary: 'The first pattern of a query binds the record or the item.',
  hint: 'Move the pattern with $record or $resource to the front: patterns are answered in the order of the text.',
  check: ({ tree, template, call, sparql }) => {
    const bound = firstNames(tree) ?? [];
    if (call.pathParameters.length === 0 || bound.some((name) => template.parameters.includes(name)))
      return [];
    const place = new Places(sparql);
    const what = isAboutRecord(call) ? 'the record or the item' : 'the item';
    return [
      {
        line: place.ofGraph(bound[0]) ?? place.of(bound[0]),
        says: `the first pattern does not bind ${what}`,
      },
    ];
  },
};

/**
 * Rules about what a query reaches: only graphs that it guards, decided by every parameter of its path, the record or
 * the item first. A query that says too little of the record breaks all three; then only the first is told.
 */
export const reachRules = [
  [queryGraph, queryUnguarded],
  [queryUnconstrained],
  [queryTarget],
  [queryReach],
  [queryFirst],
] as const;
