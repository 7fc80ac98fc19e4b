import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inlineAs } from '../../src/http/respond/file-answer.js';

describe('the Content-Disposition of a file', () => {
  it.each([
    ['plan.pdf', 'inline; filename="plan.pdf"'],
    ['two words (1).txt', 'inline; filename="two words (1).txt"'],
    ['grün.txt', `inline; filename="grun.txt"; filename*=UTF-8''gr%C3%BCn.txt`],
    ['病歴.pdf', `inline; filename="__.pdf"; filename*=UTF-8''%E7%97%85%E6%AD%B4.pdf`],
    ['a"b\\c.txt', 'inline; filename="c.txt"'],
    ['a"b.txt', 'inline; filename="a_b.txt"'],
    ["it's 100%.txt", `inline; filename="it_s 100_.txt"; filename*=UTF-8''it%27s%20100%25.txt`],
    ['../../etc/passwd', 'inline; filename="passwd"'],
    [
      'x\r\nSet-Cookie: a=b',
      'inline; filename="x__Set-Cookie_ a_b"; filename*=UTF-8\'\'x__Set-Cookie_%20a%3Db',
    ],
    ['gpj.\u202eexe', 'inline; filename="gpj._exe"'],
    ['', 'inline'],
    ['..', 'inline'],
    ['folder/', 'inline'],
  ])('%j is %s', (name, expected) => {
    expect(inlineAs(name)).toBe(expected);
  });

  it('is one line of ASCII whose extended form gives back a name without harm', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const field = inlineAs(name);
        expect(field).toMatch(
          /^inline(; filename="[A-Za-z0-9 ._()-]*"(; filename\*=UTF-8''[\x21-\x7e]+)?)?$/,
        );
        const extended = /UTF-8''(.*)$/.exec(field)?.[1];
        if (extended !== undefined) expect(decodeURIComponent(extended)).not.toMatch(/[/\\\p{C}]/u);
      }),
    );
  });
});
