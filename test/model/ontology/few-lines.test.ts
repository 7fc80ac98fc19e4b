import { expect, test } from 'vitest';
import { fewLines } from '../../../src/model/check/rule.js';

test('a start says the first few things that are wrong, and how many more there are', () => {
  const wrong = Array.from({ length: 43 }, (_, number) => `query ${number} is missing`);
  expect(fewLines(wrong).split('\n')).toEqual([
    ...wrong.slice(0, 5),
    'and 38 more; chartgraph validate names all of them',
  ]);
});

test('a start says everything that is wrong when that is little', () => {
  expect(fewLines(['a is missing', 'b is missing'])).toBe('a is missing\nb is missing');
});
