import { createHash, createPublicKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Accounts } from '../accounts/accounts.js';
import { isAlive } from '../accounts/tokens.js';
import type { DataDirectory } from '../../store/disk/data-directory.js';
import { TIMESTAMP_WINDOW } from '../../store/disk/nonces.js';
import { documentReadings } from './signature.js';
import { SignatureRefusal, unauthorized } from './signature-refusal.js';
import {
  baseString,
  baseStringUri,
  dummyKeys,
  normalize,
  originOf,
  type SignatureMethod,
} from './signature.js';
import {
  readRequirements,
  readSignedParameters,
  type IncomingSignature,
  type Requirements,
  type SignedParameters,
  hasForm,
} from './signed-request.js';

export interface Principal {
  readonly app: string;
  readonly token?:
    | {
        readonly id: string;
        readonly user?: string | undefined;
        readonly record?: string | undefined;
        readonly allowed?: string | undefined;
        readonly scope?: string | undefined;
        readonly grant?: string | undefined;
      }
    | undefined;
}

/** Remembers used nonces for all processes on a data directory. */
export interface NonceMemory {
  /** Milliseconds since 1970; a power failure may have lost nonces of requests signed earlier. */
  readonly notBefore: number;
  /** Returns true for a new key. @param expiresAt when it may be forgotten, milliseconds since 1970 */
  remember(key: string, expiresAt: number): boolean | Promise<boolean>;
  /**
   * For a caller whose accounts may lag: if they did, this remembers nothing and resolves to undefined once they have
   * caught up.
   */
  remember(
    key: string,
    expiresAt: number,
    mayLag: boolean,
  ): boolean | undefined | Promise<boolean | undefined>;
}

export interface VerifierOptions {
  readonly accounts: Pick<Accounts, 'credentials'>;
  readonly nonces: NonceMemory;
  /** Without it, accounts and nonces never lag. */
  readonly directory?: Pick<DataDirectory, 'current' | 'lastCommit'>;
  /** The base URL without a trailing slash; it may have a path. */
  readonly baseUrl: string;
  readonly clock?: () => number;
}

export interface Verified {
  readonly principal: Principal;
  readonly parameters: SignedParameters;
  /** Checks the hash of a body that was not read before. @throws Problem unauthorized */
  requireBody(bytes: Uint8Array): void;
}

/**
 * Makes the verifier of OAuth 1.0a signatures (RFC 5849 §3.2). It checks, in order: parameters of header, query and
 * form; credentials; base string; digest; body hash; and, only for a proved signature, timestamp and nonce.
 * @returns a function that returns the signer; undefined for a request that does not try to be signed
 * @throws Problem unauthorized, the same for every request; its `cause` is a SignatureRefusal, for the audit log
 */
export function createVerification(
  options: VerifierOptions,
): (request: IncomingSignature) => Promise<Verified | undefined> {
  const { accounts, nonces, directory, baseUrl, clock = Date.now } = options;
  const prove = createProver(accounts, baseUrl, clock);
  const first = async (request: IncomingSignature): Promise<Proof | undefined> => {
    const proof = prove(request);
    const use = proof && useOf(proof, nonces, clock());
    if (use && !(await nonces.remember(use.key, use.expiresAt))) throw new SignatureRefusal('nonce_used');
    return proof;
  };
  const ofCopy = directory?.current && provedByCopy(options, prove, first, directory.current);
  return async (request) => {
    const asProblem = (error: unknown): unknown =>
      error instanceof SignatureRefusal
        ? unauthorized(error, baseUrl, { host: request.host, hasForm: hasForm(request) })
        : error;
    try {
      // If the body was read as a form, the accounts were brought up to date before.
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
            throw asProblem(error);
          }
        },
      };
    } catch (error) {
      throw asProblem(error);
    }
  };
}

interface Proof extends Principal {
  readonly parameters: SignedParameters;
  readonly requirements: Requirements;
}

type Prove = (request: IncomingSignature) => Proof | undefined;

/**
 * Makes the check of a signature, without timestamp and nonce.
 * @param baseUrl decides what was signed; proxy and Host headers are ignored
 */
