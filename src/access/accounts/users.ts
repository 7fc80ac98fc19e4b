import { randomBytes } from 'node:crypto';
import type { ReadTx, WriteTx } from '../../store/disk/data-directory.js';
import { AccountError, isRecordId, isUserId } from './account-ids.js';
import { EMERGENCY_LIFETIME, isGoingOn, openableBy, type Emergency, type Openable } from './care.js';
import { practitionerKey } from './care-index.js';
import { hashNewPassword, matchesPassword } from './passwords.js';
import { keepRemoved } from './removed-users.js';
import { markOf, PasswordChanged, passwordMark, endSessions } from './sessions.js';
import { holdToKey, type Vault } from './secret-key.js';

/** Roles: a person and a clinician open records; a clinician those of their patients, or all (`ClinicianMode`). */
export const userRoles = ['person', 'clinician', 'analyst', 'admin'] as const;
export type UserRole = (typeof userRoles)[number];

/** A user as the accounts know them; the name is in the graph. */
export interface User {
  readonly id: string;
  readonly role: UserRole;
  readonly records: readonly string[];
  /** How records name a clinician, such as by an NPI number: access queries say who has care of whom. */
  readonly practitioner?: string | undefined;
}

/** Whom an identity provider knows: its `iss` and `sub` (OpenID Connect Core §2). */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** What is omitted keeps its value; a password hash is from hashNewPassword; '' is no practitioner. */
export interface UserRegistration extends User {
  readonly passwordHash?: string;
  readonly identity?: Identity;
}

export interface NewPassword {
  /** Whether the user must change it when they sign in, since somebody else knows it. */
  readonly isTemporary?: boolean | undefined;
  readonly revokeTokens?: boolean;
  /** passwordMark of the current password, when the user proved it. */
  readonly replaces?: string | undefined;
}

interface StoredUser {
  readonly role: UserRole;
  readonly records: readonly string[];
  readonly password?: string;
  /** Random: in place of a password, it tells a user from an earlier one of that name. */
  readonly made?: string;
  /** When they were added, in milliseconds since 1970; nobody knows of those from before 0.34. */
  readonly added?: number;
  readonly mustChangePassword?: boolean;
  /** Key of their row in `identities`. */
  readonly identity?: string;
  readonly practitioner?: string;
  /** How the index of care names them, also the key of their row in `identities`. */
  readonly practitionerKey?: string;
  /** Only a clinician has some. */
  readonly emergencies?: readonly Emergency[];
  /** When they last signed in, in milliseconds since 1970. */
  readonly signedIn?: number;
}

const sealIdentity = (id: string): string => `users/${id}/password`;
const shown = (id: string, { role, records, practitioner }: StoredUser): User => ({
  id,
  role,
  records,
  ...(practitioner !== undefined && { practitioner }),
});

export interface TokensOfUser {
  remove(tx: WriteTx, user: string): void;
  revoke(tx: WriteTx, user: string): void;
}

