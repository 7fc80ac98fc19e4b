import { expect, it } from 'vitest';
import { AccountError } from '../../../src/access/accounts/account-ids.js';
import { hashNewPassword, matchesPassword } from '../../../src/access/accounts/passwords.js';

const short = 'A password has at least 12 characters.';
const easy = /^This password is easy to guess: take several words/;

it.each([
  ['', short],
  ['a', short],
  ['k7#vQp2!mXz', short],
  // Eleven characters, however many bytes.
  ['𝒳'.repeat(11), short],
  ['e\u0301'.repeat(11), short],
  ['aaaaaaaaaaaa', easy],
  ['123456789012', easy],
  ['qwertyuiop12', easy],
  ['letmeinletmein', easy],
  ['Password1234!', easy],
  ['P@ssw0rd2024!', easy],
  ['oxendale2026', easy],
  ['chartgraph12', easy],
  ['x'.repeat(1024), easy],
])('the password %j is refused with one sentence', async (password, sentence) => {
  const refused = await hashNewPassword('oxendale', password).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(AccountError);
  expect((refused as AccountError).message).toMatch(sentence);
  if (password !== '' && password !== 'a') expect((refused as AccountError).message).not.toContain(password);
});

it.each(['correct horse', 'k7#vQp2!mXz9', 'Vier Katzen im Flur', 'パスワードの長い文章です'])(
  'the password %j is taken',
  async (password) => {
    expect(await matchesPassword(password, await hashNewPassword('oxendale', password))).toBe(true);
  },
);
