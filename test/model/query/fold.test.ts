import { describe, expect, it } from 'vitest';
import { foldName } from '../../../src/model/query/fold.js';

describe('folding a name', () => {
  it.each([
    ['SMITH', 'smith'],
    ['Straße', 'STRASSE'],
    ['Straße', 'STRAẞE'],
    ['É', 'e\u0301'],
    ['e\u0301', 'é'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['σ', 'ς'],
    ['ﬁnn', 'FINN'],
    ['İstanbul', 'istanbul'],
    ['I\u0307stanbul', 'ISTANBUL'],
    ['i\u0307stanbul', 'İSTANBUL'],
    ['ışık', 'IŞIK'],
    ['Ǆ', 'ǆ'],
    ['Ꭰ', 'ꭰ'],
    ['𐐀', '𐐨'],
    ['가', '\u1100\u1161'],
  ])('%s and %s are one', (a, b) => {
    expect(foldName(a)).toBe(foldName(b));
  });

  it.each([
    ['José', 'Jose'],
    ['Ø', 'O'],
    ["O'Neil", 'ONeil'],
    ['van den Berg', 'vandenBerg'],
    ['ł', 'l'],
  ])('%s and %s are not', (a, b) => {
    expect(foldName(a)).not.toBe(foldName(b));
  });

  it('leaves what is folded as it is, and a beginning a beginning', () => {
    for (const name of ['ΟΔΥΣΣΕΥΣ', 'Straße', 'İzmir', 'Łukasz', 'ÅNGSTRÖM', "D'Ärc"]) {
      const folded = foldName(name);
      expect(foldName(folded)).toBe(folded);
      const letters = [...name];
      for (let end = 1; end <= letters.length; end++) {
        expect(folded.startsWith(foldName(letters.slice(0, end).join('')))).toBe(true);
      }
    }
  });
});
