import type { ReadTx } from '../disk/data-directory.js';
import { isUserId } from './account-ids.js';
import { AccountError } from './account-error.js';
import type { SecretKey } from './secret-key.js';

/**
 * A keyed digest of the stored password of a user: another one after each change, also where the password is the same.
 * @returns undefined where there is no such user
 */
export function passwordMark(tx: ReadTx, key: SecretKey, user: string): string | undefined {
  const stored = isUserId(user) ? (tx.get('users', user) as { password?: string } | undefined) : undefined;
  return stored && markOf(key, stored.password);
}

/** The passwordMark of a password as it is stored; undefined where a user has none. */
export function markOf(key: SecretKey, stored: string | undefined): string {
  return key.lookup(`password ${stored ?? ''}`);
}

/** What was proved with a password that is another one by now. */
export class PasswordChanged extends AccountError {
  constructor() {
    super('The password was changed meanwhile. Sign in again with the new one.');
  }
}