export function userAccounts(vault: Vault, tokens: TokensOfUser) {
  const { key, directory, clock } = vault;
  const stored = (tx: ReadTx, id: string): StoredUser | undefined =>
    isUserId(id) ? (tx.get('users', id) as StoredUser | undefined) : undefined;
  const identityKey = ({ issuer, subject }: Identity): string => key.lookup(`identity ${issuer} ${subject}`);
  const bind = (tx: WriteTx, id: string, at: string, before?: string): string => {
    if (tx.has('identities', at)) {
      const owner = tx.get('identities', at);
      if (owner !== id) throw new AccountError(`They are linked to the user ${String(owner)} already.`);
    }
    if (before !== undefined) tx.remove('identities', before);
    tx.put('identities', at, id);
    return at;
  };
  const practitionerOf = (tx: WriteTx, { id, role, practitioner }: User, known?: StoredUser) => {
    const wanted = role === 'clinician' ? (practitioner ?? known?.practitioner ?? '') : '';
    const before = known?.practitionerKey;
    if (wanted !== '') {
      const at = bind(tx, id, practitionerKey(key, wanted), before);
      return { practitioner: wanted, practitionerKey: at };
    }
    if (before !== undefined) tx.remove('identities', before);
    return {};
  };
  const withPassword = (
    id: string,
    { mustChangePassword: _, ...user }: StoredUser,
    hash: string,
    isTemporary = false,
  ): StoredUser => ({
    ...user,
    password: key.seal(hash, sealIdentity(id)),
    ...(isTemporary && { mustChangePassword: true }),
  });
  return {
    /** Adds or updates a user; a new role or identity ends their sessions. @throws AccountError for what is invalid */
    putUser(tx: WriteTx, user: UserRegistration): void {
      check(user);
      holdToKey(tx, key);
      const { id, role, records, passwordHash, identity } = user;
      const known = stored(tx, id);
      if (known && (known.role !== role || identity)) endSessions(tx, id);
      const {
        emergencies,
        practitioner: _,
        practitionerKey: __,
        ...rest
      }: Partial<StoredUser> = known ?? {
        made: randomBytes(16).toString('base64url'),
        added: clock(),
      };
      const changed: StoredUser = {
        ...rest,
        ...(identity && { identity: bind(tx, id, identityKey(identity), known?.identity) }),
        ...practitionerOf(tx, user, known),
        ...(emergencies && known?.role === role && { emergencies }),
        ...{ role, records: [...new Set(records)] },
      };
      tx.put('users', id, passwordHash === undefined ? changed : withPassword(id, changed, passwordHash));
    },
    /** @param name by which the access log goes on to name them */
    removeUser(tx: WriteTx, id: string, name = ''): boolean {
      const known = stored(tx, id);
      if (!known) return false;
      tx.remove('users', id);
      keepRemoved(tx, { id, name, from: known.added ?? 0, until: clock() });
      for (const at of [known.identity, known.practitionerKey])
        if (at !== undefined) tx.remove('identities', at);
      tx.remove('factors', id);
      endSessions(tx, id);
      tokens.remove(tx, id);
      return true;
    },
    /**
     * Sets a password, which ends the user's sessions.
     * @returns passwordMark of the new password
     * @throws AccountError when there is no such user, or as hashNewPassword does
     * @throws PasswordChanged when the current password is not the one of `replaces`
     */
    async setPassword(
      id: string,
      password: string,
      { revokeTokens = false, replaces, isTemporary }: NewPassword = {},
    ): Promise<string> {
      const hash = await hashNewPassword(id, password);
      return directory.transact((tx) => {
        const found = stored(tx, id);
        if (!found) throw new AccountError(`There is no user ${JSON.stringify(id)}.`);
        if (replaces !== undefined && replaces !== passwordMark(tx, key, id)) throw new PasswordChanged();
        holdToKey(tx, key);
        const changed = withPassword(id, found, hash, isTemporary);
        tx.put('users', id, changed);
        endSessions(tx, id);
        if (revokeTokens) tokens.revoke(tx, id);
        return markOf(key, changed);
      });
    },
    /** Checks a password; takes as long for an unknown user. */
    checkPassword(id: string, password: string): Promise<boolean> {
      const sealed = directory.read((tx) => stored(tx, id)?.password);
      return matchesPassword(
        password,
        sealed === undefined ? undefined : key.unseal(sealed, sealIdentity(id)),
      );
    },
    /** Whether the password was given to a user by somebody else, so that they must change it. */
    mustChangePassword: (id: string): boolean =>
      directory.read((tx) => stored(tx, id)?.mustChangePassword === true),
    user(id: string, tx?: ReadTx): User | undefined {
      const found = tx ? stored(tx, id) : directory.read((own) => stored(own, id));
      return found && shown(id, found);
    },
    /** Finds the user to whom an identity is linked. */
    userWith(identity: Identity): User | undefined {
      return directory.read((tx) => {
        const id = tx.get('identities', identityKey(identity)) as string | undefined;
        const found = id === undefined ? undefined : stored(tx, id);
        return id !== undefined && found ? shown(id, found) : undefined;
      });
    },
    /** Returns what a user may open; undefined for an unknown user. */
    openable(tx: ReadTx, id: string): Openable | undefined {
      const found = stored(tx, id);
      return found && openableBy(tx, found);
    },
    /** Opens a record to a clinician for EMERGENCY_LIFETIME. @throws AccountError for others, or an invalid record id */
    openInEmergency: (id: string, record: string, reason: string): Promise<Emergency> =>
      directory.transact((tx) => {
        const found = stored(tx, id);
        if (found?.role !== 'clinician')
          throw new AccountError('Only clinicians open a record in an emergency.');
        if (!isRecordId(record))
          throw new AccountError(`${JSON.stringify(record)} cannot be the id of a record.`);
        const now = clock();
        const emergency = { record, reason, until: now + EMERGENCY_LIFETIME };
        const others = (found.emergencies ?? []).filter(
          (each) => isGoingOn(each, now) && each.record !== record,
        );
        tx.put('users', id, { ...found, emergencies: [...others, emergency] });
        return emergency;
      }),
    /** Ends what a user opened of these records in an emergency. @returns how many */
    endEmergencies(tx: WriteTx, id: string, records: readonly string[]): number {
      const found = stored(tx, id);
      const before = found?.emergencies ?? [];
      const emergencies = before.filter(({ record }) => !records.includes(record));
      if (found && emergencies.length < before.length) tx.put('users', id, { ...found, emergencies });
      return before.length - emergencies.length;
    },
    /** Lists the records that are open in an emergency now. */
    listEmergencies: () =>
      directory.read((tx) =>
        [...tx.range('users')].flatMap(({ key: user, value }) =>
          ((value as StoredUser).emergencies ?? [])
            .filter((each) => isGoingOn(each, clock()))
            .map((each) => ({ ...each, user: String(user) })),
        ),
      ),
    listUsers: () =>
      directory.read((tx) =>
        [...tx.range('users')].map((row) => {
          const user = row.value as StoredUser;
          return { ...shown(String(row.key), user), signedIn: user.signedIn };
        }),
      ),
  };
}

/** Takes a record away from all its users. @returns the number of users */
export function takeRecord(tx: WriteTx, record: string): number {
  const owners = [...tx.range('users')].filter(({ value }) => {
    const { records, emergencies = [] } = value as StoredUser;
    return records.includes(record) || emergencies.some((each) => each.record === record);
  });
  for (const { key: id, value } of owners) {
    const { emergencies = [], ...user } = value as StoredUser;
    const kept = emergencies.filter((each) => each.record !== record);
    tx.put('users', String(id), {
      ...user,
      ...(kept.length > 0 && { emergencies: kept }),
      records: user.records.filter((each) => each !== record),
    });
  }
  return owners.length;
}

function check({ id, role, records, practitioner = '' }: User): void {
  if (!isUserId(id)) throw new AccountError(`${JSON.stringify(id)} cannot be the id of a user.`);
  if (!userRoles.includes(role))
    throw new AccountError(`The role of a user is one of ${userRoles.join(', ')}.`);
  const wrong = records.find((record) => !isRecordId(record));
  if (wrong !== undefined) throw new AccountError(`${JSON.stringify(wrong)} cannot be the id of a record.`);
  if (practitioner !== '' && !/^[!-~]{1,200}$/u.test(practitioner))
    throw new AccountError('The identifier of a practitioner has letters, digits and signs, and no spaces.');
}
