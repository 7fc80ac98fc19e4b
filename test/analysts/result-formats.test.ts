import { describe, expect, test } from 'vitest';
import { resultFormats, solutionsText, type Solutions } from '../../src/analysts/result-formats.js';
import { sparqlResults, xsd } from '../../src/rdf/vocabulary.js';

const answer: Solutions = {
  variables: ['a', 'b'],
  rows: [
    { a: { type: 'uri', value: 'http://a.example/?x&y' }, b: { type: 'bnode', value: 'b0' } },
    { a: { type: 'literal', value: 'one "two",\n\tthree\\' } },
    {
      a: { type: 'literal', value: 'un', 'xml:lang': 'fr' },
      b: { type: 'literal', value: '5', datatype: xsd.integer },
    },
  ],
};

describe('answers to SELECT and ASK', () => {
  test('JSON is the W3C form', () => {
    expect(JSON.parse(solutionsText('json', answer))).toEqual({
      head: { vars: ['a', 'b'] },
      results: { bindings: answer.rows },
    });
    expect(JSON.parse(resultFormats.json.ask(true))).toEqual({ head: {}, boolean: true });
  });

  test('CSV holds bare values and quotes what needs it', () => {
    expect(solutionsText('csv', answer)).toBe(
      'a,b\nhttp://a.example/?x&y,_:b0\n"one ""two"",\n\tthree\\",\nun,5\n',
    );
  });

  test('TSV holds terms as Turtle writes them, one line a solution', () => {
    expect(solutionsText('tsv', answer)).toBe(
      `?a\t?b\n<http://a.example/?x&y>\t_:b0\n"one \\"two\\",\\n\\tthree\\\\"\t\n"un"@fr\t"5"^^<${xsd.integer}>\n`,
    );
  });

  test('a variable without a value has none, whatever its name', () => {
    const unbound: Solutions = { variables: ['toString'], rows: [{}] };
    expect(solutionsText('tsv', unbound)).toBe('?toString\n\n');
    expect(solutionsText('xml', unbound)).toContain('<result></result>');
  });

  test('XML escapes and leaves unbound variables out', () => {
    expect(solutionsText('xml', answer)).toBe(
      [
        '<?xml version="1.0"?>',
        `<sparql xmlns="${sparqlResults}">`,
        '<head><variable name="a"/><variable name="b"/></head>',
        '<results>',
        '<result><binding name="a"><uri>http://a.example/?x&amp;y</uri></binding><binding name="b"><bnode>b0</bnode></binding></result>',
        '<result><binding name="a"><literal>one &quot;two&quot;,\n\tthree\\</literal></binding></result>',
        `<result><binding name="a"><literal xml:lang="fr">un</literal></binding><binding name="b"><literal datatype="${xsd.integer}">5</literal></binding></result>`,
        '</results>',
        '</sparql>',
        '',
      ].join('\n'),
    );
  });

  test('a truth value is one word in CSV and TSV', () => {
    expect([resultFormats.csv.ask(false), resultFormats.tsv.ask(true)]).toEqual(['false\n', 'true\n']);
    expect(resultFormats.xml.ask(true)).toContain('<head/>\n<boolean>true</boolean>');
  });
});
