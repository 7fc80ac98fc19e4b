import { describe, expect, it } from 'vitest';
import { planOf, type PlannedStep } from '../../src/analysts/query-plan.js';

const PREFIX = 'PREFIX sp: <urn:x:> ';
const stepsOf = (query: string): readonly PlannedStep[] =>
  planOf({ text: '', declared: { text: PREFIX + query, start: PREFIX.length } }).steps;
const told = (query: string): string[] =>
  stepsOf(query).map(({ number, operation, text }) => `${number} ${operation}: ${text}`);
describe('the steps of a query', () => {
  it('are its patterns in their order, each with its subject, then its filters, then what is done with all rows', () => {
    expect(
      told(`SELECT DISTINCT ?a (COUNT(*) AS ?n) {
        ?a a sp:P ; sp:b/sp:c ?d, "x" FILTER (?d > 3) ?a sp:e ?f
      } GROUP BY ?a HAVING (COUNT(*) > 1) ORDER BY ?n LIMIT 5 OFFSET 2 VALUES ?a { sp:z }`),
    ).toEqual([
      '1 Triple pattern: ?a a sp:P',
      '2 Path or nested pattern: ?a sp:b/sp:c ?d',
      '3 Path or nested pattern: ?a sp:b/sp:c "x"',
      '4 Triple pattern: ?a sp:e ?f',
      '5 Filter: FILTER (?d > 3)',
      '6 Group: GROUP BY ?a',
      '7 Filter: HAVING (COUNT(*) > 1)',
      '8 Join: VALUES ?a { sp:z }',
      '9 Extend: (COUNT(*) AS ?n)',
      '10 OrderBy: ORDER BY ?n',
      '11 Project: ?a ?n',
      '12 Distinct: DISTINCT',
      '13 Slice: LIMIT 5 OFFSET 2',
      '14 Answer: SELECT',
    ]);
  });

  it('have those of a group within them', () => {
    expect(
      told(`ASK { ?a sp:b ?c OPTIONAL { ?c sp:d ?e FILTER (?e > 1) }
        { ?a sp:x ?y } UNION { ?a sp:z ?y MINUS { ?a a sp:Q } }
        GRAPH ?g { ?a sp:k ?l } BIND (1 AS ?o) { SELECT ?a { ?a sp:m ?n } LIMIT 3 } { ?a sp:p ?q } }`),
    ).toEqual([
      '1 Triple pattern: ?a sp:b ?c',
      '2 LeftJoin: OPTIONAL',
      '2.1 Triple pattern: ?c sp:d ?e',
      '2.2 Filter: FILTER (?e > 1)',
      '3 Union: UNION',
      '3.1 Branch: { … }',
      '3.1.1 Triple pattern: ?a sp:x ?y',
      '3.2 Branch: { … }',
      '3.2.1 Triple pattern: ?a sp:z ?y',
      '3.2.2 Minus: MINUS',
      '3.2.2.1 Triple pattern: ?a a sp:Q',
      '4 Graph: GRAPH ?g',
      '4.1 Triple pattern: ?a sp:k ?l',
      '5 Extend: BIND (1 AS ?o)',
      '6 Join: SELECT',
      '6.1 Triple pattern: ?a sp:m ?n',
      '7 Join: { … }',
      '7.1 Triple pattern: ?a sp:p ?q',
      '8 Answer: ASK',
    ]);
  });

  it('hold nested brackets, lists, paths in parentheses and escapes as one pattern', () => {
    const query = `SELECT ?y { [ sp:a ?x ] sp:b ?y ; sp:c (1 ?z) . [ sp:q "\\u0041" ] . ?s (sp:a|^sp:b)*/!(sp:c|a) ?o , 1 ; # so\n ; (sp:d) [ sp:e ?f ] . ( ?m ) sp:n ?k }`;
    expect(told(query)).toEqual([
      '1 Path or nested pattern: [ sp:a ?x ] sp:b ?y ; sp:c (1 ?z)',
      '2 Path or nested pattern: [ sp:q "A" ]',
      '3 Path or nested pattern: ?s (sp:a|^sp:b)*/!(sp:c|a) ?o',
      '4 Path or nested pattern: ?s (sp:a|^sp:b)*/!(sp:c|a) 1',
      '5 Path or nested pattern: ?s (sp:d) [ sp:e ?f ]',
      '6 Path or nested pattern: ( ?m ) sp:n ?k',
      '7 Project: ?y',
      '8 Answer: SELECT',
    ]);
  });

  it('know their line, and are a hundred at most', () => {
    expect(stepsOf('SELECT *\nWHERE {\n  ?a sp:b ?c .\n  ?c sp:d ?e }').map(({ line }) => line)).toEqual([
      3,
      4,
      undefined,
      undefined,
    ]);
    expect(stepsOf(`ASK { ${'?a sp:b ?c . '.repeat(2000)} }`)).toHaveLength(100);
    expect(told('DESCRIBE sp:a')).toEqual(['1 Answer: DESCRIBE']);
    expect(told('CONSTRUCT { ?a sp:b 1 } { ?a sp:c 1 }')).toEqual([
      '1 Triple pattern: ?a sp:c 1',
      '2 Answer: CONSTRUCT',
    ]);
  });
});
