import { expect, test } from 'vitest';
import { paintOn } from '../../src/cli/output.js';

// prettier-ignore
test.each<readonly [string, isTTY: boolean | undefined, env: Record<string, string>, painted: boolean]>([
  ['a terminal',                         true,      {}, true],
  ['a pipe',                             undefined, {}, false],
  ['a terminal with NO_COLOR',           true,      { NO_COLOR: '1' }, false],
  ['a terminal with NO_COLOR=0',         true,      { NO_COLOR: '0' }, false],
  ['a terminal with an empty NO_COLOR',  true,      { NO_COLOR: '' }, true],
  ['a dumb terminal',                    true,      { TERM: 'dumb' }, false],
])('%s', (_, isTTY, env, painted) => {
  const paint = paintOn(isTTY === undefined ? {} : { isTTY }, env);
  expect(paint('red', 'text')).toBe(painted ? '\u001b[31mtext\u001b[0m' : 'text');
});
