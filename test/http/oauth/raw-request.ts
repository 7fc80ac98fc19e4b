import { request as httpRequest } from 'node:http';
import { sign } from 'oauth-sign';

export type Pair = readonly [name: string, value: string];

/** A signed request in pieces that a test can change before it is signed and after. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly protocol: readonly Pair[];
  readonly form: readonly Pair[];
  readonly consumerSecret: string;
  readonly tokenSecret: string;
  /** What is signed, where it is not what is sent. */
  readonly signedMethod?: string;
  readonly signedPath?: string;
}

/** What goes over the wire. */
export interface RawMessage {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Pair[];
  readonly body: string;
}

export interface RawResponse {
  readonly status: number;
  readonly challenge: string;
  readonly body: string;
}

let count = 0;

/** The protocol parameters that every signer sends, with a nonce of their own. */
export function protocol(consumerKey: string, more: Readonly<Record<string, string>> = {}): Pair[] {
  return Object.entries({
    oauth_consumer_key: consumerKey,
    oauth_nonce: `n${process.pid}${count++}`,
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(Math.floor(Date.now() / 1000)),
    oauth_version: '1.0',
    ...more,
  });
}

/** Signs with oauth-sign, which shares no code with this project. */
export function signRaw(base: string, raw: RawRequest): RawMessage {
  const { method, path, query, form, consumerSecret, tokenSecret } = raw;
  const given = Object.fromEntries([...raw.protocol, ...form, ...new URLSearchParams(query)]);
  const methodName = given['oauth_signature_method'] ?? 'HMAC-SHA1';
  const known = ['HMAC-SHA1', 'HMAC-SHA256', 'PLAINTEXT'].includes(methodName) ? methodName : 'HMAC-SHA1';
  const url = base + (raw.signedPath ?? path);
  const signature = sign(known, raw.signedMethod ?? method, url, given, consumerSecret, tokenSecret);
  return {
    method,
    target: query === '' ? path : `${path}?${query}`,
    headers: [
      ['Authorization', header([...raw.protocol, ['oauth_signature', signature]])],
      ['Content-Type', 'application/x-www-form-urlencoded'],
    ],
    body: form.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&'),
  };
}

export function header(pairs: readonly Pair[]): string {
  return `OAuth realm="test", ${pairs.map(([name, value]) => `${name}="${encodeURIComponent(value)}"`).join(', ')}`;
}

/** Sends exactly what it is given, also what `fetch` would not. */
export function sendRaw(base: string, { method, target, headers, body }: RawMessage): Promise<RawResponse> {
  const { hostname, port } = new URL(base);
  const lines = [
    ['Host', `${hostname}:${port}`],
    ...headers,
    ['Content-Length', String(Buffer.byteLength(body))],
  ];
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, method, path: target, headers: lines.flat() },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            challenge: response.headers['www-authenticate'] ?? '',
            body: text,
          });
        });
      },
    );
    request.on('error', reject).end(body);
  });
}
