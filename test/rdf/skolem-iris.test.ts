import fc from 'fast-check';
import { isomorphic } from 'rdf-isomorphic';
import { describe, expect, it } from 'vitest';
import { isInnerName, numberBlankNodes } from '../../src/rdf/skolem-iris.js';
import { runs } from '../setup/runs.js';
import { nameInnerNodes } from './inner-nodes.js';
import { readTriples, writeTriples } from '../../src/rdf/ntriples.js';
import { distinct } from '../../src/rdf/parse.js';
import { blankNode, literal, namedNode, quad, type Quad } from '../../src/rdf/terms.js';
import { rdf, sp } from '../../src/rdf/vocabulary.js';
import { ownTime } from '../setup/cpu-time.js';
import { anyText, graphs, retold } from './arbitraries.js';

const base = 'http://localhost:7000';
const graphIri = `${base}/records/1/medications/x`;
const p = namedNode(sp.code);

async function named(quads: readonly Quad[]): Promise<string> {
  const lines = writeTriples(await nameInnerNodes(graphIri, quads)).split('\n');
  return [...new Set(lines)].sort().join('\n');
}

describe('giving blank nodes Skolem IRIs', () => {
  it('gives isomorphic graphs the same names, and reading them back gives the graph', async () => {
    await fc.assert(
      fc.asyncProperty(graphs(anyText), fc.nat(), async (graph, seed) => {
        const text = await named(graph);
        expect(await named(retold(graph, seed))).toBe(text);
        expect(
          isomorphic(
            readTriples(text, (iri) => (isInnerName(iri, base) ? encodeURIComponent(iri) : undefined)),
            distinct(graph),
          ),
        ).toBe(true);
      }),
      { numRuns: runs(400) },
    );
  });

  it('gives graphs of nothing but entangled blank nodes the same names', async () => {
    const node = fc.nat(6).map((i) => blankNode(`x${i}`));
    const links = fc.array(fc.tuple(node, node), { maxLength: 16 });
    await fc.assert(
      fc.asyncProperty(links, fc.nat(), async (pairs, seed) => {
        const graph = pairs.map(([from, to]) => quad(from, p, to));
        expect(await named(retold(graph, seed))).toBe(await named(graph));
      }),
      { numRuns: runs(1000) },
    );
  });

  it('keeps order and graphs of the quads and touches nothing without blank nodes', async () => {
    const g = namedNode('urn:g');
    const quads = [quad(blankNode('x'), p, literal('1'), g), quad(namedNode('urn:a'), p, blankNode('x'), g)];
    const [first, second] = await nameInnerNodes(graphIri, quads);
    expect(first?.equals(quad(namedNode(`${graphIri}#_b0`), p, literal('1'), g))).toBe(true);
    expect(second?.equals(quad(namedNode('urn:a'), p, namedNode(`${graphIri}#_b0`), g))).toBe(true);
  });

  it('tells apart rings that only their length tells apart', async () => {
    const ring = (label: string, length: number): Quad[] =>
      Array.from({ length }, (_, i) => quad(blankNode(label + i), p, blankNode(label + ((i + 1) % length))));
    const twoThrees = [...ring('a', 3), ...ring('b', 3)];
    expect(await named(twoThrees)).not.toBe(await named(ring('c', 6)));
    expect(await named(retold(twoThrees, 3))).toBe(await named(twoThrees));
  });

  it('numbers many interchangeable nodes without trying their permutations', async () => {
    const many: Quad[] = [];
    for (let i = 0; i < 300; i++) {
      many.push(
        quad(blankNode('hub'), p, blankNode(`leaf${i}`)),
        quad(blankNode('other'), p, blankNode(`leaf${i}`)),
      );
      many.push(
        quad(namedNode('urn:a'), p, blankNode(`tree${i}`)),
        quad(blankNode(`tree${i}`), p, literal('same')),
      );
    }
    many.length = 80;
    expect(await named(retold(many, 5))).toBe(await named(many));
  });

  it('gives up on what would take too long, instead of hanging', async () => {
    const knot: Quad[] = [];
    for (let i = 0; i < 400; i++) {
      for (const step of [1, 7, 31])
        knot.push(quad(blankNode(`k${i}`), p, blankNode(`k${(i + step) % 400}`)));
    }
    const start = ownTime();
    await expect(nameInnerNodes(graphIri, knot)).rejects.toMatchObject({ name: 'RdfLimitError' });
    expect(ownTime() - start).toBeLessThan(20_000);
  });

  it('numbers chains longer than the call stack', () => {
    const chain = Array.from({ length: 50_000 }, (_, i) =>
      quad(blankNode(`c${i}`), namedNode(rdf.rest), blankNode(`c${i + 1}`)),
    );
    expect(numberBlankNodes(chain).get('c0')).toBe(0);
  });
});

describe('an IRI of our own for a blank node', () => {
  const names: [string, boolean][] = [
    [`${graphIri}#_b0`, true],
    [`${graphIri}#_index`, true],
    [`${graphIri}#b0`, false],
    [graphIri, false],
    ['http://localhost:70001/x#_b0', false],
    ['http://elsewhere.example/#_b0', false],
  ];
  for (const [iri, expected] of names) {
    it(`${iri} is ${expected ? '' : 'not '}one`, () => expect(isInnerName(iri, base)).toBe(expected));
  }
});
