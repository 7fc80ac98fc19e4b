import { describe, expect, it } from 'vitest';
import { nestNodes } from '../../src/rdf/write-jsonld.js';

const to = (...ids: string[]): object[] => ids.map((id) => ({ '@id': id }));

describe('nesting the nodes of a JSON-LD document', () => {
  it('puts a blank node where it is referred to, and drops its label', () => {
    const nodes = [
      { '@id': 'urn:a', p: to('_:b') },
      { '@id': '_:b', q: to('_:c', 'urn:a') },
      { '@id': '_:c', r: [{ '@value': 'x' }] },
    ];
    expect(nestNodes(nodes)).toEqual([
      { '@id': 'urn:a', p: [{ q: [{ r: [{ '@value': 'x' }] }, { '@id': 'urn:a' }] }] },
    ]);
  });

  it('drops the label of a node that nothing refers to, and keeps it where several do', () => {
    const nodes = [
      { '@id': '_:a', p: to('_:c') },
      { '@id': '_:b', p: to('_:c') },
      { '@id': '_:c', q: to('urn:x') },
    ];
    expect(nestNodes(nodes)).toEqual([{ p: to('_:c') }, { p: to('_:c') }, { '@id': '_:c', q: to('urn:x') }]);
  });

  it('leaves one node of a circle at the top, with its label', () => {
    const nodes = [
      { '@id': '_:a', p: to('_:b') },
      { '@id': '_:b', p: to('_:c') },
      { '@id': '_:c', p: to('_:a') },
      { '@id': '_:self', p: to('_:self') },
    ];
    const [top, self, ...others] = nestNodes(structuredClone(nodes)) as Record<string, unknown>[];
    expect(others).toEqual([]);
    expect(top?.['@id']).toMatch(/^_:[abc]$/);
    expect(JSON.stringify(top).match(/@id/g)).toHaveLength(2);
    expect(self).toEqual({ '@id': '_:self', p: to('_:self') });
  });

  it('looks into lists, and leaves classes and datasets alone', () => {
    expect(
      nestNodes([
        { '@id': 'urn:a', p: [{ '@list': to('_:b') }] },
        { '@id': '_:b', q: [] },
      ]),
    ).toEqual([{ '@id': 'urn:a', p: [{ '@list': [{ q: [] }] }] }]);
    const typed = [
      { '@id': 'urn:a', '@type': ['_:b'] },
      { '@id': '_:b', q: [] },
    ];
    expect(nestNodes(structuredClone(typed))).toEqual(typed);
    const dataset = [
      { '@id': 'urn:a', p: to('_:b') },
      { '@id': '_:b', '@graph': [] },
    ];
    expect(nestNodes(structuredClone(dataset))).toEqual(dataset);
  });

  it('does not nest a long chain without end', () => {
    const chain = Array.from({ length: 20_000 }, (_, index) => ({
      '@id': `_:${index}`,
      p: to(`_:${index + 1}`),
    }));
    const nested = nestNodes(chain);
    expect(nested.length).toBeLessThan(20_000 / 30);
    expect(() => JSON.stringify(nested)).not.toThrow();
  });
});
