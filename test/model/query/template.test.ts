import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { QueryFileError } from '../../../src/model/query/query-file-error.js';
import { parseSparql } from '../../../src/model/query/syntax.js';
import { QueryTemplate } from '../../../src/model/query/template.js';
import { literal, namedNode, blankNode } from '../../../src/rdf/terms.js';
import type { Literal, NamedNode, Term } from '../../../src/rdf/terms.js';
import { xsd } from '../../../src/rdf/vocabulary.js';
import { runs } from '../../setup/runs.js';

const list = `# A $record in a comment is none.
PREFIX ex: <http://example.org/$record#>
CONSTRUCT { ?s ?p ?o . ?s ex:note "a $record # no comment", '''$record_id's''' }
WHERE {
  { SELECT ?statement WHERE {
      GRAPH ?statement { ?statement ex:belongsTo $record ; ex:id $record_id ; ex:a\\$record 1 . }
      FILTER (?statement != <http://example.org/?x=$record> && 1<2)
      #:filters
    }
    #:page
  }
  GRAPH ?statement { ?s ?p ?o }
}`;
const template = new QueryTemplate('get_things', 'get_things.rq', list);
const record = namedNode('http://example.org/r');

describe('binding', () => {
  test('puts terms into parameters alone, whatever name begins like another', () => {
    const bound = template.bind({ record, record_id: literal('7'), unused: literal('x') });
    expect(bound).toContain('ex:belongsTo <http://example.org/r> ; ex:id "7" ; ex:a\\$record 1');
    expect(bound).toContain(`"a $record # no comment", '''$record_id's'''`);
    expect(bound).toContain('<http://example.org/?x=$record>');
    expect(template.parameters).toEqual(['record', 'record_id']);
  });

  test('changes nothing of the query but the bound terms', () => {
    const placeholder = { record: namedNode('urn:the-record'), record_id: literal('the-id') };
    const before = tree(template.bind(placeholder));
    fc.assert(
      fc.property(anyIri, anyTerm, (iri, term) => {
        const after = tree(template.bind({ record: iri, record_id: term }));
        const expected = replaced(
          before,
          new Map([
            ['urn:the-record', iri],
            ['the-id', term],
          ] as [string, Term][]),
        );
        expect(after).toEqual(expected);
      }),
      { numRuns: runs(300) },
    );
  });

  test.each([
    ['a blank node', blankNode('b')],
    ['an IRI that would end early', namedNode('http://example.org/> ?s ?p ?o . <http://x')],
    ['an IRI with an escape', namedNode('http://example.org/\\u003E')],
    ['an IRI with a space', namedNode('http://example.org/a b')],
    ['a literal with half a character', literal('\ud800')],
    ['a literal with an invented language', literal('x', 'en . ?s ?p ?o')],
  ])('refuses %s', (_, term) => {
    expect(() => template.bind({ record: term, record_id: literal('7') })).toThrow(TypeError);
  });

  test('a parameter without a value is an error, inherited properties are no values', () => {
    expect(() => template.bind({ record })).toThrow('needs a value for $record_id');
    const other = new QueryTemplate('x', 'x.rq', 'CONSTRUCT WHERE { ?s ?p $toString }');
    expect(() => other.bind({})).toThrow('needs a value for $toString');
  });
});

