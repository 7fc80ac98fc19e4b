import { signWebRequest } from '../oauth/web-signature.js';
import { ChartgraphError, refusalOf } from './chartgraph-error.js';
import { readBaseUrl, type ClientSettings } from './client-settings.js';

/** A request of a call, before it is signed. */
export interface OutgoingRequest {
  /** Client method name of the call, for errors. */
  readonly call: string;
  readonly method: string;
  /** Path and query below the base URL, percent-encoded. */
  readonly address: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: Uint8Array | undefined;
  readonly contentType?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Protocol parameters beyond the usual ones. */
  readonly extra?: Readonly<Record<string, string>>;
}

/** A response whose body has been read. */
export interface Received {
  readonly response: Response;
  readonly bytes: Uint8Array;
  /** The URL of the request without its query. */
  readonly url: string;
}

export type Send = (request: OutgoingRequest) => Promise<Received>;

/**
 * Makes what signs and sends requests. The settings are kept in its closure alone.
 * @returns a function that gives responses of status 2xx and 304, and throws ChartgraphError for all else, or the
 *   reason of the signal that ended the call
 * @throws TypeError for settings that cannot be used
 */
export function createSender(settings: ClientSettings): Send {
  const base = readBaseUrl(settings.baseUrl);
  const sign = createSigner(settings);
  const { fetch: send = fetch } = settings;
  return async (request) => {
    const url = base + request.address;
    const authorization = await sign(url, request);
    const given: [string, string | undefined][] = [
      ...Object.entries(request.headers ?? {}),
      ['Content-Type', request.contentType],
      ['Authorization', authorization],
    ];
    const headers = given.filter((field): field is [string, string] => field[1] !== undefined);
    const { signal } = request;
    let received: Received;
    try {
      const response = await send(url, {
        method: request.method,
        headers,
        // A signature is for one address, so a redirect cannot be followed.
        redirect: 'manual',
        ...(request.body && { body: request.body as Uint8Array<ArrayBuffer> }),
        ...(signal && { signal }),
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      received = { response, bytes, url: url.replace(/\?.*$/s, '') };
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw new ChartgraphError(
        'network',
        request.call,
        `${new URL(base).origin} cannot be reached${codeOf(error)}`,
      );
    }
    const { response, bytes } = received;
    if (response.ok || response.status === 304) return received;
    throw refusalOf(request.call, response, new TextDecoder().decode(bytes));
  };
}

/** The code of a failed connection. Messages stay out: what another fetch writes into them cannot be known. */
function codeOf(error: unknown): string {
  const { cause, code = (cause as { code?: unknown } | undefined)?.code } = error as {
    cause?: unknown;
    code?: unknown;
  };
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? ` (${code}).` : '.';
}

function createSigner(
  settings: ClientSettings,
): (url: string, request: OutgoingRequest) => Promise<string | undefined> {
  const { consumerKey, consumerSecret, token, tokenSecret, signatureMethod, privateKey } = settings;
  if (consumerKey === undefined) {
    if (token !== undefined) throw new TypeError('A token needs a consumerKey beside it.');
    return () => Promise.resolve(undefined);
  }
  if (consumerSecret === undefined && privateKey === undefined)
    throw new TypeError('A consumerKey needs a consumerSecret beside it, or a privateKey.');
  return (url, { method, body, contentType, extra }) =>
    signWebRequest({
      method,
      url,
      consumerKey,
      consumerSecret: consumerSecret ?? '',
      ...(token === undefined ? {} : { token }),
      ...(tokenSecret === undefined ? {} : { tokenSecret }),
      ...(signatureMethod === undefined ? {} : { signatureMethod }),
      ...(privateKey === undefined ? {} : { privateKey }),
      ...(body === undefined ? {} : { body }),
      ...(contentType === undefined ? {} : { contentType }),
      ...(extra === undefined ? {} : { extra }),
    });
}
