import { AccountError } from './account-error.js';
import { hashPassword } from './passwords.js';

/** How many characters a new password has at least (NIST SP 800-63B-4 §3.1.1.2 asks for 8, and for 15 without a second factor). */
export const LEAST_CHARACTERS = 12;
/** Of 0 to 4: from 3 on whoever knows the usual passwords, patterns and dates needs more than 10⁸ guesses. */
const LEAST_SCORE = 3;
/** What the estimator looks at; its work grows with the length. */
const ESTIMATED = 64;

/**
 * Hashes a new password that may be used.
 * @param user whose it is: it must not be made of that name
 * @throws AccountError with one sentence for a password that is too short or too easy to guess; never with a part of it
 */
export async function hashNewPassword(user: string, password: string): Promise<string> {
  const characters = [...password.normalize('NFC')];
  if (characters.length < LEAST_CHARACTERS)
    throw new AccountError(`A password has at least ${LEAST_CHARACTERS} characters.`);
  const estimate = await estimator();
  const { score } = estimate.check(characters.slice(0, ESTIMATED).join(''), [user, 'chartgraph']);
  if (score < LEAST_SCORE)
    throw new AccountError(
      'This password is easy to guess: take several words that have nothing to do with each other, or let a password manager make one.',
    );
  return hashPassword(password);
}

/** The estimator with its list of common passwords, which is read only where a password is set. */
async function estimator() {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
}
