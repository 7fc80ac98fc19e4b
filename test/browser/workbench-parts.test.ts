import { describe, expect, it } from 'vitest';
import { queryVocabulary } from '../../src/analysts/query-vocabulary.js';
import { arranged, cellWriter, kindOf, type Row, type Term } from '../../src/analysts/browser/cells.js';
import { chartFor, drawnChart } from '../../src/analysts/browser/chosen-chart.js';
import { copiedPrograms } from '../../src/analysts/browser/copied-programs.js';
import { offersOf } from '../../src/analysts/browser/offers.js';
import { warningsIn } from '../../src/analysts/browser/ask-query.js';
import { withPattern } from '../../src/analysts/browser/written-pattern.js';
import { queryPrefixes, xsd } from '../../src/rdf/vocabulary.js';
import { ontology } from '../analysts/containers.js';

const text = (value: string): Term => ({ type: 'literal', value });
const number = (value: number): Term => ({ type: 'literal', value: String(value), datatype: xsd.integer });
const write = cellWriter(queryPrefixes);

describe('cells of the workbench', () => {
  it.each<[string, Term | undefined, string]>([
    [
      'an IRI of the container by its prefix',
      { type: 'uri', value: 'http://smartplatforms.org/terms#Problem' },
      'sp:Problem',
    ],
    [
      'an IRI by the longest prefix',
      { type: 'uri', value: 'http://smartplatforms.org/terms/codes/LOINC' },
      'spcode:LOINC',
    ],
    ['any other IRI whole', { type: 'uri', value: 'urn:a:b' }, 'urn:a:b'],
    ['a blank node', { type: 'bnode', value: 'b0' }, '_:b0'],
    ['a literal', text('<b>'), '<b>'],
    ['nothing', undefined, ''],
  ])('are written for people: %s', (_, term, shown) => {
    expect(write(term)).toBe(shown);
  });

  it('are sorted by what they are, what has no value last, and equal ones as they came', () => {
    const rows: Row[] = [{ a: number(10) }, {}, { a: number(9) }, { a: number(10) }];
    const sorted = (descending: boolean): number[] =>
      arranged(rows, ['a'], write, { filter: '', sort: { column: 'a', descending } });
    expect(sorted(false)).toEqual([2, 0, 3, 1]);
    expect(sorted(true)).toEqual([0, 3, 2, 1]);
    expect(arranged(rows, ['a'], write, { filter: '1', sort: undefined })).toEqual([0, 3]);
  });

  it.each([
    ['number', [number(1), text('2.5')]],
    ['time', [text('2014-02'), text('2014-02-03T10:15:00Z')]],
    ['category', [text('2014'), text('b')]],
    ['category', [{ type: 'uri', value: 'urn:1' } as const]],
    ['category', []],
  ])('are a %s by their values', (kind, terms) => {
    expect(
      kindOf(
        terms.map((a) => ({ a })),
        'a',
      ),
    ).toBe(kind);
  });
});

describe('charts of the workbench', () => {
  const drawn = (rows: readonly Row[], columns: readonly string[]) => {
    const chosen = chartFor(rows, columns);
    return chosen && { ...drawnChart(rows, write, chosen), kind: chosen.kind };
  };

  it('draw categories as bars with the numbers beside them', () => {
    expect(
      drawn(
        [
          { a: text('x'), n: number(3) },
          { a: text('y'), n: number(4) },
        ],
        ['a', 'n'],
      ),
    ).toMatchObject({
      kind: 'bar',
      left: 0,
      data: {
        series: ['n'],
        points: [
          { across: 'x', values: [3] },
          { across: 'y', values: [4] },
        ],
      },
    });
  });

  it('draw time evenly: a month without a row is there, and rows of the same month become their mean', () => {
    const rows = [
      { d: text('2020-01-05'), n: number(1) },
      { d: text('2020-12-01'), n: number(9) },
      { d: text('2020-01-20'), n: number(3) },
    ];
    const months = drawn(rows, ['d', 'n']);
    expect(months).toMatchObject({ kind: 'line' });
    expect(months?.data.points).toHaveLength(12);
    expect(months?.data.points[0]).toEqual({ across: '2020-01', values: [2] });
    expect(months?.data.points[1]).toEqual({ across: '2020-02', values: [undefined] });
  });

  it('draw how many rows there are where there are no numbers, and say how many places are left out', () => {
    const rows = Array.from({ length: 100 }, (_, at) => ({ a: text(`c${at}`) }));
    expect(drawn([...rows, ...rows], ['a'])).toMatchObject({ left: 40, data: { series: ['rows'] } });
    expect(drawn([], ['a'])).toBeUndefined();
  });

  it('put many different numbers into ranges of which each row is in one', () => {
    const rows = Array.from({ length: 101 }, (_, at) => ({ n: number(at) }));
    const ranges = drawnChart(rows, write, { kind: 'bar', across: 'n', values: [], combining: 'count' }).data
      .points;
    expect(ranges).toHaveLength(12);
    expect(ranges.reduce((sum, { values }) => sum + (values[0] ?? 0), 0)).toBe(101);
  });

  it('end for dates that lie thousands of years apart', () => {
    const rows = [{ d: text('0001-01-01') }, { d: text('9999-12-31') }];
    expect(drawn(rows, ['d'])?.data.points).toHaveLength(60);
  });
});

