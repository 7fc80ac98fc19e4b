import fc from 'fast-check';
import { Parser } from 'n3';
import { describe, expect, it } from 'vitest';
import { readTriples, writeTerm, writeTriples } from '../../src/rdf/ntriples.js';
import { blankNode, literal, namedNode, quad } from '../../src/rdf/terms.js';
import { rdf, sp, xsd } from '../../src/rdf/vocabulary.js';
import { anyTerm, anyText, graphs } from './arbitraries.js';

describe('writing terms', () => {
  const forms = [
    [namedNode('http://ex.org/é?a=1#b'), '<http://ex.org/é?a=1#b>'],
    [blankNode('b0'), '_:b0'],
    [literal('a "b" \\ \n\r\t\b\f'), '"a \\"b\\" \\\\ \\n\\r\\t\\b\\f"'],
    [literal('\u0000\u007f\u00e9'), '"\\u0000\\u007F\u00e9"'],
    [literal('chat', 'fr-CA'), '"chat"@fr-CA'],
    [literal('1', namedNode(xsd.integer)), `"1"^^<${xsd.integer}>`],
    [literal('1', namedNode(xsd.string)), '"1"'],
  ] as const;
  for (const [term, form] of forms) it(`writes ${form}`, () => expect(writeTerm(term)).toBe(form));

  const refused = [
    namedNode('http://ex.org/a> <b'),
    namedNode('http://ex.org/a b'),
    namedNode('http://ex.org/\n'),
    namedNode('http://ex.org/\\u0020'),
    namedNode('http://ex.org/\ud800'),
    literal('a', namedNode('http://ex.org/"')),
    literal('a', 'en . <x>'),
    literal('\udc00'),
    blankNode('a b'),
    blankNode('a>'),
  ];
  for (const term of refused) {
    it(`refuses ${JSON.stringify(term)}`, () => expect(() => writeTerm(term)).toThrow(TypeError));
  }

  it('writes any term as one token that an independent parser reads as the same term', () => {
    fc.assert(
      fc.property(anyTerm, (term) => {
        const line = writeTriples([quad(namedNode('urn:s'), namedNode('urn:p'), term)]);
        expect(line.split('\n')).toHaveLength(2);
        const [read] = new Parser({ format: 'N-Triples', blankNodePrefix: '' }).parse(line);
        expect(read?.object.termType).toBe(term.termType);
        if (term.termType !== 'BlankNode') expect(read?.object.equals(term)).toBe(true);
      }),
    );
  });

  it('refuses a text or writes it harmlessly: no text of a caller ends its own token', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: 'binary' })), (text) => {
        for (const term of [
          namedNode(text),
          literal(text),
          literal('a', text),
          literal('a', namedNode(text)),
        ]) {
          let form: string;
          try {
            form = writeTerm(term);
          } catch {
            continue;
          }
          expect(form).toMatch(
            /^(?:<[^<>"{}|^`\\ \n\r\t]*>|"(?:[^"\\\n\r]|\\.)*"(?:@[A-Za-z0-9-]+|\^\^<[^<> \n\r\t]*>)?)$/,
          );
        }
      }),
    );
  });
});

describe('reading N-Triples of a machine', () => {
  it('reads any graph as it was written', () => {
    fc.assert(
      fc.property(graphs(anyText), (graph) => {
        const text = writeTriples(graph);
        expect(writeTriples(readTriples(text))).toBe(
          [...new Set(text.split('\n'))].join('\n').replace(/^\n/, ''),
        );
      }),
    );
  });

  it('reads terms, not only their text', () => {
    const graph = [
      quad(namedNode('urn:a'), namedNode('urn:p'), literal('"quoted" \\ \u0007', 'en')),
      quad(blankNode('x'), namedNode('urn:p'), literal('1', namedNode('urn:t'))),
      quad(blankNode('x'), namedNode('urn:p'), blankNode('y')),
    ];
    const read = readTriples(writeTriples(graph));
    expect(read.every((each, i) => each.equals(graph[i]))).toBe(true);
  });

  it('drops repeated lines and makes equal terms one object', () => {
    const [one, two, three] = readTriples(
      '<urn:a> <urn:p> "x" .\n<urn:a> <urn:p> "x" .\n<urn:b> <urn:p> "x" .\n',
    );
    expect(three).toBeUndefined();
    expect(one?.object).toBe(two?.object);
  });

  it('turns inner names into blank nodes', () => {
    const inner = (iri: string): string | undefined => (iri.startsWith('urn:g#_') ? iri.slice(7) : undefined);
    const [read] = readTriples(`<urn:g#_b1> <${sp.code}> <urn:g#_b2> .\n`, inner);
    expect(read?.subject.equals(blankNode('b1'))).toBe(true);
    expect(read?.object.equals(blankNode('b2'))).toBe(true);
  });

  it('reads what other writers print: spacing, comments, escapes', () => {
    const text =
      '# comment\n\n  <urn:a>\t<urn:p>"caf\\u00E9 \\U0001F600"@en .  \r\n<urn:a> <urn:p> "a b" . \n<urn:\\u0061><urn:p><urn:c>.';
    expect(writeTriples(readTriples(text))).toBe(
      '<urn:a> <urn:p> "café 😀"@en .\n<urn:a> <urn:p> "a b" .\n<urn:a> <urn:p> <urn:c> .\n',
    );
  });

  it('reads a literal of many megabytes', () => {
    const value = 'a\\n"'.repeat(1_000_000);
    const [read] = readTriples(
      writeTriples([quad(namedNode('urn:a'), namedNode(rdf.value), literal(value))]),
    );
    expect(read?.object.value === value).toBe(true);
  });

  for (const bad of [
    '<urn:a> <urn:p> .',
    '<urn:a> <urn:p> "x .',
    '"x" <urn:p> <urn:a> .',
    '<urn:a> <urn:p> "a"b" .',
    'x',
  ]) {
    it(`names the line of ${bad}`, () => {
      expect(() => readTriples(`<urn:a> <urn:p> "x" .\n${bad}\n`)).toThrow(/^line 2: not a/);
    });
  }
});
