import type { DataDirectory } from '../disk/data-directory.js';
import { consents, type Consents } from './consents.js';
import { passwordProofs, type PasswordProofs } from './password-proof.js';
import { requestTokens, type RequestTokens } from './request-tokens.js';
import { secondFactors, type SecondFactors } from './second-factor.js';
import type { SecretKey } from './secret-key.js';
import { sessionAccounts, type SessionAccounts } from './sessions.js';
import { signInLimits, type SignInLimits } from './sign-in-limits.js';

/** What people do in a browser: sign in, answer requests of apps, and what they allowed before. */
export interface Grants extends SessionAccounts, RequestTokens, Consents, PasswordProofs {
  readonly limits: SignInLimits;
  readonly secondFactors: SecondFactors;
  /** Removes what has ended or expired; to be called now and then. */
  purgeExpired(): Promise<void>;
}

/**
 * Opens the grants of a data directory.
 * @param clock milliseconds since 1970
 */
export function openGrants(directory: DataDirectory, key: SecretKey, clock: () => number = Date.now): Grants {
  const vault = { directory, key, clock };
  const sessions = sessionAccounts(vault);
  const requests = requestTokens(vault);
  const limits = signInLimits(vault);
  return {
    ...sessions,
    ...requests,
    ...passwordProofs(vault),
    limits,
    secondFactors: secondFactors(vault),
    ...consents(vault, (tx, access) => {
      requests.withdrawApproved(tx, access);
    }),
    async purgeExpired() {
      await sessions.forgetEnded();
      await requests.forgetExpiredRequests();
      await limits.forgetExpired();
    },
  };
}
