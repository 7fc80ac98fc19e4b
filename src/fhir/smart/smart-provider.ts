import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Adapter, ClientMetadata, Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Logger } from 'pino';
import type * as Library from 'oidc-provider';
import { SESSION_LIFETIME } from '../../access/accounts/sessions.js';
import type { SmartPayload } from '../../access/accounts/smart-grants.js';
import type { User } from '../../access/accounts/users.js';
import { newSecret } from '../../access/accounts/apps.js';
import type { Flow } from '../../access/oauth/flow.js';
import type { AppManifest } from '../../access/accounts/manifest.js';
import { contextOf } from '../../access/accounts/scopes.js';
import { faultFacts } from '../../http/fault-facts.js';
import { idOfPath } from '../out/export-names.js';
import { FHIR } from '../rest/fhir-parts.js';

export const SMART = '/oauth2';
export const INTERACTION = '/interaction';

/** Seconds that things live; what a person allowed lives as long as the settings say. */
const ttl = { access: 3600, service: 300, code: 60, interaction: 600 };
export const ONLINE_LIFETIME = SESSION_LIFETIME;
export const SHORT_LIFETIME = ttl.access * 1000;
/** Seconds that a person has to decide. */
export const INTERACTION_LIFETIME = ttl.interaction;

/** The provider keeps no session, so its cookie is never sent. */
export const UNUSED_COOKIE = 'chartgraph-none';

/** Scopes that say who asks and how, beside those that read. */
export const plainScopes = [
  'openid',
  'fhirUser',
  'launch',
  'launch/patient',
  'offline_access',
  'online_access',
];

/** How codes go back. A form that sends itself would need a script in a page of ours. */
export const responseModes = ['query', 'fragment'];

const signing = ['RS256', 'RS384', 'ES256', 'ES384'] as const;

/** Returns those of the scopes that can be granted: to a service those of the system, to others those of people. */
export function grantable(scope: string, isService: boolean): string[] {
  return [...new Set(scope.split(' '))].filter((each) => {
    const context = contextOf(each);
    if (isService) return context === 'system';
    return plainScopes.includes(each) || context === 'patient' || context === 'user';
  });
}

/** Returns the URL by which a user is named to apps: a practitioner, or a person, who may read another one's record. */
export function fhirUserOf(base: string, { id, role }: Pick<User, 'id' | 'role'>): string {
  return `${base}${FHIR}/${role === 'clinician' ? 'Practitioner' : 'Person'}/${idOfPath(id)}`;
}

/** Loads the library, which speaks of the version of Node.js in its own words: `fhirFeature` says it once, in ours. */
async function library(): Promise<typeof Library> {
  const { console: out } = globalThis;
  const { warn } = out;
  out.warn = () => undefined;
  try {
    return await import('oidc-provider');
  } finally {
    out.warn = warn;
  }
}

