import type { ReadTx, WriteTx } from '../disk/data-directory.js';
import { isAlive, revokeTokens, type AccessToken } from './tokens.js';
import type { Vault } from './vault.js';

/** Who let which app into which record. */
export interface Consent {
  readonly user: string;
  readonly app: string;
  readonly record: string;
  /** Digest of what they were shown. */
  readonly wording: string;
  /** Digest of what the app was allowed: two manifests may be told in the same words. */
  readonly allowed?: string | undefined;
}

/** Access of an app in the name of a user; without a record, by tokens that are bound to none. */
export interface AccessGiven {
  readonly user: string;
  readonly app: string;
  readonly record: string | undefined;
}

/** What people allowed before, so that they need not be asked again. */
export interface Consents {
  /** Remembers a consent together with the access token that it led to. */
  putConsent(tx: WriteTx, consent: Consent, tokenId: string): void;
  /** Whether the same was allowed before and its token has neither been revoked nor expired since. */
  isConsented(consent: Consent): boolean;
  /** Revokes every token of an app for one user and record, and the consent with them. @returns how many */
  revokeAccess(access: AccessGiven): Promise<number>;
}

interface StoredConsent {
  readonly wording: string;
  readonly token: string;
}

// Ids have no spaces.
const place = ({ user, app, record = '' }: AccessGiven): string => `${user} ${app} ${record}`;

/**
 * The consents of a data directory. A consent lasts as long as its token: people were told when that ends.
 * @param withdrawApproved what takes requests away that were approved for an access that ends, but not exchanged
 */
export function consents(
  { directory, clock }: Vault,
  withdrawApproved: (tx: WriteTx, access: AccessGiven) => void,
): Consents {
  const tokenOf = (tx: ReadTx, id: string): AccessToken | undefined =>
    tx.get('tokens', id) as AccessToken | undefined;
  return {
    putConsent: (tx, consent, token) => {
      const stored: StoredConsent = { wording: consent.wording, token };
      tx.put('consents', place(consent), stored);
    },
    isConsented: (consent) =>
      directory.read((tx) => {
        const stored = tx.get('consents', place(consent)) as StoredConsent | undefined;
        if (stored?.wording !== consent.wording) return false;
        const token = tokenOf(tx, stored.token);
        if (token === undefined || !isAlive(token, clock())) return false;
        return token.allowed === undefined || token.allowed === consent.allowed;
      }),
    revokeAccess: (access) =>
      directory.transact((tx) => {
        const revoked = revokeTokens(
          tx,
          { user: access.user },
          ({ app, record }) => app === access.app && record === access.record,
        );
        tx.remove('consents', place(access));
        withdrawApproved(tx, access);
        return revoked;
      }),
  };
}
