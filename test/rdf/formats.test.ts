import { describe, expect, it } from 'vitest';
import { formatOfFile, formatOfMediaType, formats } from '../../src/rdf/formats.js';

describe('formats', () => {
  const files: [string, string | undefined][] = [
    ['p1.xml', 'rdfxml'],
    ['/a.b/p1.RDF', 'rdfxml'],
    ['a.owl.gz', 'rdfxml'],
    ['a.ttl', 'turtle'],
    ['a.nt.GZ', 'ntriples'],
    ['a.nq', 'nquads'],
    ['a.trig', 'trig'],
    ['a.json', 'jsonld'],
    ['a.jsonld', 'jsonld'],
    ['a.txt', undefined],
    ['ttl', undefined],
    ['.gz', undefined],
    ['a.ttl/b', undefined],
  ];
  for (const [name, format] of files)
    it(`${name} is ${format}`, () => expect(formatOfFile(name)).toBe(format));

  it('are known by their media types, parameters and letter case aside', () => {
    for (const [name, { mediaType }] of Object.entries(formats))
      expect(formatOfMediaType(mediaType)).toBe(name);
    expect(formatOfMediaType('Text/Turtle; charset=utf-8')).toBe('turtle');
    expect(formatOfMediaType('text/html')).toBeUndefined();
  });
});
