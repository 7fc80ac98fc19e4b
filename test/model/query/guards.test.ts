import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadOntology } from '../../../src/model/ontology/directory.js';
import type { CallModel } from '../../../src/model/ontology/model.js';
import { checkQuery } from '../../../src/model/query/check/check-query.js';

const root = resolve(import.meta.dirname, '..', '..', '..');
const { ontology } = await loadOntology(join(root, 'ontology'));
const shipped = readdirSync(join(root, 'queries'))
  .filter((name) => name.endsWith('.rq'))
  .map((name) => [name, readFileSync(join(root, 'queries', name), 'utf8')] as const);

function callOf(name: string): CallModel {
  const call = ontology.callByName.get(name.replace(/\.rq$/, ''));
  if (!call) throw new Error(`${name} is no call`);
  return call;
}

const rulesBroken = (name: string, sparql: string): string[] =>
  checkQuery(name, sparql, callOf(name), ontology).problems.map(({ rule }) => rule);

/** A guard with the punctuation that goes with it. */
const guard =
  /\?\w+ sp:belongsTo \$record \. (?=\?s)|sp:belongsTo \$record ; |\?\w+ sp:belongsTo \$record (?=\})/g;

/** Every query with one of its guards taken out. */
const mutilated = shipped.flatMap(([name, sparql]) =>
  [...sparql.matchAll(guard)].map(({ 0: text, index }, n) => {
    const without = sparql.slice(0, index) + sparql.slice(index + text.length);
    return [`${name}, guard ${n + 1}`, name, without] as const;
  }),
);

describe('the shipped queries', () => {
  test.each(shipped)('%s reaches nothing but what it is about', (name, sparql) => {
    expect(rulesBroken(name, sparql)).toEqual([]);
  });

  test('have a guard for each graph they read', () => {
    const guards = shipped.map(([, sparql]) => sparql.split('sp:belongsTo $record').length - 1);
    expect(mutilated).toHaveLength(guards.reduce((a, b) => a + b, 0));
    expect(mutilated.length).toBeGreaterThan(38);
  });

  test.each(mutilated)('%s, taken out, is missed', (_, name, sparql) => {
    expect(rulesBroken(name, sparql)).toEqual(['query-unguarded']);
  });

  test.each(shipped.filter(([, sparql]) => guard.test(sparql)))(
    '%s without any guard is found',
    (name, sparql) => {
      expect(rulesBroken(name, sparql.replace(guard, ''))).toContain('query-unguarded');
    },
  );
});

