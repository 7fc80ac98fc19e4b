import { expect, it } from 'vitest';
import { typedDate } from '../../src/http/html/typed-date.js';

it.each([
  ['1975-03-14', '1975-03-14'],
  [' 1975 ', '1975'],
  ['3/14/1975', '1975-03-14'],
  ['14.3.1975', '1975-03-14'],
  ['14-03-1975', '1975-03-14'],
  ['5/5/1975', '1975-05-05'],
  ['March 14, 1975', '1975-03-14'],
  ['14 march 1975', '1975-03-14'],
  ['14th of March 1975', '14th of March 1975'],
  ['Mar. 4th, 1975', '1975-03-04'],
  ['May 1975', '1975-05'],
])('reads %s as people type it', (text, date) => {
  expect(typedDate(text)).toBe(date);
});

it.each(['3/4/1975', '4.3.1975', '3/14/75', '14/3.1975', 'yesterday', 'March', '14 1975', '12 March 14', ''])(
  'guesses nothing of %s',
  (text) => {
    expect(typedDate(text)).toBe(text);
  },
);
