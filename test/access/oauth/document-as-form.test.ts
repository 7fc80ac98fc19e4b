import { describe, expect, it } from 'vitest';
import { documentReadings } from '../../../src/access/oauth/signature.js';

/** RFC 5849 §3.6, byte by byte. */
const encoded = (text: string): string =>
  [...Buffer.from(text, 'latin1')]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9._~-]/.test(character)
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');

describe('a document that was signed as a form by Python', () => {
  it('has each byte encoded as RFC 5849 asks', () => {
    const all = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('');
    // What parts a form, and what is decoded, is left out.
    const value = all.replace(/[&;+%]/g, '');
    const [, ...readings] = documentReadings([], `a=${value}%7E%2B%25%`);
    expect(readings.at(-1)).toBe(`a=${encoded(`${value}~+%%`)}`);
  });
});
