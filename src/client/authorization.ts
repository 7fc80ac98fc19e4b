import { percentEncode, readForm } from '../oauth/percent.js';
import { ChartgraphError } from './chartgraph-error.js';
import { createSender } from './send.js';
import { readBaseUrl, type ClientSettings } from './client-settings.js';

/** A request token with its secret, which stays with the app. */
export interface RequestToken {
  readonly token: string;
  readonly tokenSecret: string;
}

/** An access token; spread it into the settings of a client. */
export interface AccessToken extends RequestToken {
  readonly recordId: string | undefined;
  readonly userId: string | undefined;
}

/** The three legs of OAuth 1.0a (RFC 5849 §2). @throws ChartgraphError as calls do */
export interface Authorization {
  /**
   * Leg one.
   * @param callback where the browser goes back to with `oauth_token` and `oauth_verifier`; `oob` for none
   * @param recordId the record that is asked for; else the person chooses
   */
  requestToken(callback: string, recordId?: string): Promise<RequestToken>;
  /** Leg two: where the person's browser is sent. */
  authorizeUrl(requestToken: Pick<RequestToken, 'token'>): string;
  /** Leg three: the request token and the verifier of the callback for an access token. */
  accessToken(requestToken: RequestToken, verifier: string): Promise<AccessToken>;
}

type App = Omit<ClientSettings, 'token' | 'tokenSecret' | 'format'>;

/** Makes what an app gets its access token with. @throws TypeError for settings that cannot be used */
export function authorize(app: App): Authorization {
  const base = readBaseUrl(app.baseUrl);
  const post = async (
    call: string,
    settings: ClientSettings,
    extra: Record<string, string>,
    form: readonly (readonly [string, string])[] = [],
  ): Promise<ReadonlyMap<string, string>> => {
    const body = form.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join('&');
    const { bytes } = await createSender(settings)({
      call,
      method: 'POST',
      address: `/oauth/${call}`,
      body: new TextEncoder().encode(body),
      contentType: 'application/x-www-form-urlencoded',
      extra,
    });
    return new Map(readForm(new TextDecoder().decode(bytes)));
  };
  return Object.freeze({
    async requestToken(callback: string, recordId?: string) {
      const form = recordId === undefined ? [] : ([['smart_record_id', recordId]] as const);
      return tokenOf('request_token', await post('request_token', app, { oauth_callback: callback }, form));
    },
    authorizeUrl: ({ token }: Pick<RequestToken, 'token'>) =>
      `${base}/oauth/authorize?oauth_token=${percentEncode(token)}`,
    async accessToken({ token, tokenSecret }: RequestToken, verifier: string) {
      const answer = await post('access_token', { ...app, token, tokenSecret }, { oauth_verifier: verifier });
      return {
        ...tokenOf('access_token', answer),
        recordId: answer.get('record_id'),
        userId: answer.get('user_id'),
      };
    },
  });
}

function tokenOf(call: string, answer: ReadonlyMap<string, string>): RequestToken {
  const token = answer.get('oauth_token');
  const tokenSecret = answer.get('oauth_token_secret');
  if (token === undefined || tokenSecret === undefined)
    throw new ChartgraphError('answer', call, 'the answer holds no token.');
  return { token, tokenSecret };
}
