import { describe, expect, it } from 'vitest';
import { byteTable, characterTable, replaceBytes, replaceCharacters } from '../../src/rdf/byte-table.js';
import { readTriples, writeTerm } from '../../src/rdf/ntriples.js';
import { literal } from '../../src/rdf/terms.js';
import { escapeText } from '../../src/rdf/xml-text.js';

const all = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code)).join('') + '\u{1F600}';

describe('a table of characters', () => {
  it('replaces what it names and nothing else', () => {
    const written = replaceCharacters(`${all}<&<`, characterTable({ '<': '&lt;', '&': '' }));
    expect(written).toBe(`${all.replace('&', '').replace('<', '&lt;')}&lt;&lt;`);
  });

  it('leaves characters beyond ASCII alone, whatever their bytes are', () => {
    expect(replaceCharacters('Ã©é', characterTable({ Ã: 'x', '\u00a9': 'y' }))).toBe('Ã©é');
  });

  it('of bytes speaks of all of them', () => {
    const table = byteTable((byte) => (byte > 0x7f ? byte.toString(16) : undefined));
    expect(Buffer.from(replaceBytes(Uint8Array.of(0x41, 0xff, 0x80), table)).toString()).toBe('Aff80');
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