describe('a list', () => {
  const values = { record, record_id: literal('7') };

  test('as it stands returns everything, without its marks', () => {
    const bound = template.bind(values);
    expect(bound).not.toMatch(/#:|DISTINCT|ORDER|LIMIT/);
    expect(() => parseSparql(bound)).not.toThrow();
  });

  test('takes filters, order and page in its sub-select', () => {
    const options = {
      filters: ['?statement ?a ?b .', 'FILTER (?b > 1)'],
      orderBy: 'DESC(?b) ?statement',
      limit: 2,
      offset: 4,
    };
    const bound = template.bind(values, options);
    expect(bound.replace(/\s+/g, ' ')).toContain(
      'SELECT DISTINCT ?statement WHERE { GRAPH ?statement { ?statement ex:belongsTo <http://example.org/r>',
    );
    expect(bound.replace(/\s+/g, ' ')).toContain(
      '?statement ?a ?b . FILTER (?b > 1) } ORDER BY DESC(?b) ?statement LIMIT 2 OFFSET 4 } GRAPH ?statement',
    );
    const select = template.select(values, options).replace(/\s+/g, ' ');
    expect(select).toMatch(/^ ?PREFIX ex: <[^>]*> SELECT DISTINCT \?statement WHERE/);
    expect(select).toMatch(/ORDER BY DESC\(\?b\) \?statement LIMIT 2 OFFSET 4 $/);
    expect(template.count(values, options).replace(/\s+/g, ' ')).toMatch(
      /SELECT \(COUNT\(DISTINCT \?statement\) AS \?count\) WHERE \{.*FILTER \(\?b > 1\) \} ?$/,
    );
    for (const text of [bound, template.select(values, options), template.count(values, options)])
      parseSparql(text);
  });

  test.each([-1, 1.5, Number.NaN, Infinity])('has no page of %d', (limit) => {
    expect(() => template.bind(values, { limit })).toThrow(RangeError);
  });

  test.each([
    ['only one mark', 'CONSTRUCT WHERE { { SELECT ?x WHERE { ?x ?p ?o #:filters\n } } }'],
    ['marks outside a sub-select', 'CONSTRUCT WHERE { ?x ?p ?o #:filters\n #:page\n }'],
    [
      'a page inside the pattern',
      'CONSTRUCT WHERE { { SELECT ?x WHERE { ?x ?p ?o \n#:filters\n #:page\n } } }',
    ],
    [
      'modifiers of its own',
      'CONSTRUCT WHERE { { SELECT ?x WHERE { ?x ?p ?o \n#:filters\n } LIMIT 1 #:page\n } }',
    ],
    [
      'two selected variables',
      'CONSTRUCT WHERE { { SELECT ?x ?o WHERE { ?x ?p ?o \n#:filters\n } #:page\n } }',
    ],
  ])('with %s is refused with its line', (_, sparql) => {
    expect(() => new QueryTemplate('x', 'x.rq', sparql)).toThrow(QueryFileError);
    expect(() => new QueryTemplate('x', 'x.rq', sparql)).toThrow(/^x\.rq:\d: /);
  });

  test('is what select and count are for', () => {
    const single = new QueryTemplate('x', 'x.rq', 'CONSTRUCT WHERE { $resource ?p ?o }');
    expect(single.variable).toBeUndefined();
    expect(() => single.select({})).toThrow('is no list');
    expect(() => single.bind({ resource: record }, { limit: 1 })).toThrow('is no list');
  });
});

const nasty = fc.constantFrom(
  '"',
  '\\',
  '\\u0022',
  '\\\\u0022',
  '\\U00000022',
  '\\\\\\u0027',
  '\n',
  '\r',
  '\t',
  '\u0000',
  '\u000b',
  '\u007f',
  "'",
  '"""',
  '} #',
  '<',
  '>',
  '$record',
  '?s',
  '{record_id}',
  '#:page',
  '\u2028',
  '\ufeff',
  '😀',
  '. ?a ?b ?c',
);
const text = fc
  .array(fc.oneof(nasty, fc.string({ unit: 'grapheme' })), { maxLength: 6 })
  .map((parts) => parts.join(''));
const anyIri: fc.Arbitrary<NamedNode> = fc
  .string({
    unit: fc.constantFrom(...'abz019-._~:/?#[]@!$&()*+,;=%é漢'.split(''), "'", '$record', '\\u0022'.slice(1)),
  })
  .map((rest) => namedNode(`http://example.org/${rest}`));
const anyTerm: fc.Arbitrary<Term> = fc.oneof(
  anyIri,
  text.map((value): Literal => literal(value)),
  text.map((value) => literal(value, 'en-GB')),
  fc.tuple(text, anyIri).map(([value, type]) => literal(value, type)),
);

/** The syntax tree without positions, terms in one form. */
function tree(sparql: string): unknown {
  return simplified(parseSparql(sparql));
}

function simplified(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(simplified);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(([key]) => key !== 'loc');
  return Object.fromEntries(entries.map(([key, value]) => [key, simplified(value)]));
}

/** A tree with other terms in the places of two known ones. */
function replaced(node: unknown, terms: ReadonlyMap<string, Term>): unknown {
  if (Array.isArray(node)) return node.map((child) => replaced(child, terms));
  if (typeof node !== 'object' || node === null) return node;
  const { type, value } = node as { type?: unknown; value?: unknown };
  const term = type === 'term' && typeof value === 'string' ? terms.get(value) : undefined;
  if (term) return termNode(term);
  return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, replaced(child, terms)]));
}

function termNode(term: Term): unknown {
  const node = (subType: string, value: string, extra: object = {}): unknown => ({
    type: 'term',
    subType,
    value,
    ...extra,
  });
  if (term.termType === 'NamedNode') return node('namedNode', term.value);
  const { value, language, datatype } = term as Literal;
  if (language !== '') return node('literal', value, { langOrIri: language.toLowerCase() });
  const plain = datatype.value === xsd.string;
  return node('literal', value, plain ? {} : { langOrIri: node('namedNode', datatype.value) });
}