/** [what it does, a WHERE of get_medication, rules that it breaks] */
const readings: readonly [string, string, string[]][] = [
  ['guards the neighbour in its own graph', 'GRAPH ?part { ?part sp:belongsTo $record . ?s ?p ?o }', []],
  ['guards it after it was read', 'GRAPH ?part { ?s ?p ?o } GRAPH ?part { ?part sp:belongsTo $record }', []],
  [
    'guards it in a group of its own',
    '{ { GRAPH ?part { ?part sp:belongsTo $record } } } GRAPH ?part { ?s ?p ?o }',
    [],
  ],
  [
    'guards it by the owner of what is guarded',
    'GRAPH $resource { $resource sp:belongsTo ?owner } GRAPH ?part { ?part sp:belongsTo ?owner . ?s ?p ?o }',
    [],
  ],
  [
    'guards it in every branch',
    '{ GRAPH ?part { ?part sp:belongsTo $record ; a sp:Fulfillment } } UNION { GRAPH ?part { ?part sp:belongsTo $record } } GRAPH ?part { ?s ?p ?o }',
    [],
  ],
  [
    'guards it in a sub-select that hands it out',
    '{ SELECT ?part WHERE { GRAPH ?part { ?part sp:belongsTo $record ; a sp:Fulfillment } } } GRAPH ?part { ?s ?p ?o }',
    [],
  ],
  [
    'reads everything of the record',
    '{ SELECT ?part WHERE { GRAPH ?part { ?part sp:belongsTo $record } } } GRAPH ?part { ?s ?p ?o }',
    ['query-reach'],
  ],
  [
    'reads what it is not about',
    'GRAPH ?x { ?x sp:belongsTo $record ; a sp:Problem . ?s ?p ?o }',
    ['query-reach'],
  ],
  [
    'asks whether there is something that it is not about',
    'GRAPH ?part { ?part sp:belongsTo $record . ?s ?p ?o } FILTER NOT EXISTS { GRAPH ?x { ?x sp:belongsTo $record ; a sp:Problem } }',
    ['query-reach'],
  ],
  [
    'asks for what it is about, or not',
    'GRAPH ?x { ?x sp:belongsTo $record ; a ?class . ?s ?p ?o FILTER (?class IN (sp:Fulfillment, sp:Problem)) }',
    ['query-reach'],
  ],
  [
    'asks for a choice of what it is about',
    'GRAPH ?x { ?x sp:belongsTo $record ; a ?class . ?s ?p ?o FILTER (?class IN (sp:Fulfillment, sp:Medication)) }',
    [],
  ],
  [
    'follows a link out of what it is about',
    'GRAPH $resource { $resource sp:encounters ?x } GRAPH ?x { ?x sp:belongsTo $record . ?s ?p ?o }',
    ['query-reach'],
  ],
  [
    'follows a link by a path that may lead further',
    'GRAPH $resource { $resource sp:fulfillment/sp:medication ?x } GRAPH ?x { ?x sp:belongsTo $record . ?s ?p ?o }',
    ['query-reach'],
  ],
  [
    'follows the links of what it is about',
    'GRAPH ?part { ?part sp:belongsTo $record ; sp:medication ?x } GRAPH ?x { ?x sp:belongsTo $record . ?s ?p ?o }',
    [],
  ],
  [
    'reads the graph of the record itself',
    'GRAPH $resource { $resource sp:belongsTo ?x } GRAPH ?x { ?s ?p ?o }',
    ['query-reach'],
  ],
  [
    'looks for a guarded neighbour',
    'GRAPH $resource { ?s ?p ?o } FILTER EXISTS { GRAPH ?part { ?part sp:belongsTo $record } }',
    [],
  ],
  [
    'guards it by the record under another name',
    'BIND ($record AS ?r) GRAPH ?part { ?part sp:belongsTo ?r . ?s ?p ?o }',
    [],
  ],
  [
    'guards it by a name that must be the record',
    'GRAPH ?part { ?part sp:belongsTo ?r . ?s ?p ?o } FILTER (?r = $record)',
    [],
  ],
  [
    'guards it by the same term',
    'GRAPH ?part { ?part sp:belongsTo ?r . ?s ?p ?o FILTER (?p != ?o && sameTerm($record, ?r)) }',
    [],
  ],
  ['does not guard', 'GRAPH ?part { ?s ?p ?o }', ['query-unguarded']],
  [
    'guards by a name that may be the record',
    'GRAPH ?part { ?part sp:belongsTo ?r . ?s ?p ?o } FILTER (?r = $record || ?s = ?part)',
    ['query-unguarded'],
  ],
  [
    'guards by a name that is not the record',
    'GRAPH ?part { ?part sp:belongsTo ?r . ?s ?p ?o } FILTER (?r != $record)',
    ['query-unguarded'],
  ],
  [
    'guards by a filter that is turned round',
    'GRAPH ?part { ?part sp:belongsTo ?r . ?s ?p ?o } FILTER (!(?r = $record))',
    ['query-unguarded'],
  ],
  [
    'guards by a name that is bound too late',
    'BIND (?a AS ?b) GRAPH ?a { ?a sp:belongsTo $record } GRAPH ?b { ?s ?p ?o }',
    ['query-unguarded'],
  ],
  [
    'guards by an expression',
    'BIND (IF(true, ?x, $record) AS ?r) GRAPH ?part { ?part sp:belongsTo ?r . ?s ?p ?o }',
    ['query-unguarded'],
  ],
  [
    'guards a sub-select by a filter outside of it',
    '{ SELECT ?part ?r WHERE { GRAPH ?part { ?part sp:belongsTo ?r } } LIMIT 1 } FILTER (?r = $record) GRAPH ?part { ?s ?p ?o }',
    ['query-unguarded'],
  ],
  [
    'guards a sub-select by a name from outside of it',
    'BIND ($record AS ?r) { SELECT ?s ?p ?o WHERE { GRAPH ?part { ?part sp:belongsTo ?r . ?s ?p ?o } } LIMIT 1 }',
    ['query-unguarded'],
  ],
  [
    'guards by a filter in OPTIONAL',
    'GRAPH ?part { ?part sp:belongsTo ?r . ?s ?p ?o } OPTIONAL { FILTER (?r = $record) }',
    ['query-unguarded'],
  ],
  [
    'guards only where it can',
    'GRAPH ?part { ?s ?p ?o } OPTIONAL { GRAPH ?part { ?part sp:belongsTo $record } }',
    ['query-unguarded'],
  ],
  [
    'guards by what it may find',
    'GRAPH ?part { OPTIONAL { ?part sp:belongsTo $record } ?s ?p ?o }',
    ['query-unguarded'],
  ],
  [
    'guards one of two branches',
    '{ GRAPH ?part { ?part sp:belongsTo $record } } UNION { GRAPH ?part { ?part a sp:Fulfillment } } GRAPH ?part { ?s ?p ?o }',
    ['query-unguarded'],
  ],
  [
    'believes what another graph says',
    'GRAPH $resource { ?part sp:belongsTo $record } GRAPH ?part { ?s ?p ?o }',
    ['query-unguarded'],
  ],
  [
    'believes what is said of another',
    'GRAPH ?part { ?x sp:belongsTo $record . ?s ?p ?o }',
    ['query-unguarded'],
  ],
  [
    'guards by a path of any length',
    'GRAPH ?part { ?part sp:belongsTo? $record . ?s ?p ?o }',
    ['query-unguarded'],
  ],
  ['guards by another record', 'GRAPH ?part { ?part sp:belongsTo ?other . ?s ?p ?o }', ['query-unguarded']],
  [
    'guards by not belonging',
    'GRAPH ?part { ?s ?p ?o } FILTER NOT EXISTS { GRAPH ?part { ?part sp:belongsTo $record } }',
    ['query-unguarded'],
  ],
  [
    'guards by a filter alone',
    'GRAPH ?part { ?part sp:belongsTo ?owner . ?s ?p ?o } FILTER (?owner = $record || true)',
    ['query-unguarded'],
  ],
  [
    'guards inside a sub-select that keeps it to itself',
    '{ SELECT ?s WHERE { GRAPH ?part { ?part sp:belongsTo $record . ?s ?p ?o } } } GRAPH ?part { ?s ?p ?o }',
    ['query-unguarded'],
  ],
  [
    'guards a sub-select from outside',
    '{ SELECT ?part WHERE { GRAPH ?part { ?part a sp:Fulfillment } } LIMIT 1 } GRAPH ?part { ?part sp:belongsTo $record . ?s ?p ?o }',
    ['query-unguarded'],
  ],
  [
    'takes away by what a stranger says',
    'GRAPH ?part { ?part sp:belongsTo $record . ?s ?p ?o } MINUS { GRAPH ?x { ?s ?p ?o } }',
    ['query-unguarded'],
  ],
  [
    'looks for a stranger',
    'GRAPH ?part { ?part sp:belongsTo $record . ?s ?p ?o } FILTER EXISTS { GRAPH ?x { ?x a sp:Problem } }',
    ['query-unguarded'],
  ],
  [
    'looks for a stranger inside an expression',
    'GRAPH ?part { ?part sp:belongsTo $record . ?s ?p ?o } BIND (IF(EXISTS { GRAPH ?x { ?x a sp:Problem } }, 1, 2) AS ?n)',
    ['query-unguarded'],
  ],
  [
    'lists all graphs',
    'GRAPH ?part { ?part sp:belongsTo $record . ?s ?p ?o } GRAPH ?x {}',
    ['query-unguarded'],
  ],
  ['names a graph', 'GRAPH <http://localhost/records/2/problems/1> { ?s ?p ?o }', ['query-unguarded']],
  ['asks somebody else', 'SERVICE <http://localhost/sparql> { ?s ?p ?o }', ['query-unguarded']],
  ['reads outside of all graphs', '?s ?p ?o', ['query-graph']],
];

