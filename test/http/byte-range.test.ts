import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRange } from '../../src/http/respond/file-answer.js';

describe('a range of bytes', () => {
  it.each([
    ['bytes=0-0', 10, { start: 0, end: 0 }],
    ['bytes=9-', 10, { start: 9, end: 9 }],
    ['bytes=2-100', 10, { start: 2, end: 9 }],
    ['bytes=-3', 10, { start: 7, end: 9 }],
    ['bytes=-30', 10, { start: 0, end: 9 }],
    ['Bytes = 1-2', 10, { start: 1, end: 2 }],
    ['bytes=10-', 10, 'outside'],
    ['bytes=-0', 10, 'outside'],
    ['bytes=0-', 0, 'outside'],
    ['bytes=-1', 0, 'whole'],
    ['', 10, 'whole'],
    ['bytes=3-2', 10, 'whole'],
    ['bytes=1-2,4-5', 10, 'whole'],
    ['bytes=1 - 2', 10, 'whole'],
    ['bytes=-1-2', 10, 'whole'],
    ['items=1-2', 10, 'whole'],
    ['bytes=0x1-0x2', 10, 'whole'],
  ] as const)('%j of %i bytes is %j', (field, size, expected) => {
    expect(readRange(field, size)).toEqual(expected);
  });

  it('takes the bytes that an independent reading takes, and none beyond the content', () => {
    const bytes = fc.uint8Array({ maxLength: 40 });
    const position = fc.nat({ max: 50 });
    fc.assert(
      fc.property(bytes, position, fc.option(position), (content, first, last) => {
        const range = readRange(`bytes=${first}-${last ?? ''}`, content.length);
        const wanted = [...content.entries()].filter(([at]) => at >= first && at <= (last ?? Infinity));
        if (last !== null && last < first) expect(range).toBe('whole');
        else if (wanted.length === 0) expect(range).toBe('outside');
        else if (typeof range === 'object') {
          expect([...content.subarray(range.start, range.end + 1)]).toEqual(wanted.map(([, byte]) => byte));
        } else expect.unreachable();
      }),
    );
    fc.assert(
      fc.property(bytes, position, (content, length) => {
        const range = readRange(`bytes=-${length}`, content.length);
        if (typeof range !== 'object') expect(length * content.length).toBe(0);
        else expect(content.subarray(range.start, range.end + 1)).toEqual(content.slice(-length));
      }),
    );
  });

  it('a Range header of any text is no error', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), (text, size) => {
        const range = readRange(text, size);
        if (typeof range === 'object') expect(range.start <= range.end && range.end < size).toBe(true);
      }),
    );
  });
});
