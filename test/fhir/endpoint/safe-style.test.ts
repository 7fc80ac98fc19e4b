import { describe, expect, it } from 'vitest';
import { isSafeStyle } from '../../../src/fhir/endpoint/rules/narrative.js';

describe('the style of a narrative', () => {
  it.each([
    ['color: red', true],
    ['color: red /* url(x) */', true],
    ['background: u/**/rl(x)', false],
    ['background: u/*a*//*b*/rl(x)', false],
    ['/* not closed: url(x)', false],
  ])('%j is safe: %s', (style, safe) => {
    expect(isSafeStyle(style)).toBe(safe);
  });

  it('is looked through once, however many comments are not closed', () => {
    // Looked for the end of each anew, this takes a quarter of an hour.
    expect(isSafeStyle('/*a'.repeat(1_000_000))).toBe(true);
  });
});
