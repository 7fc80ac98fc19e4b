import type { Accounts } from '../accounts/accounts.js';
import type { DataDirectory } from '../disk/data-directory.js';
import type { IncomingSignature } from './incoming-signature.js';
import type { Principal } from './principal.js';
import { createProver, requireBodyHash, type Proof } from './prove.js';
import { SignatureRefusal, unauthorized } from './signature-refusal.js';
import type { SignedParameters } from './signed-parameters.js';

export type { IncomingSignature } from './incoming-signature.js';
export type { Principal } from './principal.js';

/** How far the clock of a signer may be off, in seconds, to either side. */
export const TIMESTAMP_WINDOW = 300;

/** Where used nonces are remembered, for all processes on a data directory. */
export interface NonceMemory {
  /** Milliseconds since 1970: nonces of requests signed before may have been lost in a power failure. */
  readonly notBefore: number;
  /** True when the key is new. @param expiresAt from when it may be forgotten, milliseconds since 1970 */
  remember(key: string, expiresAt: number): boolean | Promise<boolean>;
}

/** What a verifier needs. */
export interface VerifierOptions {
  readonly accounts: Pick<Accounts, 'credentials'>;
  readonly nonces: NonceMemory;
  /** Where the accounts are; left out, they are always as they were acknowledged last. */
  readonly directory?: Pick<DataDirectory, 'current' | 'lastCommit'>;
  /** The base URL without a trailing slash; it may have a path. */
  readonly baseUrl: string;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

/** A request whose signer is proved, with everything that the signature covers. */
export interface Verified {
  readonly principal: Principal;
  readonly parameters: SignedParameters;
  /** Checks the hash of a body that was not read when its sender was proved. @throws Problem unauthorized */
  requireBody(bytes: Uint8Array): void;
}

/** The verifier of `createVerification` for those who want to know who signed, and nothing else. */
export function createVerifier(
  options: VerifierOptions,
): (request: IncomingSignature) => Promise<Principal | undefined> {
  const verify = createVerification(options);
  return async (request) => (await verify(request))?.principal;
}

/**
 * Makes the verifier of OAuth 1.0a signatures (RFC 5849 §3.2). What it finds wrong with credentials it tells
 * nobody; timestamp and nonce are looked at only after the signature is proved.
 * @returns who signed; undefined for a request that does not try to be signed
 * @throws Problem unauthorized for every other request; its `cause` is a SignatureRefusal, for the audit log
 */
export function createVerification(
  options: VerifierOptions,
): (request: IncomingSignature) => Promise<Verified | undefined> {
  const { accounts, nonces, baseUrl, clock = Date.now } = options;
  const prove = createProver(accounts, baseUrl, clock);
  const use = async (proof: Proof): Promise<void> => {
    if (!(await isFirstUse(proof, nonces, clock()))) throw new SignatureRefusal('nonce_used');
  };
  const { directory } = options;
  const proved = directory?.current
    ? provedWhereOthersWrite(prove, use, directory.current, directory)
    : async (request: IncomingSignature) => {
        const proof = prove(request);
        if (proof) await use(proof);
        return proof;
      };
  return async (request) => {
    const told = (error: unknown): unknown =>
      error instanceof SignatureRefusal ? unauthorized(error, baseUrl, request.host) : error;
    try {
      const proof = await proved(request);
      if (!proof) return undefined;
      const { app, token, parameters, requirements } = proof;
      return {
        principal: token ? { app, token } : { app },
        parameters,
        requireBody: (bytes) => {
          try {
            requireBodyHash(parameters, requirements.method, bytes);
          } catch (error) {
            throw told(error);
          }
        },
      };
    } catch (error) {
      throw told(error);
    }
  };
}

/**
 * The same where other gateways may have changed the accounts: the store is asked once, for the nonce and for what is
 * new. So a proof comes before that is known, and another one after it if there was something.
 */
function provedWhereOthersWrite(
  prove: (request: IncomingSignature) => Proof | undefined,
  use: (proof: Proof) => Promise<void>,
  current: () => Promise<void>,
  directory: Pick<DataDirectory, 'lastCommit'>,
): (request: IncomingSignature) => Promise<Proof | undefined> {
  return async (request) => {
    const before = directory.lastCommit;
    let proof: Proof | undefined;
    let refusal: unknown;
    try {
      proof = prove(request);
    } catch (error) {
      refusal = error;
    }
    const isUsed = proof?.requirements.stamp !== undefined;
    await (proof && isUsed ? use(proof) : current());
    if (directory.lastCommit === before) {
      if (refusal !== undefined) throw refusal;
      return proof;
    }
    const again = prove(request);
    if (again && !isUsed) await use(again);
    return again;
  };
}

/** RFC 5849 §3.3: a request is taken once, near the time that it was signed for. @throws SignatureRefusal */
function isFirstUse(
  { app, token, requirements }: Proof,
  nonces: NonceMemory,
  now: number,
): boolean | Promise<boolean> {
  const { stamp } = requirements;
  if (!stamp) return true;
  const signedAt = stamp.timestamp * 1000;
  if (Math.abs(now - signedAt) > TIMESTAMP_WINDOW * 1000 || signedAt < nonces.notBefore) {
    throw new SignatureRefusal('timestamp_refused');
  }
  // App and token ids have no spaces and the timestamp is a number, so no two requests share a text.
  const use = `${app} ${token?.id ?? ''} ${stamp.timestamp} ${stamp.nonce}`;
  return nonces.remember(use, signedAt + (TIMESTAMP_WINDOW + 1) * 1000);
}
