import type { WriteTx } from '../disk/data-directory.js';
import { AccountError } from './account-error.js';
import { newSecret } from './apps.js';
import type { User } from './users.js';
import { holdToKey, type Vault } from './vault.js';

/** How long an expired token is still listed, in milliseconds. */
const LISTED = 30 * 24 * 60 * 60 * 1000;
/** What the token of an analyst begins with, so that who finds one knows what it is. */
const BEGINNING = 'cga_';

/** A bearer token (RFC 6750) with which an analyst asks queries, as lists show it: its id asks nothing. */
export interface AnalystToken {
  readonly id: string;
  readonly user: string;
  /** Why, in the words of whoever issued it. */
  readonly purpose: string;
  /** Whether it shows who people are. */
  readonly isIdentified: boolean;
  /** Milliseconds since 1970. */
  readonly issued: number;
  readonly expires: number;
  readonly revoked: boolean;
}

/** What a new token is bound to; `lifetime` in milliseconds. */
export type AnalystTokenRequest = Pick<AnalystToken, 'user' | 'purpose' | 'isIdentified'> & {
  readonly lifetime: number;
};

/** Tokens of analysts. They are stored nowhere, only keyed digests of them. */
export interface AnalystTokens {
  /**
   * Issues a token and writes it. @returns the token, the only time that it is seen
   * @throws AccountError when the user is no analyst, or without a purpose
   */
  issueAnalystToken(
    request: AnalystTokenRequest,
  ): Promise<{ readonly id: string; readonly token: string; readonly expires: number }>;
  /** The token that somebody sends, unless it is unknown, revoked or expired. */
  analystToken(token: string): AnalystToken | undefined;
  /** All of them, the oldest first. */
  listAnalystTokens(): AnalystToken[];
  /** Revokes a token by its id; it stays listed. @returns whether there was such a token */
  revokeAnalystToken(id: string): Promise<boolean>;
  /** Removes the tokens of a user, in a transaction that the caller has. */
  removeAnalystTokens(tx: WriteTx, user: string): void;
  /** Removes tokens that expired more than 30 days ago; to be called now and then. */
  purgeAnalystTokens(now?: number): Promise<void>;
}

type StoredToken = Omit<AnalystToken, 'id'>;

/** The tokens of analysts of a data directory. */
export function analystTokens({ key, directory, clock }: Vault): AnalystTokens {
  return {
    async issueAnalystToken({ user, purpose, isIdentified, lifetime }) {
      if (purpose.trim() === '') throw new AccountError('A token of an analyst has a purpose.');
      const token = BEGINNING + newSecret();
      const id = key.lookup(token);
      const issued = clock();
      const stored: StoredToken = {
        user,
        purpose: purpose.trim(),
        isIdentified,
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
    analystToken(token) {
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
    revokeAnalystToken: (id) =>
      directory.transact((tx) => {
        const stored = /^[0-9a-f]{32}$/.test(id)
          ? (tx.get('analystTokens', id) as StoredToken | undefined)
          : undefined;
        if (stored) tx.put('analystTokens', id, { ...stored, revoked: true });
        return stored !== undefined;
      }),
    removeAnalystTokens(tx, user) {
      for (const { key: id, value } of [...tx.range('analystTokens')]) {
        if ((value as StoredToken).user === user) tx.remove('analystTokens', String(id));
      }
    },
    purgeAnalystTokens: (now = clock()) =>
      directory.transact((tx) => {
        for (const { key: id, value } of [...tx.range('analystTokens')]) {
          if ((value as StoredToken).expires + LISTED < now) tx.remove('analystTokens', String(id));
        }
      }),
  };
}
