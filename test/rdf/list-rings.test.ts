import fc from 'fast-check';
import { isomorphic } from 'rdf-isomorphic';
import { describe, expect, it } from 'vitest';
import { withOpenRings } from '../../src/rdf/write-jsonld.js';
import { distinct, parseRdf } from '../../src/rdf/parse.js';
import { blankNode, literal, namedNode, quad, type Quad, type Term } from '../../src/rdf/terms.js';
import { rdf, sp } from '../../src/rdf/vocabulary.js';
import { writeRdf } from '../../src/rdf/write.js';
import { runs } from '../setup/runs.js';

const read = (turtle: string): Promise<Quad[]> =>
  parseRdf(`PREFIX rdf: <${rdf.nil.replace('nil', '')}> PREFIX e: <http://ex.org/> ${turtle}`, {
    format: 'turtle',
  });

describe('lists in JSON-LD', () => {
  it.each([
    ['that is its own member', '_:l rdf:first _:l ; rdf:rest ()'],
    ['whose last member is the list', '_:l rdf:first 1 ; rdf:rest [ rdf:first _:l ; rdf:rest () ]'],
    ['whose first member is the list', '_:l rdf:first _:l ; rdf:rest ( 1 2 )'],
    ['within a list within it', '_:l rdf:first [ rdf:first _:l ; rdf:rest () ] ; rdf:rest ()'],
    ['beside one that is its own member', '_:l rdf:first _:l ; rdf:rest ( ( 1 2 ) )'],
  ])('a list %s keeps all of its statements', async (_what, turtle) => {
    const graph = await read(`${turtle} .`);
    expect(graph.length).toBeGreaterThan(1);
    const text = await writeRdf(graph, 'jsonld');
    expect(isomorphic(await parseRdf(text, { format: 'jsonld' }), graph)).toBe(true);
  });

  it.each([
    ['alone', 'e:a e:p ( 1 2 )'],
    ['in a list', 'e:a e:p ( ( 1 ) 2 )'],
    ['with a node that leads back to it', 'e:a e:q _:a . _:a e:p ( _:a )'],
    ['with two references to its head', 'e:a e:p _:l ; e:q _:l . _:l rdf:first 1 ; rdf:rest ( 2 )'],
  ])('a list %s is written as one', async (_what, turtle) => {
    const graph = await read(`${turtle} .`);
    expect(withOpenRings(graph)).toBe(graph);
    const text = await writeRdf(graph, 'jsonld');
    expect(text).toContain('"@list"');
    expect(isomorphic(await parseRdf(text, { format: 'jsonld' }), graph)).toBe(true);
  });

  it('any cells, shared and in rings, read back as they were', async () => {
    const cell = fc.nat(4).map((label) => blankNode(`x${label}`));
    const member: fc.Arbitrary<Term> = fc.oneof(cell, fc.constant(literal('1')));
    const statement = fc.oneof(
      fc.tuple(cell, fc.constant(rdf.first), member),
      fc.tuple(cell, fc.constant(rdf.rest), fc.oneof(cell, fc.constant(namedNode(rdf.nil)))),
      fc.tuple(fc.oneof(cell, fc.constant(namedNode('urn:a'))), fc.constant(sp.code), cell),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(statement, { maxLength: 8 }), async (statements) => {
        const graph = distinct(statements.map(([s, p, o]) => quad(s, namedNode(p), o)));
        const text = await writeRdf(graph, 'jsonld');
        expect(isomorphic(await parseRdf(text, { format: 'jsonld' }), graph)).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });

  it('a hundred thousand cells in one another are looked at once', () => {
    const cells = Array.from({ length: 100_000 }, (_, at) => blankNode(`c${at}`));
    const nested = cells.flatMap((each, at) => [
      quad(each, namedNode(rdf.first), cells[at + 1] ?? literal('1')),
      quad(each, namedNode(rdf.rest), namedNode(rdf.nil)),
    ]);
    const start = process.cpuUsage().user;
    expect(withOpenRings(nested)).toBe(nested);
    expect(process.cpuUsage().user - start).toBeLessThan(5_000_000);
  });
});
