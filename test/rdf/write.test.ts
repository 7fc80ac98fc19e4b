import fc from 'fast-check';
import { isomorphic } from 'rdf-isomorphic';
import { describe, expect, it } from 'vitest';
import { formatNames, formats, formatOfMediaType } from '../../src/rdf/formats.js';
import { distinct, parseRdf } from '../../src/rdf/parse.js';
import { blankNode, literal, namedNode, quad } from '../../src/rdf/terms.js';
import { sp, xsd } from '../../src/rdf/vocabulary.js';
import { writeRdf } from '../../src/rdf/write.js';
import { runs } from '../setup/runs.js';
import { graphs, retold } from './arbitraries.js';

describe('writing RDF', () => {
  for (const format of formatNames) {
    it(`writes ${format} that reads back as the same graph, the same text however it was told`, async () => {
      await fc.assert(
        fc.asyncProperty(graphs(), fc.nat(), async (graph, seed) => {
          const text = await writeRdf(graph, format);
          expect(await writeRdf(retold(graph, seed), format)).toBe(text);
          expect(isomorphic(await parseRdf(text, { format }), distinct(graph))).toBe(true);
        }),
        { numRuns: runs(60) },
      );
    });
  }

  const g = namedNode('http://ex.org/g');
  const s = namedNode('http://ex.org/s');
  const dataset = [
    quad(s, namedNode(sp.code), blankNode('x'), g),
    quad(blankNode('x'), namedNode(sp.notes), literal('1'), g),
    quad(s, namedNode(sp.code), literal('outside')),
  ];

  for (const format of formatNames.filter((name) => formats[name].quads)) {
    it(`keeps named graphs in ${format}`, async () => {
      const back = await parseRdf(await writeRdf(dataset, format), { format });
      expect(isomorphic(back, dataset)).toBe(true);
    });
  }

  it('leaves graph names out of Turtle and N-Triples', async () => {
    for (const format of ['turtle', 'ntriples', 'rdfxml'] as const) {
      const back = await parseRdf(await writeRdf(dataset, format), { format });
      expect(back).toHaveLength(3);
      expect(back.every(({ graph }) => graph.termType === 'DefaultGraph')).toBe(true);
    }
  });

  it('declares the prefixes that shorten something, and none that is a scheme in the data', async () => {
    const text = await writeRdf([quad(namedNode('v:odd'), namedNode(sp.code), s)], 'turtle');
    expect(text.match(/@prefix \w+/g)).toEqual(['@prefix sp']);
    const odd = await writeRdf([quad(namedNode('sp:odd'), namedNode(sp.code), s)], 'turtle');
    expect(
      isomorphic(await parseRdf(odd, { format: 'turtle' }), [
        quad(namedNode('sp:odd'), namedNode(sp.code), s),
      ]),
    ).toBe(true);
  });

  it('compacts JSON-LD with the context it is given', async () => {
    const context = { code: { '@id': sp.code, '@type': '@id' } };
    const text = await writeRdf([quad(s, namedNode(sp.code), g)], 'jsonld', { context });
    expect(JSON.parse(text)).toEqual({ '@context': context, '@id': s.value, code: g.value });
    expect(formatOfMediaType('application/ld+json')).toBe('jsonld');
  });

  it('writes plain strings, integers and truth values of JSON-LD as JSON has them, each by itself', async () => {
    const of = (name: string, value: string, type?: string) =>
      quad(s, namedNode(`urn:x:${name}`), literal(value, type === undefined ? undefined : namedNode(type)));
    const values = [
      of('text', 'a word'),
      of('count', '7', xsd.integer),
      of('padded', '007', xsd.integer),
      of('yes', 'true', xsd.boolean),
      of('amount', '1.50', xsd.decimal),
      of('many', '1.0E0', xsd.double),
    ];
    const text = await writeRdf(values, 'jsonld', { context: {} });
    expect(JSON.parse(text)).toEqual({
      '@id': s.value,
      'urn:x:text': 'a word',
      'urn:x:count': 7,
      'urn:x:padded': { '@type': xsd.integer, '@value': '007' },
      'urn:x:yes': true,
      'urn:x:amount': { '@type': xsd.decimal, '@value': '1.50' },
      'urn:x:many': { '@type': xsd.double, '@value': '1.0E0' },
    });
    expect(isomorphic(await parseRdf(text, { format: 'jsonld' }), values)).toBe(true);
  });
});
