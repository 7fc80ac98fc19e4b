import { expect, test } from 'vitest';
import { tokenize } from '../../../src/model/query/tokenizer.js';

const kindsOf = (text: string): string[] => tokenize(text).map(({ kind }) => kind);

test('what nearly is a prefixed name is looked through once from each place, not to its end', () => {
  // Quadratic work would take more than a minute.
  const text = 'a.'.repeat(125_000);
  expect(
    tokenize(text)
      .map((token) => token.text)
      .join(''),
  ).toBe(text);
});

test('prefixes of up to 128 characters are read', () => {
  expect(kindsOf('a.b-c:d')).toEqual(['name']);
  expect(kindsOf(`${'a'.repeat(128)}:d`)).toEqual(['name']);
  expect(kindsOf(`${'a.'.repeat(63)}aa:`)).toEqual(['name']);
});
