import { describe, expect, it } from 'vitest';
import { resolveIri } from '../../src/rdf/resolve-iri.js';

/** RFC 3986 §5.4.1 and §5.4.2, but for references that are absolute. */
// prettier-ignore
const examples: readonly [reference: string, target: string][] = [
  ['g', 'http://a/b/c/g'], ['./g', 'http://a/b/c/g'], ['g/', 'http://a/b/c/g/'], ['/g', 'http://a/g'],
  ['//g', 'http://g'], ['?y', 'http://a/b/c/d;p?y'], ['g?y', 'http://a/b/c/g?y'], ['#s', 'http://a/b/c/d;p?q#s'],
  ['g#s', 'http://a/b/c/g#s'], ['g?y#s', 'http://a/b/c/g?y#s'], [';x', 'http://a/b/c/;x'], ['g;x', 'http://a/b/c/g;x'],
  ['g;x?y#s', 'http://a/b/c/g;x?y#s'], ['', 'http://a/b/c/d;p?q'], ['.', 'http://a/b/c/'], ['./', 'http://a/b/c/'],
  ['..', 'http://a/b/'], ['../', 'http://a/b/'], ['../g', 'http://a/b/g'], ['../..', 'http://a/'],
  ['../../', 'http://a/'], ['../../g', 'http://a/g'], ['../../../g', 'http://a/g'], ['../../../../g', 'http://a/g'],
  ['/./g', 'http://a/g'], ['/../g', 'http://a/g'], ['g.', 'http://a/b/c/g.'], ['.g', 'http://a/b/c/.g'],
  ['g..', 'http://a/b/c/g..'], ['..g', 'http://a/b/c/..g'], ['./../g', 'http://a/b/g'], ['./g/.', 'http://a/b/c/g/'],
  ['g/./h', 'http://a/b/c/g/h'], ['g/../h', 'http://a/b/c/h'], ['g;x=1/./y', 'http://a/b/c/g;x=1/y'],
  ['g;x=1/../y', 'http://a/b/c/y'], ['g?y/./x', 'http://a/b/c/g?y/./x'], ['g?y/../x', 'http://a/b/c/g?y/../x'],
  ['g#s/./x', 'http://a/b/c/g#s/./x'], ['g#s/../x', 'http://a/b/c/g#s/../x'],
];

// prettier-ignore
const bases: readonly [reference: string, base: string, target: string][] = [
  ['/g', 'http://a', 'http://a/g'],
  ['g', 'http://a', 'http://a/g'],
  ['g', 'http://a?x/y', 'http://a/g'],
  ['g', 'http://a/b?x/y#z', 'http://a/g'],
  ['#s', 'http://a#t', 'http://a#s'],
  ['//g/../h?i', 'http://a/b', 'http://g/h?i'],
  ['g', '', 'g'],
];

describe('a reference is resolved', () => {
  for (const [reference, target] of examples)
    it(`${reference} as RFC 3986 §5.4 has it`, () => {
      expect(resolveIri(reference, 'http://a/b/c/d;p?q')).toBe(target);
    });

  for (const [reference, base, target] of bases)
    it(`${reference} against ${base === '' ? 'nothing' : base}`, () => {
      expect(resolveIri(reference, base)).toBe(target);
    });

  it('and stays as it is where it is absolute', () => {
    expect(resolveIri('http://a/../b', 'http://c/')).toBe('http://a/../b');
  });
});