describe('patterns that a click writes', () => {
  it.each([
    [
      'an empty text',
      '',
      'SELECT * WHERE {\n  ?problem a sp:Problem .\n  ?problem sp:startDate ?startDate .\n}\nLIMIT 100\n',
    ],
    [
      'a query that speaks of the class',
      'SELECT ?x { ?x a sp:Problem } LIMIT 5',
      'SELECT ?x { ?x a sp:Problem .\n  ?x sp:startDate ?startDate .\n} LIMIT 5',
    ],
    [
      'the last group, not a brace in a comment or a text',
      'CONSTRUCT { ?s ?p ?o } WHERE {\n  ?s ?p "}" . # }\n}',
      'CONSTRUCT { ?s ?p ?o } WHERE {\n  ?s ?p "}" . # }\n  ?problem a sp:Problem .\n  ?problem sp:startDate ?startDate .\n}',
    ],
    [
      'a query with another class whose name begins alike',
      'SELECT * { ?p a sp:ProblemX . }',
      'SELECT * { ?p a sp:ProblemX .\n  ?problem a sp:Problem .\n  ?problem sp:startDate ?startDate .\n}',
    ],
  ])('go into %s', (_, before, after) => {
    expect(withPattern(before, 'sp:Problem', 'sp:startDate').text).toBe(after);
  });
});

describe('what the editor offers', () => {
  const offers = offersOf(queryVocabulary(ontology));
  const best = (before: string, typed: string): string[] => {
    const all = offers(before, typed, before + typed);
    return [...all].sort((a, b) => b.boost - a.boost).map(({ name }) => name);
  };

  it('is classes behind a, and the properties of the class that was named last before others', () => {
    const classes = [...ontology.classes.values()].length;
    expect(best('?s a ', 's').slice(0, classes)).toContain('sp:Problem');
    expect(best('?s a ', 's').slice(0, classes)).not.toContain('sp:problemName');
    expect(best('?s a sp:Problem ; ', 's').slice(0, 8)).toContain('sp:problemName');
  });

  it('is the variables of the text behind a question mark, without what is being typed', () => {
    expect(best('SELECT ?name { ?s ?p ', '?na')).toEqual(['?name', '?s', '?p']);
  });
});

describe('what is said of a query', () => {
  it('is read from the Warning field with its place', () => {
    const field = '199 - "The answer is cut.", 199 - "line 2, column 7: \\"x\\" is not declared."';
    expect(warningsIn(field)).toEqual([
      { severity: 'warning', line: 2, column: 7, message: '"x" is not declared.' },
    ]);
  });

  it.each([
    ['curl', `--data-urlencode 'query=SELECT "it'\\''s" {}'`],
    ['Python', 'query = """SELECT \\"it\'s\\" {}"""'],
    ['R', 'query <- "SELECT \\"it\'s\\" {}"'],
  ])('is a program in %s that no quotation mark breaks', (name, line) => {
    const program = copiedPrograms.find((each) => each.name === name);
    expect(program?.write('http://localhost/sparql', `SELECT "it's" {}`)).toContain(line);
  });
});
