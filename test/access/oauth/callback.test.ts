import { expect, it } from 'vitest';
import { originOrScheme, withParameters } from '../../../src/access/oauth/flow.js';

it.each([
  ['https://h/p', 'https://h/p?t=a%26b'],
  ['https://h/p?x=1&y=2#f', 'https://h/p?x=1&y=2&t=a%26b#f'],
  ['https://h/p?', 'https://h/p?t=a%26b'],
  ['https://h/p?x&', 'https://h/p?x&t=a%26b'],
  ['https://h#f?g', 'https://h?t=a%26b#f?g'],
  ['smart-app:///did_select', 'smart-app:///did_select?t=a%26b'],
])('parameters are added to %s', (url, expected) => {
  expect(withParameters(url, { t: 'a&b' })).toBe(expected);
});

it.each([
  ['https://h:8443/p?x', 'https://h:8443'],
  ['http://localhost/', 'http://localhost'],
  ['smart-app:///x', 'smart-app:'],
  ['http://localhost:99999/', ''],
  ['https://1.2.3.4.5/', ''],
])('the origin or scheme of %s is %s', (url, expected) => {
  expect(originOrScheme(url)).toBe(expected);
});