describe('a query about a record that follows a link', () => {
  test.each(readings)('and %s', (_, where, broken) => {
    const sparql = `PREFIX sp: <http://smartplatforms.org/terms#>
CONSTRUCT { ?s ?p ?o }
WHERE {
  GRAPH $resource { $resource sp:belongsTo $record ; sp:fulfillment? ?part }
  ${where}
}`;
    expect(rulesBroken('get_medication.rq', sparql)).toEqual(broken);
  });

  test('may not take its data from FROM', () => {
    const sparql = 'CONSTRUCT { ?s ?p ?o } FROM <urn:x> WHERE { GRAPH $record { ?s ?p ?o } }';
    expect(rulesBroken('get_medication.rq', sparql)).toEqual(['query-unguarded']);
  });
});

describe('a query about no record', () => {
  test.each([
    ['GRAPH ?app { ?app a sp:AppManifest . ?s ?p ?o }', []],
    ['GRAPH ?app { ?app a sp:Demographics . ?s ?p ?o }', ['query-unguarded']],
    ['GRAPH ?app { ?s ?p ?o }', ['query-unguarded']],
    ['GRAPH ?app { ?app a sp:AppManifest . ?app ?x ?part } GRAPH ?part { ?s ?p ?o }', ['query-unguarded']],
  ])('reads things of its target: %s', (where, broken) => {
    const sparql = `PREFIX sp: <http://smartplatforms.org/terms#> CONSTRUCT { ?s ?p ?o } WHERE { ${where} }`;
    expect(rulesBroken('get_app_manifests.rq', sparql)).toEqual(broken);
  });
});

describe('the parameters of the path', () => {
  const item = (where: string): string =>
    `PREFIX sp: <http://smartplatforms.org/terms#> CONSTRUCT { ?s ?p ?o } WHERE { ${where} }`;
  test.each([
    ['GRAPH $resource { $resource sp:belongsTo $record . ?s ?p ?o }', []],
    ['GRAPH ?x { ?x sp:belongsTo $record . ?s ?p ?o }', ['query-unconstrained']],
    [
      'GRAPH ?x { ?x sp:belongsTo $record . ?s ?p ?o } OPTIONAL { GRAPH $record { $resource ?q ?r } }',
      ['query-unconstrained'],
    ],
    [
      'GRAPH ?x { ?x sp:belongsTo $record . { ?x ?p $resource } UNION { ?s ?p ?o } }',
      ['query-unconstrained'],
    ],
    ['GRAPH ?x { ?x sp:belongsTo $record . ?s ?p ?o FILTER (?x = $resource) }', []],
    [
      'GRAPH ?x { ?x a sp:Medication ; sp:belongsTo $record . ?s ?p ?o FILTER (?x = $resource) }',
      ['query-first'],
    ],
  ])('decide what is found: %s', (where, broken) => {
    expect(rulesBroken('get_medication.rq', item(where))).toEqual(broken);
  });
});
