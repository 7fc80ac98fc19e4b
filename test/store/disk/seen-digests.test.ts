import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ENTRY_BYTES, SeenDigests, writeEntry } from '../../../src/store/disk/nonce-file.js';

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

function entries(texts: readonly string[], expiresAt: number): Buffer {
  const all = Buffer.alloc(texts.length * ENTRY_BYTES);
  for (const [index, text] of texts.entries())
    writeEntry(all, index * ENTRY_BYTES, digestOf(text), expiresAt);
  return all;
}

const named = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, number) => `${name} ${number}`);

describe('seen digests', () => {
  test('what was added is there until it expires, however much comes after it', () => {
    const seen = new SeenDigests();
    const [first, second] = [named('first', 20_000), named('second', 60_000)];
    seen.add(entries(first, 1000), 900);
    seen.add(entries(second, 1300), 1000);
    expect(first.filter((text) => !seen.has(digestOf(text), 1000))).toEqual([]);
    expect(second.filter((text) => !seen.has(digestOf(text), 1300))).toEqual([]);
    expect(first.filter((text) => seen.has(digestOf(text), 1001))).toEqual([]);
  });

  test('what was never added is not there', () => {
    const seen = new SeenDigests();
    seen.add(entries(named('added', 50_000), 1000), 900);
    expect(named('other', 50_000).filter((text) => seen.has(digestOf(text), 900))).toEqual([]);
  });

  test('of one that is added twice the later time counts', () => {
    const seen = new SeenDigests();
    seen.add(entries(['a'], 1000), 900);
    seen.add(entries(['a'], 950), 900);
    expect(seen.has(digestOf('a'), 1000)).toBe(true);
    expect(seen.has(digestOf('a'), 1001)).toBe(false);
  });

  test('digests that begin alike are told apart', () => {
    const seen = new SeenDigests();
    const alike = Array.from({ length: 300 }, (_, number) => {
      const digest = Buffer.alloc(32);
      digest.writeUInt32LE(number, 4);
      return digest;
    });
    for (const digest of alike.slice(0, 150)) {
      const entry = Buffer.alloc(ENTRY_BYTES);
      writeEntry(entry, 0, digest, 1000);
      seen.add(entry, 900);
    }
    expect(alike.map((digest) => seen.has(digest, 900))).toEqual(alike.map((_, at) => at < 150));
  });
});
