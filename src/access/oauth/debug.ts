import { createPublicKey } from 'node:crypto';
import type { Accounts } from '../accounts/accounts.js';
import { TIMESTAMP_WINDOW } from '../../store/disk/nonces.js';
import { baseString, baseStringUri, normalize, originOf, dummyKeys } from './signature.js';
import {
  isProtocol,
  readSignedParameters,
  readRequirements,
  type IncomingSignature,
  type SignedParameters,
} from './signed-request.js';
import type { Parameter } from './percent.js';
import { SignatureRefusal } from './signature-refusal.js';

interface Parts {
  readonly method: string;
  readonly uri: string;
  readonly parameters: readonly Parameter[];
}

interface Mistake {
  readonly part: 'method' | 'URL' | 'parameters';
  readonly says: string;
  readonly make: (parts: Parts, request: IncomingSignature) => Parts;
}

const changedUri =
  (change: (uri: string, request: IncomingSignature) => string) =>
  (parts: Parts, request: IncomingSignature): Parts => ({ ...parts, uri: change(parts.uri, request) });
const without =
  (leftOut: (parameter: Parameter) => boolean) =>
  (parts: Parts): Parts => ({ ...parts, parameters: parts.parameters.filter((each) => !leftOut(each)) });
const rewritten =
  (change: (value: string) => string) =>
  (parts: Parts): Parts => ({
    ...parts,
    parameters: parts.parameters.map(([name, value]) => [name, change(value)] as const),
  });

const mistakes: readonly Mistake[] = [
  ...['GET', 'POST', 'PUT', 'DELETE'].map((method): Mistake => ({
    part: 'method',
    says: `was made for ${method}`,
    make: (parts) => ({ ...parts, method }),
  })),
  {
    part: 'URL',
    says: 'was made for the host of the Host header over http, not for the base URL',
    make: changedUri((uri, { host = '' }) => uri.replace(/^[a-z]+:\/\/[^/]*/, `http://${host}`)),
  },
  {
    part: 'URL',
    says: 'was made for the host of the Host header over https, not for the base URL',
    make: changedUri((uri, { host = '' }) => uri.replace(/^[a-z]+:\/\/[^/]*/, `https://${host}`)),
  },
  { part: 'URL', says: 'was made for https', make: changedUri((uri) => uri.replace(/^http:/, 'https:')) },
  { part: 'URL', says: 'was made for http', make: changedUri((uri) => uri.replace(/^https:/, 'http:')) },
  {
    part: 'URL',
    says: 'keeps the default port, which is left out',
    make: changedUri((uri) =>
      uri.replace(
        /^(https?):\/\/([^/:]+)\//,
        (_, scheme: string, host: string) => `${scheme}://${host}:${scheme === 'https' ? 443 : 80}/`,
      ),
    ),
  },
  {
    part: 'URL',
    says: 'leaves the port out',
    make: changedUri((uri) => uri.replace(/^([a-z]+:\/\/[^/:]+):\d+/, '$1')),
  },
  { part: 'URL', says: 'leaves the trailing slash out', make: changedUri((uri) => uri.replace(/\/$/, '')) },
  { part: 'URL', says: 'adds a trailing slash', make: changedUri((uri) => `${uri}/`) },
  {
    part: 'URL',
    says: 'keeps the query in the URL; it belongs to the parameters',
    make: changedUri((uri, { rawTarget }) => uri + (/\?.*/.exec(rawTarget)?.[0] ?? '')),
  },
  {
    part: 'parameters',
    says: 'covers the protocol parameters only; query and form parameters are missing',
    make: without((parameter) => !isProtocol(parameter)),
  },
  ...['callback', 'body_hash', 'verifier', 'version', 'token'].map((forgotten): Mistake => ({
    part: 'parameters',
    says: `does not cover oauth_${forgotten}`,
    make: without(([name]) => name === `oauth_${forgotten}`),
  })),
  {
    part: 'parameters',
    says: 'covers an empty oauth_token that was not sent',
    make: (parts) => ({ ...parts, parameters: [...parts.parameters, ['oauth_token', '']] }),
  },
  {
    part: 'parameters',
    says: 'leaves out parameters with an empty value',
    make: without(([, value]) => value === ''),
  },
  {
    part: 'parameters',
    says: 'writes a space as + and encodes that',
    make: rewritten((value) => value.replaceAll(' ', '+')),
  },
  { part: 'parameters', says: 'encodes values twice', make: rewritten((value) => encodeURIComponent(value)) },
];

