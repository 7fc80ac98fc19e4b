import type { WriteTx } from '../../store/disk/data-directory.js';
import { AccountError } from './account-ids.js';
import { newSecret } from './apps.js';
import type { User } from './users.js';
import { holdToKey, type Vault } from './secret-key.js';

const LISTED = 30 * 24 * 60 * 60 * 1000;
/** A recognizable prefix, so that people who come across a leaked token know what it is. */
const BEGINNING = 'cga_';

/** How much an analyst sees of people: `deidentified` unless an administrator allowed more. */
export type AnalystLevel = 'deidentified' | 'identified';

/** A bearer token (RFC 6750) for an analyst's queries, as lists show it. */
export interface AnalystToken {
  readonly id: string;
  readonly user: string;
  readonly purpose: string;
  readonly isIdentified: boolean;
  /** It runs analyses alone, and sees no small groups. */
  readonly isAggregate?: boolean | undefined;
  /** Its answers are not cut. */
  readonly allRows?: boolean | undefined;
  /** Milliseconds since 1970. */
  readonly issued: number;
  readonly expires: number;
  readonly revoked: boolean;
}

/** `lifetime` is in milliseconds. */
export type AnalystTokenRequest = Pick<
  AnalystToken,
  'user' | 'purpose' | 'isIdentified' | 'isAggregate' | 'allRows'
> & {
  readonly lifetime: number;
};

type StoredToken = Omit<AnalystToken, 'id'>;

export function analystTokens({ key, directory, clock }: Vault) {
  return {
    /**
     * Issues a token.
     * @returns the token, which is shown only here
     * @throws AccountError when the user is no analyst, or the purpose is empty
     */
    async issueAnalystToken({ user, purpose, lifetime, ...reach }: AnalystTokenRequest): Promise<{
      readonly id: string;
      readonly token: string;
      readonly expires: number;
    }> {
      if (purpose.trim() === '') throw new AccountError('A token of an analyst has a purpose.');
      const token = BEGINNING + newSecret();
      const id = key.lookup(token);
      const issued = clock();
      const stored: StoredToken = {
        user,
        purpose: purpose.trim(),
        ...reach,
        issued,
        expires: issued + lifetime,
        revoked: false,
      };
      await directory.transact((tx) => {
        const found = tx.get('users', user) as Omit<User, 'id'> | undefined;
        if (!found) throw new AccountError(`There is no user ${JSON.stringify(user)}.`);
        if (found.role !== 'analyst')
          throw new AccountError(`${user} is ${found.role}; a token for queries is issued to an analyst.`);
        holdToKey(tx, key);
        tx.put('analystTokens', id, stored);
      });
      return { id, token, expires: stored.expires };
    },
    analystToken(token: string): AnalystToken | undefined {
      const id = key.lookup(token);
      const stored = directory.read((tx) => tx.get('analystTokens', id) as StoredToken | undefined);
      return stored && !stored.revoked && clock() < stored.expires ? { id, ...stored } : undefined;
    },
    listAnalystTokens: () =>
      directory
        .read((tx) =>
          [...tx.range('analystTokens')].map((row) => ({
            id: String(row.key),
            ...(row.value as StoredToken),
          })),
        )
        .sort((a, b) => a.issued - b.issued),
    /** Revokes a token by id; it stays listed. @returns whether it existed */
    revokeAnalystToken: (id: string) =>
      directory.transact((tx) => {
        const stored = /^[0-9a-f]{32}$/.test(id)
          ? (tx.get('analystTokens', id) as StoredToken | undefined)
          : undefined;
        if (stored) tx.put('analystTokens', id, { ...stored, revoked: true });
        return stored !== undefined;
      }),
    removeAnalystTokens(tx: WriteTx, user: string): void {
      for (const { key: id, value } of [...tx.range('analystTokens')]) {
        if ((value as StoredToken).user === user) tx.remove('analystTokens', String(id));
      }
    },
    /** Removes tokens that expired more than 30 days ago; call it regularly. */
    purgeAnalystTokens: (now = clock()) =>
      directory.transact((tx) => {
        for (const { key: id, value } of [...tx.range('analystTokens')]) {
          if ((value as StoredToken).expires + LISTED < now) tx.remove('analystTokens', String(id));
        }
      }),
  };
}
