import { describe, expect, it } from 'vitest';
import { writeSparqlTerm } from '../../src/model/query/sparql-term.js';
import { literal } from '../../src/rdf/terms.js';
import { prefixes } from '../../src/rdf/vocabulary.js';
import { MAX_QUERY_LENGTH, prepareQuery } from '../../src/analysts/prepare-query.js';

const none = { terms: new Set<string>(), prefixes };
const prepare = (sparql: string) => prepareQuery(sparql, 10, none);
const tooMany =
  'The query has more than 20000 words and signs; ask less at once, or put long lists into VALUES.';

describe('where dates are moved', () => {
  const warned = (sparql: string, hasMovedDates = true) =>
    prepareQuery(sparql, 10, none, hasMovedDates).warnings.map(({ message, line }) => [line, message]);

  it.each([
    ['SELECT ?s {\n?s ?p ?o FILTER (now() > ?o) }', 'NOW() is today'],
    ['SELECT ?s {\n?s ?p ?o FILTER (?o > "2024-01-01"^^xsd:date) }', 'This is a day of the calendar'],
    ["SELECT ?s {\n?s ?p '''2024-02''' }", 'This is a day of the calendar'],
  ])('%s is warned of', (sparql, start) => {
    expect(warned(sparql)).toEqual([
      [2, expect.stringContaining(`${start}, but dates are moved back by 1 to 365 days`)],
    ]);
    expect(warned(sparql, false)).toEqual([]);
  });

  it.each([
    'SELECT ?s { ?s ?p ?o FILTER (?o >= "1900-01-01T00:00:00.000Z"^^xsd:dateTime && ?o < "2100-01-01"^^xsd:date) }',
    'SELECT ?now { ?now ?p "2024" # NOW( "2024-01-01"\n}',
  ])('%s is not', (sparql) => expect(warned(sparql)).toEqual([]));
});

describe('a query as long as it may be', () => {
  it.each([
    ['patterns', `SELECT * { ${'[] a [].'.repeat(4000)} }`],
    ['values of one property', `SELECT * { ?s ?p ?o${',?o'.repeat(10_500)} }`],
    ['a sum', `SELECT * { FILTER(${'1+'.repeat(10_500)}1) }`],
    ['stars', `SELECT ${'*'.repeat(25_000)}`],
    [
      'what follows values that do not end',
      `SELECT * { VALUES ?x { ${'1 '.repeat(5000)} { ${';'.repeat(16_000)} } }`,
    ],
    ['what only looks like values', `SELECT * { VALUES ?x {true} { ${'?a?b?c.'.repeat(5500)} } }`],
  ])('is refused before it is parsed, for %s', (_, sparql) => {
    expect(sparql.length).toBeLessThanOrEqual(MAX_QUERY_LENGTH);
    expect(() => prepare(sparql)).toThrow(tooMany);
  });

  it.each([
    ['of one variable', `SELECT * { VALUES ?x { ${'1 '.repeat(30_000)}} ?s ?p ?x }`],
    ['of several', `SELECT * { VALUES (?x $y) { ${'(1 2) '.repeat(9000)}} ?s ?x ?y }`],
    ['at its end', `SELECT * { ?s ?p ?x } VALUES ?x { ${'1 '.repeat(30_000)}}`],
  ])('is taken with a long list of values %s', (_, sparql) => {
    expect(prepare(sparql).kind).toBe('table');
  });
});

describe('a prepared query', () => {
  it('has the prefixes that it lacks, a limit at its end, and warnings placed in what was sent', () => {
    const sent = 'SELECT * {\n  ?s sp:nothing ?o }\nVALUES ?o { 1 }';
    const { text, declared, warnings } = prepare(sent);
    expect(text.slice(declared.start)).toBe('SELECT * {\n  ?s sp:nothing ?o }\n\nLIMIT 11\nVALUES ?o { 1 }');
    expect(text.slice(0, declared.start)).toMatch(/^PREFIX sp: <[^>]+> $/u);
    expect(warnings).toMatchObject([{ line: 2, column: 6 }]);
    expect(prepare('SELECT * { ?s sp:x ?o } LIMIT 99 OFFSET 3').text).toMatch(
      / \{ \?s sp:x \?o \} {2}OFFSET 3\nLIMIT 11\n$/u,
    );
    expect(prepare('SELECT * { ?s sp:x ?o } LIMIT 5').text).toMatch(/ LIMIT 5$/u);
  });
});

describe('a word that SPARQL does not know', () => {
  it.each([
    ['a function', 'ASK { ?s my:date ?d FILTER(MONTHS(?d) = 1) }', 'MONTHS'],
    ['a keyword', 'ASK { ?s my:date ?d } ORDERED BY ?d', 'ORDERED'],
    ['a number', 'ASK { ?s my:date ?d FILTER(?d > 2020x) }', '2020x'],
    ['no letter at all', 'ASK { ?s my:date ?d” }', '”'],
  ])('is told whole, with where it begins: %s', (_, sparql, word) => {
    const sent = `PREFIX my: <urn:my:> ${sparql}`;
    expect(() => prepare(sent)).toThrow(
      `The query is not SPARQL 1.1: unexpected "${word}" (line 1, column ${sent.indexOf(word) + 1}).`,
    );
  });

  it('is looked for in bounded time', () => {
    const long = `ASK { FILTER(${'9'.repeat(60_000)}x) }`;
    expect(() => prepare(long)).toThrow(/ unexpected "9{40}x" \(line 1, column 59974\)\.$/u);
  });
});

