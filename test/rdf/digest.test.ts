import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { treeDigest, type Leaf } from '../../src/rdf/digest.js';
import { blankNode, literal, namedNode, quad, type Quad, type Term } from '../../src/rdf/terms.js';
import { sp } from '../../src/rdf/vocabulary.js';
import { runs } from '../setup/runs.js';
import { graphs, retold } from './arbitraries.js';

const root = namedNode('http://ex.org/a');
const p = namedNode(sp.code);

function digest(quads: readonly Quad[], from: Term = root, leaf?: Leaf): string {
  return treeDigest(from, (subject) => quads.filter((each) => each.subject.equals(subject)), leaf);
}

describe('the digest of what is reachable from a node', () => {
  it('does not depend on order, labels or repetition', () => {
    fc.assert(
      fc.property(graphs(), fc.nat(), (graph, seed) => {
        expect(digest(retold(graph, seed))).toBe(digest(graph));
      }),
      { numRuns: runs(400) },
    );
  });

  it('does not depend on the name of the root', () => {
    const tree = (from: Term): Quad[] => [
      quad(from, p, blankNode('x')),
      quad(blankNode('x'), p, literal('1')),
    ];
    expect(digest(tree(blankNode('r')), blankNode('r'))).toBe(digest(tree(root)));
  });

  it('changes with any literal below', () => {
    const tree = (text: string): Quad[] => [
      quad(root, p, blankNode('x')),
      quad(blankNode('x'), p, literal(text)),
    ];
    expect(digest(tree('1'))).not.toBe(digest(tree('2')));
    expect(digest([])).not.toBe(digest(tree('1')));
  });

  it('stops at IRIs, and where a leaf says so', () => {
    const below = (text: string): Quad[] => [
      quad(root, p, blankNode('x')),
      quad(blankNode('x'), p, literal(text)),
      quad(root, namedNode(sp.unit), literal(text)),
    ];
    const leaf: Leaf = (object) => (object.termType === 'Literal' ? null : undefined);
    expect(digest(below('1'), root, leaf)).toBe(digest(below('2'), root, leaf));
    const other = (object: Term): string | undefined =>
      object.termType === 'BlankNode' ? 'statement' : undefined;
    expect(digest(below('1'), root, other)).not.toBe(digest(below('1')));
  });

  it('ends on rings and tells rings of different content apart', () => {
    const ring = (text: string): Quad[] => [
      quad(root, p, blankNode('x')),
      quad(blankNode('x'), p, blankNode('y')),
      quad(blankNode('y'), p, blankNode('x')),
      quad(blankNode('y'), p, literal(text)),
    ];
    expect(digest(ring('1'))).toBe(digest(retold(ring('1'), 9)));
    expect(digest(ring('1'))).not.toBe(digest(ring('2')));
  });

  it('follows chains longer than the call stack', () => {
    const chain = new Map(
      Array.from({ length: 50_000 }, (_, i) => [
        `c${i}`,
        [quad(blankNode(`c${i}`), p, blankNode(`c${i + 1}`))],
      ]),
    );
    expect(treeDigest(blankNode('c0'), (subject) => chain.get(subject.value) ?? [])).toMatch(
      /^[0-9a-f]{64}$/,
    );
  });
});
