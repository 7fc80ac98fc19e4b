import type { DataDirectory } from '../../store/disk/data-directory.js';
import { consents } from './consents.js';
import { sessionAccounts, signInProofs } from './sessions.js';
import { requestTokens } from './request-tokens.js';
import { secondFactors } from './second-factor.js';
import type { SecretKey } from './secret-key.js';
import { signInLimits } from './sign-in-limits.js';

/** Everything that people do in a browser: sign in, decide about apps, see what they allowed. */
export type Grants = ReturnType<typeof openGrants>;

/** Opens the grants of a data directory. @param clock milliseconds since 1970 */
export function openGrants(directory: DataDirectory, key: SecretKey, clock: () => number = Date.now) {
  const vault = { directory, key, clock };
  const sessions = sessionAccounts(vault);
  const requests = requestTokens(vault);
  const limits = signInLimits(vault);
  return {
    ...sessions,
    ...requests,
    ...signInProofs(vault),
    limits,
    secondFactors: secondFactors(vault),
    ...consents(vault, (tx, access) => {
      requests.withdrawApproved(tx, access);
    }),
    async purgeExpired(): Promise<void> {
      await sessions.forgetEnded();
      await requests.forgetExpiredRequests();
      await limits.forgetExpired();
    },
  };
}