/**
 * Explains a signature to its signer: the expected base string, and which part of it the signer seems to write
 * differently. The report holds no secret or signature, and does not tell an unknown app or token from a wrong
 * secret.
 * @returns plain text
 */
export function createDebugger(
  accounts: Pick<Accounts, 'credentials'>,
  baseUrl: string,
  clock: () => number = Date.now,
): (request: IncomingSignature) => string {
  const origin = originOf(baseUrl);
  const dummy = dummyKeys();

  return (request) => {
    try {
      const parameters = readSignedParameters(request);
      if (!parameters)
        return 'The request is not signed: there is no Authorization header that begins with OAuth.\n';
      return report(request, parameters);
    } catch (error) {
      if (!(error instanceof SignatureRefusal)) throw error;
      return `The request cannot be read as a signed one: ${READING[error.reason] ?? error.reason}.\n`;
    }
  };

  function report(request: IncomingSignature, parameters: SignedParameters): string {
    const { method, signature, consumerKey, token, stamp } = readRequirements(
      parameters.protocol,
      request.secure,
    );
    const found = accounts.credentials(consumerKey, token);
    const keys = {
      consumerSecret: found.app?.secret ?? dummy.secret,
      tokenSecret: token === undefined ? '' : (found.token?.secret ?? dummy.secret),
      publicKey: found.app?.publicKey === undefined ? dummy.publicKey : createPublicKey(found.app.publicKey),
    };
    const fits = ({ method: verb, uri, parameters: covered }: Parts): boolean =>
      method.verify(baseString(verb, uri, normalize(covered)), keys, signature);
    const right: Parts = {
      method: request.method,
      uri: baseStringUri(origin, parameters.path),
      parameters: parameters.covered,
    };
    // Always tries all mistakes, so that the time does not reveal which one matched.
    const made = mistakes.filter((mistake) => fits(mistake.make(right, request)));
    const verdict = fits(right)
      ? 'The signature is right.'
      : made.length > 0
        ? made
            .map(
              ({ part, says }) =>
                `The ${part} ${part === 'parameters' ? 'differ' : 'differs'}: the signature ${says}.`,
            )
            .join('\n')
        : 'Method, URL and parameters may be right: no usual mistake in them explains the signature. Check the consumer secret, the token secret and their percent-encoding in the key, and that app and token are known and valid.';
    const skew = stamp ? Math.round(stamp.timestamp - clock() / 1000) : 0;
    const time =
      Math.abs(skew) > TIMESTAMP_WINDOW
        ? `The timestamp is ${Math.abs(skew)} seconds ${skew < 0 ? 'old' : 'ahead'}; ${TIMESTAMP_WINDOW} are allowed.\n`
        : '';
    return [
      verdict,
      time,
      'The base string that was expected, in its three parts:',
      `  method      ${right.method}`,
      `  URL         ${right.uri}`,
      '  parameters',
      ...right.parameters.map(
        ([name, value]) => `    ${name} = ${HIDDEN.has(name) ? '(as you sent it)' : JSON.stringify(value)}`,
      ),
      '',
    ].join('\n');
  }
}

/** Useless to the signer, and the report may be passed on. */
const HIDDEN: ReadonlySet<string> = new Set(['oauth_token', 'oauth_verifier']);

const READING: Readonly<Record<string, string>> = {
  malformed:
    'a parameter is missing, empty, sent twice or in two places, or has a broken percent-encoding, or there is more than one Authorization header',
  version: 'oauth_version is not 1.0',
  method: 'oauth_signature_method is not known here, or is PLAINTEXT without https',
};
