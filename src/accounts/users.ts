import type { ReadTx, WriteTx } from '../disk/data-directory.js';
import { AccountError } from './account-error.js';
import { isRecordId, isUserId } from './account-ids.js';
import { hashNewPassword } from './password-rules.js';
import { markOf, passwordMark, PasswordChanged } from './password-mark.js';
import { matchesPassword } from './passwords.js';
import { holdToKey, type Vault } from './vault.js';

/** What a user may do: a person opens the records given to them, a clinician every one. */
export const userRoles = ['person', 'clinician', 'analyst', 'admin'] as const;
export type UserRole = (typeof userRoles)[number];

/** A user as the container knows them; the name is in the graph. */
export interface User {
  readonly id: string;
  readonly role: UserRole;
  /** Ids of the records given to a person. */
  readonly records: readonly string[];
}

/** A user to be written; a password hash (of hashNewPassword) left out stays as it was. */
export interface UserRegistration extends User {
  readonly passwordHash?: string;
}

/** Roles, records and passwords of users. */
export interface UserAccounts {
  /** Adds a user or changes them. @throws AccountError when an id or the role cannot be one */
  putUser(tx: WriteTx, user: UserRegistration): void;
  /** Removes a user with their second factor and all tokens given in their name. @returns whether they were there */
  removeUser(tx: WriteTx, id: string): boolean;
  /**
   * Sets a password and writes it, which ends the sessions of the user.
   * @returns passwordMark of the new one
   * @throws AccountError when there is no such user, or as hashNewPassword
   * @throws PasswordChanged when the password is not the one of `replaces` any more
   */
  setPassword(id: string, password: string, options?: NewPassword): Promise<string>;
  /** Whether this is the user's password; costs the same whether or not there is such a user. */
  checkPassword(id: string, password: string): Promise<boolean>;
  user(id: string): User | undefined;
  /** All users in the order of their ids. */
  listUsers(): User[];
}

/** How a new password is set. */
export interface NewPassword {
  /** Ends the access of apps in the name of the user as well. */
  readonly revokeTokens?: boolean;
  /** passwordMark of the password that was proved, where the user changes it. */
  readonly replaces?: string | undefined;
}

interface StoredUser {
  readonly role: UserRole;
  readonly records: readonly string[];
  readonly password?: string;
}

const place = (id: string): string => `users/${id}/password`;
const shown = (id: string, { role, records }: StoredUser): User => ({ id, role, records });

/** Whether a user may let an app into a record: a clinician into any, a person into those given to them. */
export function mayOpen(user: Pick<User, 'role' | 'records'>, record: string): boolean {
  return user.role === 'clinician' || (user.role === 'person' && user.records.includes(record));
}

/** What becomes of the tokens given in the name of a user, in the same transaction. */
export interface TokensOfUser {
  remove(tx: WriteTx, user: string): void;
  revoke(tx: WriteTx, user: string): void;
}

/** The users of a data directory. */
export function userAccounts(vault: Vault, tokens: TokensOfUser): UserAccounts {
  const { key, directory } = vault;
  const stored = (tx: ReadTx, id: string): StoredUser | undefined =>
    isUserId(id) ? (tx.get('users', id) as StoredUser | undefined) : undefined;
  const withPassword = (id: string, user: User, hash: string): StoredUser => ({
    role: user.role,
    records: [...user.records],
    password: key.seal(hash, place(id)),
  });
  return {
    putUser(tx, user) {
      check(user);
      holdToKey(tx, key);
      const { id, role, records, passwordHash } = user;
      const before = stored(tx, id)?.password;
      const plain: StoredUser = { role, records: [...new Set(records)] };
      if (passwordHash !== undefined) tx.put('users', id, withPassword(id, user, passwordHash));
      else tx.put('users', id, before === undefined ? plain : { ...plain, password: before });
    },
    removeUser(tx, id) {
      if (!stored(tx, id)) return false;
      tx.remove('users', id);
      tx.remove('factors', id);
      tokens.remove(tx, id);
      return true;
    },
    async setPassword(id, password, { revokeTokens = false, replaces } = {}) {
      const hash = await hashNewPassword(id, password);
      return directory.transact((tx) => {
        const found = stored(tx, id);
        if (!found) throw new AccountError(`There is no user ${JSON.stringify(id)}.`);
        if (replaces !== undefined && replaces !== passwordMark(tx, key, id)) throw new PasswordChanged();
        holdToKey(tx, key);
        const changed = withPassword(id, shown(id, found), hash);
        tx.put('users', id, changed);
        if (revokeTokens) tokens.revoke(tx, id);
        return markOf(key, changed.password);
      });
    },
    checkPassword(id, password) {
      const sealed = directory.read((tx) => stored(tx, id)?.password);
      return matchesPassword(password, sealed === undefined ? undefined : key.unseal(sealed, place(id)));
    },
    user: (id) =>
      directory.read((tx) => {
        const found = stored(tx, id);
        return found && shown(id, found);
      }),
    listUsers: () =>
      directory.read((tx) =>
        [...tx.range('users')].map((row) => shown(String(row.key), row.value as StoredUser)),
      ),
  };
}

/** Takes a record from everybody it is given to. @returns how many they were */
export function takeRecord(tx: WriteTx, record: string): number {
  const owners = [...tx.range('users')].filter(({ value }) => (value as StoredUser).records.includes(record));
  for (const { key: id, value } of owners) {
    const user = value as StoredUser;
    tx.put('users', String(id), { ...user, records: user.records.filter((each) => each !== record) });
  }
  return owners.length;
}

function check({ id, role, records }: User): void {
  if (!isUserId(id)) throw new AccountError(`${JSON.stringify(id)} cannot be the id of a user.`);
  if (!userRoles.includes(role))
    throw new AccountError(`The role of a user is one of ${userRoles.join(', ')}.`);
  const wrong = records.find((record) => !isRecordId(record));
  if (wrong !== undefined) throw new AccountError(`${JSON.stringify(wrong)} cannot be the id of a record.`);
}
