import { describe, expect, it } from 'vitest';
import { readQuery, readTarget } from '../../src/http/target.js';

describe('the request target', () => {
  it.each([
    ['/a/b?c=d', '', { raw: '/a/b?c=d', path: '/a/b', query: 'c=d' }],
    ['/x/a?c', '/x', { raw: '/x/a?c', path: '/a', query: 'c' }],
    ['/x', '/x', { raw: '/x', path: '/', query: '' }],
    ['/xy/a', '/x', { raw: '/xy/a', path: undefined, query: '' }],
    ['http://h:1/a?b', '', { raw: '/a?b', path: '/a', query: 'b' }],
    ['http://h?b', '', { raw: '/?b', path: '/', query: 'b' }],
    ['*', '', { raw: '/', path: '/', query: '' }],
  ])('%s below "%s" is taken apart', (url, basePath, expected) => {
    expect(readTarget(url, basePath)).toEqual(expected);
  });

  it('reads names and values in their order, plus as a space', () => {
    expect(readQuery('a=1&b=x+y%7C&a=&c')).toEqual([
      ['a', '1'],
      ['b', 'x y|'],
      ['a', ''],
      ['c', ''],
    ]);
  });

  it.each(['a=%', 'a=%zz', '%ff=1'])('refuses the broken encoding %s', (query) => {
    expect(() => readQuery(query)).toThrowError(/percent-encoding/);
  });
});
