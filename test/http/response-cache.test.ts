import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ownBytes } from '../../src/store/disk/bytes.js';
import { ResponseCache, type CachedResponse } from '../../src/http/respond/response-cache.js';

const answer = (body: string): CachedResponse => ({
  body: ownBytes(body),
  state: '1',
  tag: 'a',
  forms: new Map(),
});

const isAlone = ({ byteLength, buffer }: Buffer): boolean => byteLength === buffer.byteLength;

describe('what the cache of answers keeps', () => {
  test('lies in memory of its own, however small it is, so that it takes what it is counted for', async () => {
    const cache = new ResponseCache(1024 * 1024);
    const text = 'größer als ein Kilobyte '.repeat(100);
    const kept = answer(text);
    cache.put('/a', kept);
    expect(kept.body.toString()).toBe(text);
    expect(isAlone(kept.body)).toBe(true);
    const form = await cache.form('/a', kept, 'gzip');
    if (!form) throw new Error('nothing was coded');
    expect(gunzipSync(form).toString()).toBe(text);
    expect(isAlone(form)).toBe(true);
    expect(cache.form('/a', kept, 'gzip')).toBe(form);
  });

  test('is copied only where it lies with other bytes', () => {
    const large = Buffer.from('x'.repeat(200_000));
    const part = large.subarray(10, 20);
    expect(ownBytes(large)).toBe(large);
    expect(isAlone(ownBytes(part))).toBe(true);
    expect(ownBytes(part)).toEqual(part);
    expect(ownBytes('')).toHaveLength(0);
  });

  test('goes when there is more than it may hold, the least recently used first', () => {
    const cache = new ResponseCache(20_000);
    for (const key of ['/a', '/b', '/c', '/d', '/e']) cache.put(key, answer('x'.repeat(3_000)));
    expect(cache.get('/a', '1')).toBeUndefined();
    expect(cache.get('/e', '1')).toBeDefined();
    expect(cache.get('/e', '2')).toBeUndefined();
  });
});
