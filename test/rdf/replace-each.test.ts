import { describe, expect, it } from 'vitest';
import { readTriples, writeTerm } from '../../src/rdf/ntriples.js';
import { replaceEach } from '../../src/rdf/replace-each.js';
import { literal } from '../../src/rdf/terms.js';
import { escapeText } from '../../src/rdf/xml-text.js';

const all = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code)).join('') + '\u{1F600}';

describe('replacing characters', () => {
  it('replaces what is named and nothing else, at any length', () => {
    const long = `${all}<&<`.repeat(10);
    const replacements = [
      ['&', '&amp;'],
      ['<', '&lt;'],
    ] as const;
    expect(replaceEach(long, replacements)).toBe(long.replace(/&/g, '&amp;').replace(/</g, '&lt;'));
    expect(replaceEach('', replacements)).toBe('');
  });

  it('cuts no character in two', () => {
    const long = 'a' + '\u{1F600}<'.repeat(5000);
    expect(replaceEach(long, [['<', '']])).toBe('a' + '\u{1F600}'.repeat(5000));
  });
});

describe('a text with every character', () => {
  it('is the same after it was written as N-Triples and read', () => {
    for (const text of [all, ...all]) {
      const [quad] = readTriples(`<urn:s> <urn:p> ${writeTerm(literal(text))} .\n`);
      expect(quad?.object.value).toBe(text);
    }
  });

  it('is written as XML in the same way at any length', () => {
    expect(escapeText(all.repeat(2))).toBe([...all.repeat(2)].map(escapeText).join(''));
  });
});
