import type * as OpenIdClient from 'openid-client';
import type { Logger } from 'pino';
import { isWhole, type ClaimMapping, type Claims } from './claim-mapping.js';

/** The identity provider of an organisation, and how its claims are read. */
export interface SignOnSettings {
  /** The issuer, as the provider writes it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly mapping: ClaimMapping;
}

/** Binds the answer of the provider to a request. */
export interface SignOnChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The provider does not answer, or not as one. */
export class ProviderAway extends Error {}

/** The provider, or a check of what it answered, lets nobody in. */
export class SignOnRefused extends Error {}

/** Seconds that the provider may take for one answer. */
const TIMEOUT = 5;
/** The most bytes of one answer. */
const LONGEST = 1024 * 1024;
/** Requests to the provider that a process has under way. */
const MAX_RUNNING = 64;

export type IdentityProvider = ReturnType<typeof identityProvider>;

/**
 * An OpenID Connect provider. It is looked up when it is first needed, and again until it answers.
 * @param callback where it sends browsers back to
 */
export function identityProvider(settings: SignOnSettings, callback: string, log: Pick<Logger, 'warn'>) {
  const { issuer, clientId, clientSecret, mapping } = settings;
  let running = 0;
  let found: ReturnType<typeof discover> | undefined;

  async function discover() {
    // Loaded by containers that need it alone: it takes a while.
    const client = await import('openid-client');
    // OpenID Connect Discovery §3: what names no methods takes basic authentication.
    const authenticate: OpenIdClient.ClientAuth = (server, ...rest) => {
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      const isBasic = methods.includes('client_secret_basic');
      (isBasic ? client.ClientSecretBasic : client.ClientSecretPost)(clientSecret)(server, ...rest);
    };
    const execute = [
      client.enableNonRepudiationChecks,
      // The settings take http from this machine alone.
      ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
    ];
    const options = { execute, timeout: TIMEOUT, [client.customFetch]: fetchWhole };
    const provider = await client.discovery(new URL(issuer), clientId, undefined, authenticate, options);
    return { client, provider };
  }

  /** Runs a step against the provider. @throws ProviderAway, SignOnRefused */
  const ask = async <T>(
    step: (provider: Awaited<ReturnType<typeof discover>>) => Promise<T> | T,
  ): Promise<T> => {
    if (running >= MAX_RUNNING) throw new ProviderAway('too many requests to the provider');
    running++;
    try {
      found ??= discover();
      return await step(
        await found.catch((cause: unknown) => {
          found = undefined;
          throw new ProviderAway('the provider was not found', { cause });
        }),
      );
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, 'a request to the identity provider failed');
      throw faultOf(error);
    } finally {
      running--;
    }
  };

  return {
    /**
     * Returns where to send a browser.
     * @param isAgain whether a session at the provider does not do; then it says when they proved who they are
     */
    begin: ({ state, nonce, verifier }: SignOnChecks, isAgain: boolean): Promise<string> =>
      ask(async ({ client, provider }) => {
        const parameters = {
          ...{ redirect_uri: callback, scope: mapping.scope, state, nonce },
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ...(isAgain ? { prompt: 'login', max_age: '0' } : {}),
        };
        return client.buildAuthorizationUrl(provider, parameters).href;
      }),
    /**
     * Takes the code that the browser brought back.
     * @param query of its address
     * @throws ProviderAway, SignOnRefused when anything in it is not as it was asked for
     */
    finish: (query: string, { state, nonce, verifier }: SignOnChecks) =>
      ask(async ({ client, provider }) => {
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
        const tokens = await client.authorizationCodeGrant(provider, new URL(`${callback}?${query}`), checks);
        const said = tokens.claims();
        if (!said || tokens.id_token === undefined) throw new SignOnRefused('no ID token');
        const isAsked = !isWhole(mapping, said) && provider.serverMetadata().userinfo_endpoint !== undefined;
        const more = isAsked ? await client.fetchUserInfo(provider, tokens.access_token, said.sub) : {};
        // How they proved who they are is said by the ID token alone: userinfo may hold what people wrote themselves.
        const { acr, amr, auth_time } = said;
        const claims: Claims = { ...more, ...said, acr, amr, auth_time };
        return { claims, idToken: tokens.id_token };
      }),
    /** Returns where a browser ends its session at the provider; undefined if it has no such place. */
    end: (idToken: string, returnTo: string): Promise<string | undefined> =>
      ask(({ client, provider }) =>
        provider.serverMetadata().end_session_endpoint === undefined
          ? undefined
          : client.buildEndSessionUrl(provider, {
              id_token_hint: idToken,
              post_logout_redirect_uri: returnTo,
            }).href,
      ),
  };
}

/** Reads an answer to its end, so that one without an end fails as one that does not come. */
const fetchWhole: OpenIdClient.CustomFetch = async (url, options) => {
  const answer = await fetch(url, options as RequestInit);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.byteLength;
    if (size > LONGEST) throw new TypeError('the answer of the provider is too long');
    parts.push(part);
  }
  return new Response(size > 0 ? Buffer.concat(parts) : null, answer);
};

function faultOf(error: unknown): ProviderAway | SignOnRefused {
  if (error instanceof ProviderAway || error instanceof SignOnRefused) return error;
  const { code, cause } = error as { readonly code?: string; readonly cause?: unknown };
  const isFailure = cause instanceof Response && cause.status >= 500;
  // fetch throws a TypeError without a code when it cannot connect.
  const isAway = code === 'OAUTH_TIMEOUT' || isFailure || (error instanceof TypeError && code === undefined);
  return new (isAway ? ProviderAway : SignOnRefused)('the provider refused', { cause: error });
}

/** Names a fault without its message, which may quote what was sent. */
function reasonOf(error: unknown): string {
  const { error: said, code, cause, name } = error as Readonly<Record<string, unknown>>;
  const reason = [said, code].find((each) => typeof each === 'string');
  if (typeof reason === 'string') return reason.slice(0, 64);
  return cause instanceof Error ? reasonOf(cause) : String(name);
}
