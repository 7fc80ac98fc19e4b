import type { Accounts } from '../accounts/accounts.js';
import type { DataDirectory } from '../disk/data-directory.js';
import { TIMESTAMP_WINDOW } from '../disk/nonces.js';
import type { IncomingSignature } from './incoming-signature.js';
import type { Principal } from './principal.js';
import { createProver, requireBodyHash, type Proof } from './prove.js';
import { SignatureRefusal, unauthorized } from './signature-refusal.js';
import type { SignedParameters } from './signed-parameters.js';

/** Where used nonces are remembered, for all processes on a data directory. */
export interface NonceMemory {
  /** Milliseconds since 1970: nonces of requests signed before may have been lost in a power failure. */
  readonly notBefore: number;
  /** True when the key is new. @param expiresAt from when it may be forgotten, milliseconds since 1970 */
  remember(key: string, expiresAt: number): boolean | Promise<boolean>;
  /**
   * The same for who has looked at accounts that may lag behind: where they did, nothing is remembered, and undefined
   * comes when they do no more.
   */
  remember(
    key: string,
    expiresAt: number,
    mayLag: boolean,
  ): boolean | undefined | Promise<boolean | undefined>;
}

/** What a verifier needs. */
export interface VerifierOptions {
  readonly accounts: Pick<Accounts, 'credentials'>;
  readonly nonces: NonceMemory;
  /** Where accounts and nonces are; left out, they are always as they were acknowledged last. */
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
  const first = async (request: IncomingSignature): Promise<Proof | undefined> => {
    const proof = prove(request);
    const use = proof && useOf(proof, nonces, clock());
    if (use && !(await nonces.remember(use.key, use.expiresAt))) throw new SignatureRefusal('nonce_used');
    return proof;
  };
  const { directory } = options;
  const ofCopy = directory?.current && provedByCopy(options, prove, first, directory.current);
  return async (request) => {
    const told = (error: unknown): unknown =>
      error instanceof SignatureRefusal ? unauthorized(error, baseUrl, request.host) : error;
    try {
      // A form takes long to prove: whoever has read it has brought the accounts up to date before, so that once is enough.
      const isRead = request.body instanceof Uint8Array;
      const proof = await (ofCopy && !isRead ? ofCopy(request) : first(request));
      if (!proof) return undefined;
      const { app, token, parameters, requirements } = proof;
      return {
        principal: { app, token },
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
 * Proves requests by a copy of the accounts, which may lag behind a shared store. The store is asked once for both the
 * nonce and what is new, so a request is proved before that is known, and once more where there was something. Nothing is
 * refused, and no nonce taken, but by what is stored when the request comes.
 * @param current brings the copy up to date @param first proves by an accurate one
 */
function provedByCopy(
  { nonces, directory, clock = Date.now }: VerifierOptions,
  prove: (request: IncomingSignature) => Proof | undefined,
  first: (request: IncomingSignature) => Promise<Proof | undefined>,
  current: () => Promise<void>,
): (request: IncomingSignature) => Promise<Proof | undefined> {
  return async (request) => {
    const before = directory?.lastCommit;
    let proof: Proof | undefined;
    let use: NonceUse | undefined;
    let refusal: unknown;
    try {
      proof = prove(request);
      use = proof && useOf(proof, nonces, clock());
    } catch (error) {
      refusal = error;
    }
    if (use) {
      const isNew = await nonces.remember(use.key, use.expiresAt, true);
      // The copy may have come to where the store stands after this was proved, and before the store was asked.
      if (isNew === true) return directory?.lastCommit === before ? proof : prove(request);
      if (isNew === false) throw new SignatureRefusal('nonce_used');
    } else {
      await current();
      if (directory?.lastCommit === before) {
        if (refusal !== undefined) throw refusal;
        return proof;
      }
    }
    return first(request);
  };
}

/** What a request is remembered by, and until when, in milliseconds since 1970. */
interface NonceUse {
  readonly key: string;
  readonly expiresAt: number;
}

/**
 * RFC 5849 §3.3: a request is taken once, near the time that it was signed for.
 * @returns undefined for a request that needs no nonce
 * @throws SignatureRefusal timestamp_refused
 */
function useOf(
  { app, token, requirements: { stamp } }: Proof,
  nonces: NonceMemory,
  now: number,
): NonceUse | undefined {
  if (!stamp) return undefined;
  const signedAt = stamp.timestamp * 1000;
  if (Math.abs(now - signedAt) > TIMESTAMP_WINDOW * 1000 || signedAt < nonces.notBefore) {
    throw new SignatureRefusal('timestamp_refused');
  }
  // App and token ids have no spaces and the timestamp is a number, so no two requests share a text.
  const key = `${app} ${token?.id ?? ''} ${stamp.timestamp} ${stamp.nonce}`;
  return { key, expiresAt: signedAt + (TIMESTAMP_WINDOW + 1) * 1000 };
}
