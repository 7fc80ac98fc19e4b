import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import type { AppManifest } from '../../../src/access/accounts/manifest.js';
import type { ContainerSettings } from '../../../src/main.js';
import { startFlowContainer, type FlowContainer } from '../oauth/flow-container.js';
import type { PlainBrowser, PlainPage } from '../oauth/plain-browser.js';

export const RECORD = '1000001';
export const OTHER_RECORD = '1000002';
export const RETURN = 'http://localhost:8123/smart/';

const keys = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const jwk = { ...keys.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES384', use: 'sig' };

const ui = (id: string, more: Partial<AppManifest> = {}): AppManifest => ({
  ...{ id, name: `App ${id}`, description: 'Draws lab values.', mode: 'ui' as const },
  ...{ index: 'http://localhost:8123/', icon: 'http://localhost:8123/icon.png' },
  ...{ smart_launch_url: 'http://localhost:8123/launch', redirect_uris: [RETURN] },
  ...more,
});
const LAB = 'http://smartplatforms.org/terms#LabResult';

export const PUBLIC_APP = ui('public@smart.example.org');
export const OTHER_APP = ui('other@smart.example.org', { redirect_uris: ['http://localhost:8124/'] });
export const SECRET_APP = ui('secret@smart.example.org', {
  token_endpoint_auth_method: 'client_secret_basic',
});
export const LAB_APP = ui('lab@smart.example.org', { requires: { [LAB]: { methods: ['GET'] } } });
export const SERVICE: AppManifest = {
  ...{ id: 'service@smart.example.org', name: 'Service', description: 'Reads at night.', mode: 'background' },
  jwks: { keys: [jwk] },
};

export const startSmart = (settings: Partial<ContainerSettings> = {}): Promise<FlowContainer> =>
  startFlowContainer({ smart: true, ...settings }, [PUBLIC_APP, OTHER_APP, SECRET_APP, LAB_APP, SERVICE]);

/** A request for access as an app makes it, with the verifier that proves it later. */
export interface Asked {
  readonly path: string;
  readonly verifier: string;
  readonly app: string;
  readonly returnTo: string;
}

export function ask(
  { url }: FlowContainer,
  scope: string,
  change: Readonly<Record<string, string | undefined>> = {},
): Asked {
  const verifier = randomBytes(32).toString('base64url');
  const fields: Record<string, string | undefined> = {
    ...{ response_type: 'code', client_id: PUBLIC_APP.id, redirect_uri: RETURN, scope },
    ...{ aud: `${url}/fhir`, state: 'st', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    ...change,
  };
  const given = Object.entries(fields).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  return {
    ...{ verifier, app: fields['client_id'] ?? '', returnTo: fields['redirect_uri'] ?? '' },
    path: `/oauth2/authorize?${new URLSearchParams(given).toString()}`,
  };
}

/** Opens what an app asks, up to the page where the person decides. */
export async function opened(browser: PlainBrowser, { path }: Asked): Promise<PlainPage> {
  const page = await browser.open(path);
  return page.status === 303 ? browser.open(page.headers.get('Location') ?? '') : page;
}

/** Chooses a record and decides. @returns where the browser is sent then, at the app */
export async function decide(
  browser: PlainBrowser,
  asked: Asked,
  record: string | undefined = RECORD,
  decision = 'allow',
): Promise<URL> {
  let page = await opened(browser, asked);
  const choice = new RegExp(`href="([^"]*\\?record_id=${record})"`).exec(page.html)?.[1];
  if (choice !== undefined) page = await browser.open(choice);
  const decided = await browser.submit(page, { decision }, undefined);
  if (decided.status !== 303) throw new Error(`not decided: ${decided.status} ${decided.html}`);
  const back = await browser.open(decided.headers.get('Location') ?? '');
  return new URL(back.headers.get('Location') ?? '');
}

export interface TokenAnswer {
  readonly [name: string]: unknown;
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
  readonly scope?: string;
  readonly patient?: string;
}

export interface Answered {
  readonly status: number;
  readonly body: TokenAnswer;
}

export async function post(
  { url }: FlowContainer,
  path: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const response = await fetch(url + path, { method: 'POST', body: new URLSearchParams(form), headers });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as TokenAnswer };
}

export const exchange = (
  container: FlowContainer,
  { app, verifier, returnTo }: Asked,
  code: string,
): Promise<Answered> =>
  post(container, '/oauth2/token', {
    ...{ grant_type: 'authorization_code', client_id: app, code },
    ...{ redirect_uri: returnTo, code_verifier: verifier },
  });

/** Plays it through to a token. */
export async function tokenFor(
  container: FlowContainer,
  scope: string,
  { user = 'clinician', record = RECORD as string | undefined, change = {} } = {},
): Promise<TokenAnswer> {
  const asked = ask(container, scope, change);
  const back = await decide(await container.browser(user), asked, record);
  const { status, body } = await exchange(container, asked, back.searchParams.get('code') ?? '');
  if (status !== 200) throw new Error(`no token: ${status} ${JSON.stringify(body)}`);
  return body;
}

export const refresh = (container: FlowContainer, token: string, more = {}): Promise<Answered> =>
  post(container, '/oauth2/token', {
    ...{ grant_type: 'refresh_token', client_id: PUBLIC_APP.id, refresh_token: token },
    ...more,
  });

export const bearer = (container: FlowContainer, path: string, token: string): Promise<Response> =>
  container.request(path, { headers: { Authorization: `Bearer ${token}` } });

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** What a service signs to prove that it is the app. */
export function assertion({ url }: FlowContainer, claims: object = {}, key = keys.privateKey): string {
  const now = Math.floor(Date.now() / 1000);
  const body = {
    iss: SERVICE.id,
    sub: SERVICE.id,
    aud: `${url}/oauth2/token`,
    jti: randomUUID(),
    exp: now + 240,
    ...claims,
  };
  const text = `${part({ alg: 'ES384', kid: 'k1', typ: 'JWT' })}.${part(body)}`;
  return `${text}.${sign('sha384', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

export const service = (
  container: FlowContainer,
  scope: string,
  proof = assertion(container),
): Promise<Answered> =>
  post(container, '/oauth2/token', {
    ...{ grant_type: 'client_credentials', scope, client_assertion: proof },
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  });
