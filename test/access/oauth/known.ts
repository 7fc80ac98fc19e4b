import { generateKeyPairSync } from 'node:crypto';
import type { Credentials } from '../../../src/access/accounts/accounts.js';
import type { IncomingSignature } from '../../../src/access/oauth/signed-request.js';
import {
  createVerification,
  type Principal,
  type NonceMemory,
  type VerifierOptions,
} from '../../../src/access/oauth/verify.js';
import { signRequest, type UnsignedRequest } from '../../../src/access/oauth/sign-request.js';

export const NOW = Date.UTC(2026, 5, 1);
export const BASE = 'https://chart.example.org/base';
export const rsaKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });

export const app = { id: 'app@example.org', mode: 'ui' as const, secret: 'app secret & more' };
export const rsaApp = {
  id: 'rsa@example.org',
  mode: 'ui' as const,
  secret: 'rsa-secret',
  publicKey: rsaKeys.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
};
const whole = { app: app.id, user: 'person', record: '1', issued: NOW, expires: NOW + 1e9, revoked: false };
export const tokens = {
  good: { ...whole, id: 'id-good', secret: 'token-secret' },
  expired: { ...whole, id: 'id-expired', secret: 'token-secret', expires: NOW },
  revoked: { ...whole, id: 'id-revoked', secret: 'token-secret', revoked: true },
  foreign: { ...whole, id: 'id-foreign', secret: 'token-secret', app: rsaApp.id },
};

/** Accounts of two apps and four tokens, called by their names. */
export const accounts = {
  credentials: (consumerKey: string, token: string | undefined): Credentials => ({
    app: [app, rsaApp].find(({ id }) => id === consumerKey),
    token: token === undefined ? undefined : Object.entries(tokens).find(([name]) => name === token)?.[1],
  }),
};

/** Remembers nonces, and what was asked of it. */
export function memory(notBefore = 0): NonceMemory & { readonly used: Map<string, number> } {
  const used = new Map<string, number>();
  return {
    notBefore,
    used,
    remember: (key, expiresAt) => {
      if (used.has(key)) return false;
      used.set(key, expiresAt);
      return true;
    },
  };
}

/** A verifier that tells who signed, and nothing else. */
export function createVerifier(
  options: VerifierOptions,
): (request: IncomingSignature) => Promise<Principal | undefined> {
  const verify = createVerification(options);
  return async (request) => (await verify(request))?.principal;
}

export const verifier = (nonces: NonceMemory = memory(), baseUrl = BASE) =>
  createVerifier({ accounts, nonces, baseUrl, clock: () => NOW });

/** A request as it arrives when it was signed for `url` below BASE by the good app and token. */
export function arrive(change: Partial<UnsignedRequest> = {}): IncomingSignature {
  const request = {
    method: 'GET',
    url: `${BASE}/records/1/medications/?limit=5`,
    consumerKey: app.id,
    consumerSecret: app.secret,
    token: 'good',
    tokenSecret: 'token-secret',
    timestamp: NOW / 1000,
    ...change,
  };
  return {
    method: request.method,
    rawTarget: request.url.replace(/^\w+:\/\/[^/]*/, ''),
    authorization: [signRequest(request)],
    secure: true,
    ...(request.contentType === undefined ? {} : { contentType: request.contentType }),
    ...(request.body === undefined ? {} : { body: Buffer.from(request.body) }),
  };
}
