import { createHash, createPublicKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Accounts } from '../accounts/accounts.js';
import { isAlive } from '../accounts/tokens.js';
import { baseStringOf, baseStringUri, normalize, originOf, otherSpelling } from './base-string.js';
import { documentReadings } from './document-as-form.js';
import { dummyKeys } from './dummy.js';
import type { IncomingSignature } from './incoming-signature.js';
import type { Principal } from './principal.js';
import { readSignedParameters, type SignedParameters } from './signed-parameters.js';
import { SignatureRefusal } from './signature-refusal.js';
import { readRequirements, type Requirements } from './requirements.js';
import type { SignatureMethod } from './signature.js';

/** What a proved signature says: who signs, and all the parameters it covers. */
export interface Proof extends Principal {
  readonly parameters: SignedParameters;
  readonly requirements: Requirements;
}

/**
 * Makes the check of a signature alone, without timestamp and nonce.
 * @param baseUrl the configured base URL; what a proxy or a Host header says is not looked at
 * @returns a function that gives undefined for a request without a signature
 */
export function createProver(
  accounts: Pick<Accounts, 'credentials'>,
  baseUrl: string,
  clock: () => number,
): (request: IncomingSignature) => Proof | undefined {
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
    const { covered, document } = parameters;
    const readings = document === undefined ? [normalize(covered)] : documentReadings(covered, document);
    const proved = any(readings, (normalized) =>
      origins.some((from) => {
        const base = baseStringOf(request.method, baseStringUri(from, parameters.path), normalized);
        return method.verify(base, keys, signature);
      }),
    );

    // Nothing is refused for its credentials before this line: all refusals have done the same work.
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

/** Whether one of the normalized parameters fits that a signature may have been made over; the others are not made. */
function any(readings: Iterable<string>, fits: (normalized: string) => boolean): boolean {
  for (const normalized of readings) if (fits(normalized)) return true;
  return false;
}

const NO_BYTES = new Uint8Array();

/**
 * OAuth Request Body Hash: when it is sent, it must be the digest of the body, also of an empty one.
 * @throws SignatureRefusal body_hash
 */
export function requireBodyHash(
  { protocol }: SignedParameters,
  method: SignatureMethod,
  body: Uint8Array,
): void {
  const sent = protocol.get('oauth_body_hash');
  if (sent === undefined) return;
  const given = Buffer.from(sent);
  const fits = method.bodyHashes.some((digest) => {
    const actual = Buffer.from(createHash(digest).update(body).digest('base64'));
    return actual.byteLength === given.byteLength && timingSafeEqual(actual, given);
  });
  if (!fits) throw new SignatureRefusal('body_hash');
}
