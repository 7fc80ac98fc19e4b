import { percentEncode, readForm } from '../oauth/percent.js';
import { ChartgraphError } from './chartgraph-error.js';
import { readBaseUrl, type ClientSettings } from './client-settings.js';
import { postForm, tokenOf, type TokenPair } from './token-forms.js';

/** An app as a container knows it. */
export type App = Omit<ClientSettings, 'token' | 'tokenSecret' | 'format'>;

/** What an app asked for, until the person has decided. Its secret stays with the app. */
export interface AccessRequest extends TokenPair {
  /** Where the person's browser is sent. */
  readonly url: string;
}

/** An access token; spread it into the settings of a client. */
export interface AccessToken extends TokenPair {
  readonly recordId: string | undefined;
  readonly userId: string | undefined;
}

/**
 * The first leg of OAuth 1.0a (RFC 5849 §2.1): asks for a request token. For the second, send the person's browser to
 * the `url` of the answer; it comes back to the `oauth_callback` of the app's manifest.
 * @param options.recordId the record that is asked for; else the person chooses
 * @throws ChartgraphError as calls do
 */
export async function requestAccess(
  app: App,
  options: { readonly recordId?: string } = {},
): Promise<AccessRequest> {
  const form = options.recordId === undefined ? '' : `smart_record_id=${percentEncode(options.recordId)}`;
  // The container knows the address from the manifest, and takes no other.
  const extra = { oauth_callback: 'oob' };
  const answer = await postForm({ call: 'request_token', address: '/oauth/request_token', form, extra }, app);
  const { token, tokenSecret } = tokenOf('request_token', answer);
  const url = `${readBaseUrl(app.baseUrl)}/oauth/authorize?oauth_token=${percentEncode(token)}`;
  return { url, token, tokenSecret };
}

/**
 * The third leg (RFC 5849 §2.3): exchanges a request for an access token, once.
 * @param cameBack the address that the person's browser came back to, its path or its query; or, for an app without a
 *   callback, the code that the person copied
 * @throws ChartgraphError of the kind `refused` when the person said no (its status is undefined then), and as calls do
 * @throws TypeError when the browser came back for another request
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
