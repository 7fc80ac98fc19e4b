import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { isomorphic } from 'rdf-isomorphic';
import { describe, expect, it } from 'vitest';
import { distinct, parseRdf } from '../../src/rdf/parse.js';
import { unwritable, writeRdfXml } from '../../src/rdf/write-rdfxml.js';
import { namedNode, quad, literal, blankNode } from '../../src/rdf/terms.js';
import { sp } from '../../src/rdf/vocabulary.js';
import { runs } from '../setup/runs.js';
import { anyText, graphs, retold } from './arbitraries.js';
import { readIndependently } from './independent.js';

/** Where Python has no rdflib, nothing here reads names as Expat does. */
const hasRdflib = spawnSync('python3', ['-c', 'import rdflib']).status === 0;

/** The predicates that Python's rdflib, which stands on Expat, reads in a document. */
function predicatesByRdflib(text: string): Set<string> {
  const program = [
    'import sys, json, rdflib',
    'g = rdflib.Graph().parse(data=sys.stdin.buffer.read(), format="xml")',
    'print(json.dumps(list(set(g.predicates()))))',
  ].join('\n');
  const { stdout } = spawnSync('python3', ['-c', program], { input: text, encoding: 'utf8' });
  return new Set(JSON.parse(stdout) as string[]);
}

describe('the RDF/XML writer, for any graph', () => {
  it.skipIf(!hasRdflib)(
    'names predicates of any letters so that parsers of the fourth edition of XML 1.0 read them',
    () => {
      const letters = Array.from({ length: 0x20000 }, (_, code) => code)
        .filter(
          (code) => code % (35 / runs(5)) === 0 && /[\p{L}\p{M}\p{N}]/u.test(String.fromCodePoint(code)),
        )
        .map((code) => String.fromCodePoint(code));
      const statements = letters
        .flatMap((letter) => [`http://ex.org/${letter}`, `http://ex.org/a${letter}b`])
        .map((iri) => quad(namedNode('http://ex.org/a'), namedNode(iri), literal('1')))
        .filter((statement) => unwritable(statement) === undefined);
      expect(statements.length).toBeGreaterThan(letters.length);
      expect(predicatesByRdflib(writeRdfXml(statements))).toEqual(
        new Set(statements.map(({ predicate }) => predicate.value)),
      );
    },
  );

  it('writes well-formed XML that an independent parser reads as the same graph', async () => {
    await fc.assert(
      fc.asyncProperty(graphs(), async (graph) => {
        const text = writeRdfXml(graph);
        // Our own parser reads to the end and accepts well-formed XML only.
        expect(isomorphic(await parseRdf(text, { format: 'rdfxml' }), distinct(graph))).toBe(true);
        expect(isomorphic(await readIndependently(text), distinct(graph))).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });

  it('writes the same bytes whatever the order and the labels', () => {
    fc.assert(
      fc.property(graphs(), fc.nat(), (graph, seed) => {
        expect(writeRdfXml(retold(graph, seed))).toBe(writeRdfXml(graph));
      }),
      { numRuns: runs(600) },
    );
  });

  it('writes the same bytes for graphs of nothing but entangled blank nodes', () => {
    const node = fc.nat(5).map((i) => blankNode(`x${i}`));
    const links = fc.array(fc.tuple(node, node), { maxLength: 14 });
    fc.assert(
      fc.property(links, fc.nat(), (pairs, seed) => {
        const graph = pairs.map(([from, to]) => quad(from, namedNode(sp.code), to));
        expect(writeRdfXml(retold(graph, seed))).toBe(writeRdfXml(graph));
      }),
      { numRuns: runs(1000) },
    );
  });

  it('refuses a text exactly when XML 1.0 cannot carry it', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: 'binary' })), (text) => {
        const statement = quad(namedNode('http://ex.org/a'), namedNode(sp.notes), literal(text));

        const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u.test(text);
        expect(unwritable(statement) !== undefined).toBe(impossible);
        if (impossible) expect(() => writeRdfXml([statement])).toThrow(/XML 1\.0 cannot carry U\+/);
      }),
    );
  });
});
