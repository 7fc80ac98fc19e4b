import { describe, expect, it } from 'vitest';
import { ownObjects } from '../../src/rdf/graph-lines.js';
import { inGraph, resolveText } from '../../src/store/relative-text.js';

describe('the text of a graph', () => {
  // What stands for something in a replacement of JavaScript.
  it.each(['$$', '$&', "$'", '$`', '$1', '$<a>'])(
    'is read under a base, and in a graph, with %s in the name',
    (odd) => {
      const base = `http://localhost/a${odd}b`;
      expect(resolveText('</x> <urn:p> </y> .\n', base)).toBe(`<${base}/x> <urn:p> <${base}/y> .\n`);
      expect(inGraph('<urn:s> <urn:p> "1" .\n<urn:s> <urn:p> "2" .\n', base)).toBe(
        `<urn:s> <urn:p> "1" <${base}> .\n<urn:s> <urn:p> "2" <${base}> .\n`,
      );
    },
  );

  it('is looked through to its end, however damaged', () => {
    const text = '<urn:n> <urn:p> "x" .\n<urn:n> <broken\n';
    expect([...ownObjects('urn:n', text, new Set(['urn:p']))]).toEqual([['urn:p', ['"x"']]]);
  });
});
