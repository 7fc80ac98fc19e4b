import { expect, it } from 'vitest';
import { rememberRecent } from '../../src/accounts/recent.js';

it('the least recently used result is computed again, the others are not', () => {
  const computed: string[] = [];
  const double = rememberRecent(2, (text) => {
    computed.push(text);
    if (text === 'bad') throw new Error('bad');
    return text + text;
  });
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(double)).toEqual(['aa', 'bb', 'aa', 'cc', 'aa', 'bb']);
  expect(computed).toEqual(['a', 'b', 'c', 'b']);
  expect(() => double('bad')).toThrow();
  expect(() => double('bad')).toThrow();
  expect(computed.filter((text) => text === 'bad')).toHaveLength(2);
});