/** Makes the provider of SMART App Launch 2 over the accounts, grants and apps of a container. */
export async function openProvider(flow: Flow, log: Logger): Promise<Provider> {
  const { default: Provider, errors, interactionPolicy } = await library();
  const { accounts, base } = flow;
  const { smart } = accounts;
  const fhir = base + FHIR;
  const ended = (): Error => new errors.InvalidGrant('the access has ended');
  /** Whether a user may open the record, if there is one, for which they gave a token. */
  const isOpen = (user: string | undefined, token: object | undefined): boolean => {
    const { grantId } = (token ?? {}) as SmartPayload;
    const record = grantId === undefined ? undefined : smart.grant(grantId)?.record;
    return user === undefined || record === undefined || accounts.mayOpen(user, record);
  };
  const { Check, Prompt } = interactionPolicy;
  const policy = interactionPolicy.base();
  policy.clear();
  // Added to a request whose person did not sign in lately enough for the app.
  const refuseOld = ({ oidc }: KoaContextWithOIDC): boolean => {
    if (!oidc.prompts.has('login')) return false;
    throw new errors.LoginRequired('sign out of the container, then begin again in the app and sign in');
  };
  policy.add(
    new Prompt({ name: 'login', requestable: true }, new Check('old', 'the person signs in', refuseOld)),
  );
  // There is no session of the provider: a person signs in here, and decides each time.
  const isUndecided = ({ oidc }: KoaContextWithOIDC): boolean => oidc.result?.consent === undefined;
  policy.add(
    new Prompt(
      { name: 'consent', requestable: true },
      new Check('undecided', 'the person decides', isUndecided),
    ),
  );

  const configuration: Configuration = {
    adapter: (kind: string): Adapter => {
      if (kind === 'Client') return clientAdapter(flow);
      if (kind === 'Session') return noSessions;
      return {
        async upsert(id, payload, seconds = 0) {
          if (await smart.put(kind, id, payload as SmartPayload, seconds)) return;
          if (kind === 'ClientCredentials')
            throw new errors.InvalidScope('a service asks for scopes such as system/*.rs', 'scope');
          throw ended();
        },
        find: (id) => Promise.resolve(smart.find(kind, id)),
        async consume(id) {
          if (!(await smart.consume(kind, id))) throw ended();
        },
        destroy: async (id) => void (await smart.remove(kind, id)),
        revokeByGrantId: async (id) => void (await smart.endGrant(id)),
        findByUid: () => Promise.resolve(undefined),
        findByUserCode: () => Promise.resolve(undefined),
      };
    },
    jwks: { keys: [JSON.parse(await smart.secretOnce('smart-signing-key', newSigningKey)) as object] },
    cookies: {
      keys: [await smart.secretOnce('smart-cookie-key', () => Promise.resolve(newSecret()))],
      names: { session: UNUSED_COOKIE, interaction: 'chartgraph-smart', resume: 'chartgraph-resume' },
      short: { signed: true, httpOnly: true, sameSite: 'lax' },
      long: { signed: true, httpOnly: true, sameSite: 'lax' },
    },
    routes: {
      authorization: '/authorize',
      token: '/token',
      jwks: '/jwks',
      revocation: '/revoke',
      introspection: '/introspect',
    },
    scopes: plainScopes,
    claims: { openid: ['sub'], fhirUser: ['fhirUser'] },
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    enabledJWA: { clientAuthSigningAlgValues: [...signing] },
    clientBasedCORS: () => true,
    expiresWithSession: () => false,
    issueRefreshToken: (_context, client, { scopes }) =>
      client.grantTypeAllowed('refresh_token') &&
      (scopes.has('offline_access') || scopes.has('online_access')),
    ttl: {
      AccessToken: ttl.access,
      ClientCredentials: ttl.service,
      AuthorizationCode: ttl.code,
      Interaction: ttl.interaction,
      IdToken: ttl.access,
      Session: ttl.interaction,
      RefreshToken: Math.floor(flow.settings.tokenLifetime / 1000),
      Grant: Math.floor(flow.settings.tokenLifetime / 1000),
    },
    extraParams: {
      launch: null,
      aud: (_context, given) => {
        if (given === undefined || given.replace(/\/$/u, '') !== fhir)
          throw new errors.InvalidRequest(`aud must be ${fhir}, for which the access is`);
      },
    },
    interactions: { policy, url: (_context, { uid }) => `${base}${SMART}${INTERACTION}/${uid}` },
    loadExistingGrant: ({ oidc }) => {
      const { grantId } = (oidc.result?.consent ?? {}) as { grantId?: string };
      return grantId === undefined ? Promise.resolve(undefined) : oidc.provider.Grant.find(grantId);
    },
    findAccount: (_context, id, token) => {
      const user = accounts.user(id);
      if (!user || !isOpen(id, token)) return undefined;
      return {
        accountId: id,
        claims: () => Promise.resolve({ sub: id, fhirUser: fhirUserOf(base, user) }),
      };
    },
    renderError: (context, out) => {
      context.body = out;
    },
    assertJwtClientAuthClaimsAndHeader: (_context, { exp }) => {
      if (Number(exp) > Date.now() / 1000 + ttl.service)
        throw new errors.InvalidClientAuth(`the assertion must end within ${ttl.service} seconds`);
      return Promise.resolve();
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: {
        enabled: true,
        allowedPolicy: (_context, client, token) =>
          client.clientAuthMethod !== 'none' &&
          token.clientId === client.clientId &&
          isOpen('accountId' in token ? token.accountId : undefined, token),
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_context, client, token) => token.clientId === client.clientId,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => fhir,
        useGrantedResource: () => true,
        getResourceServerInfo: ({ oidc }, resource) => {
          if (resource !== fhir) throw new errors.InvalidTarget();
          const { AuthorizationCode: code, RefreshToken: refresh } = oidc.entities;
          const scope = code?.scope ?? refresh?.scope ?? String(oidc.params?.['scope'] ?? '');
          const isService = oidc.params?.['grant_type'] === 'client_credentials';
          return { scope: grantable(scope, isService).join(' '), accessTokenFormat: 'opaque' };
        },
      },
    },
  };
  const made = new Provider(base + SMART, configuration);
  made.on('server_error', (_context, error: unknown) =>
    log.error(faultFacts(error), 'SMART App Launch failed'),
  );
  return made;
}

const nothing = (): Promise<undefined> => Promise.resolve(undefined);
const noSessions: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUid: nothing,
  findByUserCode: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
};

/** Clients are the apps whose manifests say where they return to, and background apps with keys. */
function clientAdapter({ accounts, directory, manifestOf }: Flow): Adapter {
  return {
    ...noSessions,
    async find(id) {
      const manifest = await manifestOf(id);
      if (!manifest) return undefined;
      const secret = directory.read((tx) => accounts.appCredentials(tx, id)?.secret);
      return clientOf(manifest, secret);
    },
  };
}

/** Returns the metadata (RFC 7591) of an app; undefined if it does not come in by SMART. */
function clientOf(manifest: AppManifest, secret: string | undefined): ClientMetadata | undefined {
  const { id, name, mode, redirect_uris: addresses, jwks } = manifest;
  const isService = mode === 'background';
  const method = manifest.token_endpoint_auth_method ?? (jwks ? 'private_key_jwt' : 'none');
  if (isService ? method === 'none' : addresses === undefined) return undefined;
  return {
    client_id: id,
    client_name: name,
    token_endpoint_auth_method: method,
    ...(method.startsWith('client_secret') && secret !== undefined && { client_secret: secret }),
    ...(jwks && { jwks: jwks as NonNullable<ClientMetadata['jwks']> }),
    redirect_uris: [...(addresses ?? [])],
    response_types: isService ? [] : ['code'],
    response_modes: responseModes,
    grant_types: isService ? ['client_credentials'] : ['authorization_code', 'refresh_token'],
  };
}

async function newSigningKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return JSON.stringify({ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' });
}