function createProver(accounts: Pick<Accounts, 'credentials'>, baseUrl: string, clock: () => number): Prove {
  const origin = originOf(baseUrl);
  const respell = otherSpelling(baseUrl);
  const dummy = dummyKeys();
  const publicKeys = new LRUCache<string, KeyObject>({ max: 256, memoMethod: (pem) => createPublicKey(pem) });

  return (request) => {
    const parameters = readSignedParameters(request);
    if (!parameters) return undefined;
    const requirements = readRequirements(parameters.protocol, request.secure);
    const { consumerKey, token: oauthToken, method, signature } = requirements;
    const { app, token } = accounts.credentials(consumerKey, oauthToken);
    const keys = {
      consumerSecret: app?.secret ?? dummy.secret,
      tokenSecret: oauthToken === undefined ? '' : (token?.secret ?? dummy.secret),
      publicKey: app?.publicKey === undefined ? dummy.publicKey : publicKeys.memo(app.publicKey),
    };
    const respelled = respell(parameters.realm);
    const origins = respelled === undefined ? [origin] : [origin, respelled];
    const { covered, document, path } = parameters;
    const isSigned = (normalized: string): boolean =>
      origins.some((from) =>
        method.verify(baseString(request.method, baseStringUri(from, path), normalized), keys, signature),
      );
    let proved = false;
    if (document === undefined) proved = isSigned(normalize(covered));
    else for (const reading of documentReadings(covered, document)) if ((proved = isSigned(reading))) break;

    // No credential is refused before this line, so all refusals have done the same work.
    if (!app) throw new SignatureRefusal('consumer');
    const forApp = token?.app === app.id && isAlive(token, clock());
    if (oauthToken !== undefined && !forApp) throw new SignatureRefusal('token');
    if (!proved) throw new SignatureRefusal('signature');
    if (typeof request.body !== 'string') requireBodyHash(parameters, method, request.body ?? NO_BYTES);
    const { id, user, record, allowed } = token ?? {};
    const bound = id === undefined ? undefined : { id, user, record, allowed };
    return { app: app.id, token: bound, parameters, requirements };
  };
}

/**
 * Makes a function that recognizes the base URL, or its origin, in another letter case: clients sign the host as
 * their user typed it, and send the same spelling as realm.
 * @returns a function from realm to origin in that spelling; undefined when no second try is needed
 */
function otherSpelling(baseUrl: string): (realm: string | undefined) => string | undefined {
  const { origin, pathname } = new URL(baseUrl);
  const basePath = pathname.replace(/\/$/, '').toLowerCase();
  return (realm) => {
    if (realm === undefined || realm === origin || realm.length > origin.length + basePath.length + 8)
      return undefined;
    const [, typed, path = ''] = /^([a-z]+:\/\/[^/]+)(\/.*)?$/i.exec(realm) ?? [];
    if (typed === undefined) return undefined;
    const spelled = typed.replace(/^(http:.*):80$|^(https:.*):443$/i, '$1$2');
    if (spelled === origin || spelled.toLowerCase() !== origin) return undefined;
    return ['', basePath].includes(path.replace(/\/$/, '').toLowerCase()) ? spelled : undefined;
  };
}

const NO_BYTES = new Uint8Array();

/** OAuth Request Body Hash: if sent, it must be the digest of the body, even of an empty one. */
function requireBodyHash({ protocol }: SignedParameters, method: SignatureMethod, body: Uint8Array): void {
  const sent = protocol.get('oauth_body_hash');
  if (sent === undefined) return;
  const given = Buffer.from(sent);
  const fits = method.bodyHashes.some((digest) => {
    const actual = Buffer.from(createHash(digest).update(body).digest('base64'));
    return actual.byteLength === given.byteLength && timingSafeEqual(actual, given);
  });
  if (!fits) throw new SignatureRefusal('body_hash');
}

/**
 * RFC 5849 §3.3: accepts a request once, near its timestamp. @returns undefined when it needs no nonce
 * @throws SignatureRefusal timestamp_refused
 */
function useOf(
  { app, token, requirements: { stamp } }: Proof,
  nonces: NonceMemory,
  now: number,
): { key: string; expiresAt: number } | undefined {
  if (!stamp) return undefined;
  const signedAt = stamp.timestamp * 1000;
  if (Math.abs(now - signedAt) > TIMESTAMP_WINDOW * 1000 || signedAt < nonces.notBefore)
    throw new SignatureRefusal('timestamp_refused');
  // Ids have no spaces and the timestamp is a number, so no two requests share a key.
  const key = `${app} ${token?.id ?? ''} ${stamp.timestamp} ${stamp.nonce}`;
  return { key, expiresAt: signedAt + (TIMESTAMP_WINDOW + 1) * 1000 };
}

/**
 * Proves requests against a copy of the accounts, which may lag behind a shared store. One query to the store checks
 * both the nonce and the copy, so a request is proved before it, and again if the copy was behind. Refusals and used
 * nonces always depend on what is stored when the request comes.
 * @param current brings the copy up to date
 * @param first proves against accurate accounts
 */
function provedByCopy(
  { nonces, directory, clock = Date.now }: VerifierOptions,
  prove: Prove,
  first: (request: IncomingSignature) => Promise<Proof | undefined>,
  current: () => Promise<void>,
): (request: IncomingSignature) => Promise<Proof | undefined> {
  return async (request) => {
    const before = directory?.lastCommit;
    let proof: Proof | undefined;
    let use: ReturnType<typeof useOf>;
    let refusal: unknown;
    try {
      proof = prove(request);
      use = proof && useOf(proof, nonces, clock());
    } catch (error) {
      refusal = error;
    }
    if (use) {
      const isNew = await nonces.remember(use.key, use.expiresAt, true);
      // The copy may have caught up after this proof, and before the query.
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
