import { readForm } from '../../access/oauth/percent.js';
import { signRequest } from '../../access/oauth/sign-request.js';
import { baseString, baseStringUri, normalize, originOf, splitTarget } from '../../access/oauth/signature.js';
import type { ExampleRequest } from './example.js';

/** Published secrets, so that readers can compute the example signature themselves. */
export const exampleSecrets = {
  consumerSecret: 'consumer-secret-of-the-example',
  token: 'token-of-the-example',
  tokenSecret: 'token-secret-of-the-example',
} as const;

const moment = { timestamp: 1_400_000_000, nonce: '5f2a9c01d7e84b36' } as const;

/** Signs a request with the example secrets at a fixed time. @returns its Authorization and the signed text */
export function signedExample(method: string, url: string, consumerKey: string) {
  const { consumerSecret, token, tokenSecret } = exampleSecrets;
  const { path, query } = splitTarget(url);
  const protocol: [string, string][] = [
    ['oauth_consumer_key', consumerKey],
    ['oauth_token', token],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', String(moment.timestamp)],
    ['oauth_nonce', moment.nonce],
    ['oauth_version', '1.0'],
  ];
  return {
    authorization: signRequest({ method, url, consumerKey, consumerSecret, token, tokenSecret, ...moment }),
    baseString: baseString(
      method,
      baseStringUri(originOf(url), path),
      normalize([...protocol, ...readForm(query)]),
    ),
  };
}

/**
 * Shell commands that send a request: `chartgraph sign` signs, curl sends. Values are quoted for the shell.
 * @param base without a trailing slash
 * @param isOpen whether the call needs no signature
 */
export function curlExample(request: ExampleRequest, base: string, isOpen: boolean) {
  const { call, target, body, app, user, record } = request;
  const lines = [
    ...(call.method === 'GET' ? [] : [`-X ${call.method}`]),
    ...(isOpen ? [] : [`-H "$(npx chartgraph sign ${call.method} "$URL" --token token.json)"`]),
    ...(body === undefined
      ? []
      : [`-H ${quoted(`Content-Type: ${body.mediaType}`)}`, `--data-binary ${data(body.text)}`]),
    '"$URL"',
  ];
  return {
    /** Gets a token, if the call needs one. */
    token: isOpen
      ? undefined
      : `npx chartgraph token issue --app ${quoted(app)} --user ${quoted(user)} --record ${quoted(record)} > token.json`,
    call: `URL=${quoted(base + target)}\ncurl ${lines.join(lines.length > 2 ? ' \\\n     ' : ' ')}`,
  };
}

/** A body of several lines goes into a file. */
const data = (text: string): string => (text.includes('\n') ? '@body.rdf' : quoted(text));

const quoted = (text: string): string =>
  /^[\w@.:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
