import { percentEncode, readForm } from '../access/oauth/percent.js';
import { ChartgraphError } from './chartgraph-error.js';
import { readBaseUrl, type ClientSettings } from './client-settings.js';
import { createSender } from './send.js';

/** The settings of an app, without a token. */
export type App = Omit<ClientSettings, 'token' | 'tokenSecret' | 'format'>;

/** A request for access that the person has not decided yet. Its secret stays with the app. */
export interface AccessRequest extends TokenPair {
  readonly url: string;
}

/** An access token; spread it into the settings of a client. */
export interface AccessToken extends TokenPair {
  readonly recordId: string | undefined;
  readonly userId: string | undefined;
}

/**
 * The first leg of OAuth 1.0a (RFC 5849 §2.1): gets a request token. For the second leg, send the person's browser to
 * the `url` of the answer; it returns to the `oauth_callback` of the app's manifest.
 * @param options.recordId the record to ask for; otherwise the person chooses
 * @throws ChartgraphError as calls do
 */
export async function requestAccess(
  app: App,
  options: { readonly recordId?: string } = {},
): Promise<AccessRequest> {
  const form = options.recordId === undefined ? '' : `smart_record_id=${percentEncode(options.recordId)}`;
  // The container takes the callback from the manifest, and accepts no other.
  const extra = { oauth_callback: 'oob' };
  const answer = await postForm({ call: 'request_token', address: '/oauth/request_token', form, extra }, app);
  const { token, tokenSecret } = tokenOf('request_token', answer);
  const url = `${readBaseUrl(app.baseUrl)}/oauth/authorize?oauth_token=${percentEncode(token)}`;
  return { url, token, tokenSecret };
}

/**
 * The third leg (RFC 5849 §2.3): exchanges a request for an access token, once.
 * @param cameBack the address that the browser returned to, or its path or query; for an app without a callback, the
 * code that the person copied
 * @throws ChartgraphError of the kind `refused`, without status, when the person said no; and as calls do
 * @throws TypeError when the browser returned for another request
 */
export async function completeAccess(
  app: App,
  { token, tokenSecret }: Omit<AccessRequest, 'url'>,
  cameBack: string | URL | { readonly code: string },
): Promise<AccessToken> {
  const extra = { oauth_verifier: verifierOf(token, cameBack) };
  const answer = await postForm(
    { call: 'access_token', address: '/oauth/access_token', extra },
    { ...app, token, tokenSecret },
  );
  return {
    ...tokenOf('access_token', answer),
    recordId: answer.get('record_id'),
    userId: answer.get('user_id'),
  };
}

function verifierOf(token: string, cameBack: string | URL | { readonly code: string }): string {
  if (typeof cameBack === 'object' && 'code' in cameBack) return cameBack.code;
  const query = /\?([^#]*)/.exec(String(cameBack))?.[1] ?? '';
  const given = new Map(readForm(query));
  if (given.get('oauth_token') !== token)
    throw new TypeError('The browser came back for another request: look that one up by its oauth_token.');
  const verifier = given.get('oauth_verifier');
  if (verifier !== undefined) return verifier;
  const isDenied = given.get('oauth_problem') === 'permission_denied';
  throw new ChartgraphError(
    'refused',
    'access_token',
    isDenied ? 'the person did not allow it.' : 'the browser came back without a verifier.',
  );
}

export interface TokenPair {
  readonly token: string;
  readonly tokenSecret: string;
}

interface TokenForm {
  readonly call: string;
  readonly address: string;
  readonly form?: string;
  readonly extra?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a form and reads the form in the answer. @throws ChartgraphError as calls do */
export async function postForm(
  { call, address, form = '', extra = {}, signal }: TokenForm,
  settings: ClientSettings,
): Promise<ReadonlyMap<string, string>> {
  const { bytes } = await createSender(settings)({
    call,
    method: 'POST',
    address,
    body: new TextEncoder().encode(form),
    contentType: 'application/x-www-form-urlencoded',
    extra,
    signal,
  });
  return new Map(readForm(new TextDecoder().decode(bytes)));
}

/** Returns the token in an answer. @throws ChartgraphError when there is none */
export function tokenOf(call: string, answer: ReadonlyMap<string, string>): TokenPair {
  const token = answer.get('oauth_token');
  const tokenSecret = answer.get('oauth_token_secret');
  if (token === undefined || tokenSecret === undefined)
    throw new ChartgraphError('answer', call, 'the answer holds no token.');
  return { token, tokenSecret };
}
