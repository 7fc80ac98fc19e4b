import { expect, test } from 'vitest';
import { parseUrl } from '../../src/rdf/parse-url.js';

test('what is no URL is undefined, however often it was asked', () => {
  // Two bytes of Latin-1 that would be a letter in UTF-8, as a Host header may bring them.
  const host = Buffer.from([0xc5, 0x99]).toString('latin1');
  for (let time = 0; time < 50_000; time++) {
    if (parseUrl(`http://${host}`) !== undefined) throw new Error(`it was read at time ${time}`);
  }
  expect(parseUrl('http://localhost:99999')).toBeUndefined();
});

test('what is a URL is read, a relative reference with its base', () => {
  expect(parseUrl('HTTP://LocalHost:80/a')?.href).toBe('http://localhost/a');
  expect(parseUrl('b?c', 'http://localhost/a/')?.href).toBe('http://localhost/a/b?c');
  expect(parseUrl('b?c')).toBeUndefined();
});
