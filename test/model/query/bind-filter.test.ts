import { Store } from 'oxigraph';
import { describe, expect, test } from 'vitest';
import type { FilterModel } from '../../../src/model/ontology/model.js';
import { bindFilter } from '../../../src/model/query/bind-filter.js';
import type { Bindable } from '../../../src/model/query/bind-filter.js';
import { dateStatements, newestFirst } from '../../../src/model/query/index/date-index.js';
import { keepsDate } from './keeps-date.js';
import { writeSparqlTerm } from '../../../src/model/query/sparql-term.js';
import { Problem } from '../../../src/model/problem.js';
import { literal, namedNode } from '../../../src/rdf/terms.js';
import { dcterms, prefixes, sp } from '../../../src/rdf/vocabulary.js';

const loinc = 'http://purl.bioontology.org/ontology/LNC/';
const codeFilter: FilterModel = {
  iri: 'urn:filter',
  name: 'loinc',
  comment: '',
  valueType: 'code',
  pattern: 'GRAPH ?v { ?v sp:labName/sp:code {loinc} }',
  properties: [],
  codeBase: loinc,
};
const dateFilter = (operator: NonNullable<FilterModel['operator']>): FilterModel => ({
  iri: 'urn:filter',
  name: 'date_from',
  comment: '',
  valueType: 'date',
  pattern: 'GRAPH ?v { ?v sp:startDate|dcterms:date ?d }',
  operator,
  properties: [sp.startDate, dcterms.date],
});
const text = (pattern: string, name = 'family_name'): Bindable => ({
  iri: 'urn:parameter',
  name,
  comment: '',
  valueType: 'name',
  choices: [],
  paths: [],
  pattern,
});

describe('a bound filter', () => {
  test('has its code in place, IRIs for names and variables of its own', () => {
    expect(bindFilter(codeFilter, 'statement', [literal('2951-2')], 3)).toBe(
      `GRAPH ?statement { ?statement <${sp.labName}>/<${sp.code}> <${loinc}2951-2> }`,
    );
    const search = text('GRAPH ?v { ?v v:n/v:family-name ?n } FILTER (STRSTARTS(?n, $family_name)) # why');
    expect(bindFilter(search, 's', [literal('o"x')], 3)).toBe(
      `GRAPH ?s { ?s <${prefixes.v}n>/<${prefixes.v}family-name> ?f3_n } FILTER (STRSTARTS(?f3_n, "o\\"x")) `,
    );
  });

  test('restricts a variable in the same group when a triple has several values', () => {
    expect(bindFilter(codeFilter, 's', [literal('a'), namedNode('urn:b')], 0)).toBe(
      `GRAPH ?s { ?s <${sp.labName}>/<${sp.code}> ?f0_value  FILTER (?f0_value IN (<${loinc}a>, <urn:b>)) }`,
    );
  });

  test('reads the pattern of the vocabulary itself: no GRAPH, an IRI with a hole, a comparison', () => {
    const filter = {
      ...codeFilter,
      pattern: `?v sp:labName ?l. ?l sp:code ?c. FILTER(?c = <${loinc}{loinc}>)`,
    };
    expect(bindFilter(filter, 's', [literal('a'), literal('b')], 0)).toBe(
      `GRAPH ?s { ?s <${sp.labName}> ?f0_l. ?f0_l <${sp.code}> ?f0_c. FILTER(?f0_c IN (<${loinc}a>, <${loinc}b>)) }`,
    );
  });

  test('is a union where several values cannot be said otherwise', () => {
    const search = text('GRAPH ?v { ?v ?p ?n FILTER (STRSTARTS(?n, {family_name})) }');
    expect(bindFilter(search, 's', [literal('a'), literal('b')], 0)).toBe(
      '{ GRAPH ?s { ?s ?f0_p ?f0_n FILTER (STRSTARTS(?f0_n, "a")) } } UNION ' +
        '{ GRAPH ?s { ?s ?f0_p ?f0_n FILTER (STRSTARTS(?f0_n, "b")) } }',
    );
  });

  test.each(['a b', '<x>', 'a"', '\\u003E', '\n'])('refuses the code %j, naming the parameter', (value) => {
    expect(() => bindFilter(codeFilter, 's', [literal(value)], 0)).toThrow(Problem);
    expect(() => bindFilter(codeFilter, 's', [literal(value)], 0)).toThrow('loinc');
  });

  test.each(['', 'junk', '2010-13'])('refuses the date %j, naming the parameter', (value) => {
    expect(() => bindFilter(dateFilter('from'), 's', [literal(value)], 0)).toThrow(
      'date_from is not an ISO 8601 date',
    );
  });
});

const stored = ['2009', '2010-05', '2010-06-15', '2010-06-15T23:30:00-05:00', 'junk', '2011'];

describe('in an engine', () => {
  const store = new Store();
  for (const [index, date] of stored.entries()) {
    const iri = `urn:s${index}`;
    const property = index % 2 ? dcterms.date : sp.startDate;
    store.load(`<${iri}> <${sp.belongsTo}> <urn:r> .`, {
      format: 'nt',
      to_graph_name: namedNode(iri) as never,
    });
    const entries = dateStatements(iri, property, [date]);
    store.load(entries, { format: 'nt', to_graph_name: namedNode(`${iri}#_index`) as never });
  }
  const rows = (pattern: string, order = ''): string[] =>
    (
      store.query(
        `SELECT DISTINCT ?s WHERE { GRAPH ?s { ?s <${sp.belongsTo}> <urn:r> } ${pattern} } ${order}`,
      ) as Map<string, { value: string }>[]
    ).map((row) => stored[Number(row.get('s')?.value.slice('urn:s'.length))] ?? '');

  test.each(['from', 'from_excluding', 'to', 'to_excluding'] as const)(
    'the date filter %s keeps what the rules keep',
    (operator) => {
      for (const given of ['2010', '2010-06', '2010-06-15', '2010-06-16T04:30:00Z']) {
        const kept = rows(bindFilter(dateFilter(operator), 's', [literal(given)], 0));
        expect(kept.sort()).toEqual(stored.filter((date) => keepsDate(operator, date, given)).sort());
      }
    },
  );

  test('the newest come first and what has no date last', () => {
    const { sort, orderBy } = newestFirst([sp.startDate, dcterms.date], 's');
    expect(rows(sort, `ORDER BY ${orderBy}`)).toEqual([
      '2011',
      '2010-06-15T23:30:00-05:00',
      '2010-06-15',
      '2010-05',
      '2009',
      'junk',
    ]);
  });

  test.each(['\\u0022', '\\\\u0022', '\\U00000022', '"', '\u000b', 'a\\', '\r\n', "'''"])(
    'the text %j stays what it is',
    (value) => {
      const [row] = store.query(`SELECT (${writeSparqlTerm(literal(value))} AS ?x) {}`) as Map<
        string,
        { value: string }
      >[];
      expect(row?.get('x')?.value).toBe(value);
    },
  );
});
