import type { ReadTx, WriteTx } from '../../store/disk/data-directory.js';
import { isAlive, revokeTokens, type AccessToken } from './tokens.js';
import type { Vault } from './secret-key.js';

export interface Consent {
  readonly user: string;
  readonly app: string;
  readonly record: string;
  readonly wording: string;
  /** Digest of the allowance: two manifests may be described in the same words. */
  readonly allowed?: string | undefined;
}

/** An app's access in the name of a user; without a record, through tokens that are bound to none. */
export interface AccessGiven {
  readonly user: string;
  readonly app: string;
  readonly record: string | undefined;
}

interface StoredConsent {
  readonly wording: string;
  readonly token: string;
}

// Ids have no spaces.
const consentKey = ({ user, app, record = '' }: AccessGiven): string => `${user} ${app} ${record}`;

/** @param withdrawApproved removes the approved requests of an access that ends */
export function consents(
  { directory, clock }: Vault,
  withdrawApproved: (tx: WriteTx, access: AccessGiven) => void,
) {
  const tokenOf = (tx: ReadTx, id: string): AccessToken | undefined =>
    tx.get('tokens', id) as AccessToken | undefined;
  return {
    putConsent: (tx: WriteTx, consent: Consent, token: string): void => {
      const stored: StoredConsent = { wording: consent.wording, token };
      tx.put('consents', consentKey(consent), stored);
    },
    /** Whether the user allowed the same before, with a token that is still alive. */
    isConsented: (consent: Consent) =>
      directory.read((tx) => {
        const stored = tx.get('consents', consentKey(consent)) as StoredConsent | undefined;
        if (stored?.wording !== consent.wording) return false;
        const token = tokenOf(tx, stored.token);
        if (token === undefined || !isAlive(token, clock())) return false;
        return token.allowed === undefined || token.allowed === consent.allowed;
      }),
    /** Revokes the consent and all tokens of an app for one user and record. @returns the number of tokens */
    revokeAccess: (access: AccessGiven) =>
      directory.transact((tx) => {
        const revoked = revokeTokens(
          tx,
          { user: access.user },
          ({ app, record }) => app === access.app && record === access.record,
        );
        tx.remove('consents', consentKey(access));
        withdrawApproved(tx, access);
        return revoked;
      }),
  };
}