describe('a variable in SELECT that has no value where rows are grouped', () => {
  const alone = (name: string) =>
    `?${name} is in SELECT and neither in GROUP BY nor within an aggregate, so it has no single value; ` +
    `add it to GROUP BY, or take one of its values with SAMPLE(?${name})`;
  it.each([
    ['beside COUNT', 'SELECT ?s (COUNT(?t) AS ?n) { ?s a ?t }', 's', 8],
    ['beside COUNT of all', 'SELECT ?s (COUNT(*) AS ?n) { ?s a ?t }', 's', 8],
    ['beside SUM', 'SELECT (SUM(1) AS ?n) ?s { ?s a ?t }', 's', 23],
    ['beside GROUP BY', 'SELECT ?t ?s { ?s a ?t } GROUP BY ?t', 's', 11],
    ['beside HAVING', 'SELECT ?s { ?s a ?t } HAVING (COUNT(?t) > 1)', 's', 8],
    ['in an expression', 'SELECT (STR(?s) AS ?x) { ?s a ?t } GROUP BY ?t', 's', 13],
    ['in a subquery', 'SELECT * { { SELECT ?s (MAX(?t) AS ?x) { ?s a sp:Problem } } }', 's', 21],
  ])('is named with its place: %s', (_, sparql, name, column) => {
    expect(() => prepare(sparql)).toThrow(`${alone(name)} (line 1, column ${column}).`);
  });

  it.each([
    ['beside GROUP BY', 'SELECT * { ?s a ?t } GROUP BY ?t', 'line 1, column 8'],
    ['of distinct rows', 'SELECT DISTINCT\n * { ?s a ?t } GROUP BY ?t', 'line 2, column 2'],
    ['beside HAVING', 'SELECT * { ?s a ?t } HAVING (COUNT(?t) > 1)', 'line 1, column 8'],
    ['beside ORDER BY', 'SELECT * { ?s a ?t } ORDER BY COUNT(?t)', 'line 1, column 8'],
    ['in a subquery', 'SELECT ?t { { SELECT * { ?s a sp:Problem } GROUP BY ?t } }', 'line 1, column 22'],
  ])('is one of all that are selected: %s', (_, sparql, place) => {
    expect(() => prepare(sparql)).toThrow(
      `SELECT * selects every variable, and where rows are grouped most have no single value; name those of GROUP BY, and take one of the values of others with SAMPLE (${place}).`,
    );
  });

  it('is told apart where it is the name of another expression', () => {
    expect(() => prepare('SELECT (COUNT(?s) AS ?n) (?n * 2 AS ?m) { ?s a ?t }')).toThrow(
      '?n is the name of an expression of the same SELECT',
    );
  });

  it.each([
    'SELECT ?t (COUNT(?s) AS ?n) { ?s a ?t } GROUP BY ?t',
    'SELECT ?y (SUM(?s) AS ?n) { ?s a ?t } GROUP BY (STR(?t) AS ?y)',
    'SELECT (IF(COUNT(?s) > 1, "y", "n") AS ?x) { ?s a ?t }',
    'SELECT (EXISTS { ?a a ?b } AS ?x) (SUM(?s) AS ?n) { ?s a ?t }',
    'SELECT ?x ?s { { SELECT (COUNT(?t) AS ?x) { ?s a ?t } } ?s a sp:Problem }',
    'SELECT (?s AS ?x) { ?s a ?t } ORDER BY ?s',
    'SELECT * { { SELECT ?t (COUNT(*) AS ?n) { ?s a ?t } GROUP BY ?t } }',
    `SELECT (SUM(1) AS ?n) { FILTER(${'1+'.repeat(9900)}1) }`,
  ])('is found in none that has a value: %.60s', (sparql) => {
    expect(prepare(sparql).kind).toBe('table');
  });
});

describe('a codepoint escape (SPARQL 1.1 §19.2)', () => {
  const escaped = (character: string): string =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

  it.each([
    ['SERVICE', `SELECT * { SERV${escaped('I')}CE <urn:x> { ?s ?p ?o } }`, 'SERVICE asks another server'],
    [
      'deep nesting',
      `ASK { FILTER(${escaped('(').repeat(200)}1${escaped(')').repeat(200)}) }`,
      'nested more than 128',
    ],
    ['an update', `CL${escaped('E')}AR ALL`, 'This is an update'],
    [
      'the end of a string',
      `SELECT * { ?s ?p "a${escaped('"')} . SERVICE <urn:x> { ?s ?p "b" } }`,
      'SERVICE asks',
    ],
    ['an escape of an escape', `SELECT * { ?s ?p "${escaped('\\')}u0041" }`, 'not SPARQL 1.1'],
    ['half a character', 'ASK { ?s ?p "\\uD800" }', 'names no character'],
  ])('hides nothing from the checks: %s', (_, sparql, message) => {
    expect(() => prepare(sparql)).toThrow(message);
  });

  it('means what it says, and texts keep their backslashes', () => {
    expect(prepare(`SEL${escaped('E')}CT * { ?s ?p "Zo${escaped('ë')}" } L${escaped('I')}MIT 3`).text).toBe(
      'SELECT * { ?s ?p "Zoë" } LIMIT 3',
    );
    const written = writeSparqlTerm(literal('\\u0041'));
    expect(prepare(`SELECT * { ?s ?p ${written} } LIMIT 3`).text).toBe(
      `SELECT * { ?s ?p ${written} } LIMIT 3`,
    );
  });
});
