import { expect, test } from 'vitest';
import { prepareQuery } from '../../src/analysts/prepare-query.js';
import { QueryFault } from '../../src/analysts/query-fault.js';
import { textForEngine } from '../../src/analysts/remote/engine-text.js';
import { jsonRows } from '../../src/analysts/remote/json-rows.js';
import type { AnswerRow } from '../../src/rdf/json-term.js';
import { ontology } from './containers.js';

const prepared = (sparql: string): string =>
  textForEngine(prepareQuery(sparql, 10, ontology).text, 'http://chart.test/', ontology.terms);

const others = 'Only functions of SPARQL 1.1 and predicates of the data can be used';

test.each([
  ['SELECT * { ?s <bif:contains> "a" }', '(line 1, column 15)'],
  ['SELECT * { ?s <\\u0062if:contains> "a" }', ''],
  ['PREFIX j: <java:java.lang.> SELECT (j:System() AS ?a) {}', '(line 1, column 37)'],
  ['BASE <java:x> SELECT (<y>() AS ?a) {}', ''],
  ['SELECT * { ?s (sp:code/^<http://jena.apache.org/text#query>)* ?o }', ''],
  ['SELECT * { ?s !(sp:code|<http://jena.apache.org/ARQ/property#versionARQ>) ?o }', ''],
  ['SELECT * { ?s sp:code [ <http://jena.apache.org/ARQ/list#member> 1 ] }', ''],
  ['SELECT * { FILTER NOT EXISTS { ?s <urn:x> (1 [ <urn:y> 2 ]) } }', ''],
  ['SELECT * { { SELECT (sql:f() AS ?a) { } } }', undefined],
  ['SELECT * {} ORDER BY <http://www.openlinksw.com/schemas/bif#exec>("x")', ''],
  ['SELECT (COUNT(*) AS ?n) {} HAVING (<urn:f>(1))', ''],
  ['DESCRIBE ?s { ?s <urn:p> ?o }', ''],
])('%s never reaches an engine', (sparql, place) => {
  expect(() => prepared(sparql)).toThrow(place === undefined ? 'prefix' : others);
  if (place) expect(() => prepared(sparql)).toThrow(place);
});

test.each([
  'SELECT * { ?s sp:code/dcterms:title ?o ; a sp:Problem FILTER (xsd:integer("1") > 0) }',
  'CONSTRUCT { ?s <urn:mine> ?o } WHERE { ?s sp:code ?o }',
  'SELECT * { ?s ?p (1 2) VALUES ?p { <urn:p> } GRAPH <urn:g> { ?s rdfs:label ?l } }',
  'SELECT * { ?s sp:Problm <urn:o> }',
])('%s does', (sparql) => {
  expect(prepared(sparql)).toContain('LIMIT 11');
});

test('comments and escapes do not go along, and an escape in an escape is refused', () => {
  expect(prepared('SELECT * { # a\n?s \\u0061 sp:Problem } # b')).toMatch(
    /^BASE <http:\/\/chart\.test\/>\nPREFIX sp: <[^>]*> SELECT \* \{ {2}\n\?s a sp:Problem \} {2}\nLIMIT 11\n$/u,
  );
  expect(() => prepared('SELECT ("\\u005Cu0022" AS ?a) {}')).toThrow(QueryFault);
});

const rowsOf = async (text: string, size: number) => {
  const bytes = Buffer.from(text);
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += size)
      yield await Promise.resolve(bytes.subarray(at, at + size));
  };
  const all: AnswerRow[] = [];
  let variables: readonly string[] | undefined;
  for await (const piece of jsonRows(pieces())) {
    if (!variables) variables = piece as readonly string[];
    else all.push(...(piece as readonly AnswerRow[]));
  }
  return { variables, all };
};

const term = (value: string) => ({ type: 'literal' as const, value });
const tricky = [
  { a: term('}}, {"a": ]}') },
  {},
  { a: term('"}}\\ ü 😀'), b: term('\n') },
  { b: { ...term('1'), datatype: 'urn:d' } },
];

test.each([1, 7, 64, 1e6])('rows are read from pieces of %s bytes', async (size) => {
  const plain = JSON.stringify({ head: { vars: ['a', 'b'] }, results: { bindings: tricky } });
  const pretty = tricky.map((row) => JSON.stringify(row, undefined, 2)).join('\n , ');
  const head =
    '{ "head": { "link": [], "vars": ["a", "b"] },\n "results": { "distinct": false, "bindings": [\n';
  for (const text of [plain, `${head}${pretty}\n ] } }\n`])
    expect(await rowsOf(text, size)).toEqual({ variables: ['a', 'b'], all: tricky });
  expect(await rowsOf('{"head":{"vars":[]},"results":{"bindings":[]}}', size)).toEqual({
    variables: [],
    all: [],
  });
});

test.each([
  '',
  'no',
  '{"head":{"vars":["a"]},"results":{"bindings":[{"a":{"type":"literal","value":"1"}}',
  '{"head":{"vars":["a"]},"results":{"bindings":[{"a":{"type":"literal","val',
  '{"head":{"vars":["a"]},"results":{"bindings":[{"a":1,}]}}',
])('an answer that broke off is not taken for whole: %s', async (text) => {
  await expect(rowsOf(text, 8)).rejects.toThrow('The engine');
});
