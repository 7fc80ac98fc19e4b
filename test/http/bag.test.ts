import { expect, test } from 'vitest';
import { Bag } from '../../src/http/server.js';

test('a bag holds what was put in and not taken out', () => {
  const bag = new Bag<string>();
  const remove = new Map(['a', 'b', 'c', 'd'].map((name) => [name, bag.add(name)]));
  expect([...bag].sort()).toEqual(['a', 'b', 'c', 'd']);
  // The first, the one that has taken its place, and the last.
  for (const name of ['a', 'd', 'c']) remove.get(name)?.();
  expect([...bag]).toEqual(['b']);
  remove.get('b')?.();
  expect([...bag]).toEqual([]);
});

test('one thing may be in a bag twice', () => {
  const bag = new Bag<string>();
  const removeOne = bag.add('a');
  bag.add('a');
  removeOne();
  expect([...bag]).toEqual(['a']);
});

test('what is taken out of a bag while it is gone through is still gone through', () => {
  const bag = new Bag<number>();
  const removals = [1, 2, 3].map((number) => bag.add(number));
  const seen = [];
  for (const number of bag) {
    seen.push(number);
    for (const remove of removals.splice(0)) remove();
  }
  expect(seen).toEqual([1, 2, 3]);
  expect([...bag]).toEqual([]);
});
