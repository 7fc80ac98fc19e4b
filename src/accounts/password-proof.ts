import { passwordMark } from './password-mark.js';
import type { Vault } from './vault.js';

/** How long somebody may take for the second factor, in milliseconds. */
export const PROOF_LIFETIME = 5 * 60 * 1000;

/** What a browser holds between the right password and the second factor; nothing is stored meanwhile. */
export interface PasswordProofs {
  /**
   * @param sessionId of the browser that sent the right password: in another one the proof is worthless
   * @param mark passwordMark of before the password was checked, else that of now
   */
  issueProof(user: string, sessionId: string, mark?: string): string;
  /** Who proved their password in this browser, not longer ago than PROOF_LIFETIME and not before it was changed. */
  readProof(proof: string, sessionId: string): string | undefined;
}

/** The password proofs of a data directory, sealed with its key. */
export function passwordProofs({ directory, key, clock }: Vault): PasswordProofs {
  const placeOf = (sessionId: string): string => `password-proof ${sessionId}`;
  const markOf = (user: string): string => directory.read((tx) => passwordMark(tx, key, user)) ?? '';
  return {
    // Ids have no spaces.
    issueProof: (user, sessionId, mark = markOf(user)) =>
      key.seal(`${user} ${clock() + PROOF_LIFETIME} ${mark}`, placeOf(sessionId)),
    readProof(proof, sessionId) {
      try {
        const [user = '', expires, mark] = key.unseal(proof, placeOf(sessionId)).split(' ');
        return clock() < Number(expires) && mark === markOf(user) ? user : undefined;
      } catch {
        // Whoever made it up, or took it from elsewhere, is told no more than that it proves nothing.
        return undefined;
      }
    },
  };
}
