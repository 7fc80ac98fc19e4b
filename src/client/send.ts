import { signWebRequest } from '../access/oauth/web-signature.js';
import { ChartgraphError, refusalOf } from './chartgraph-error.js';
import { readBaseUrl, type ClientSettings } from './client-settings.js';

export interface OutgoingRequest {
  readonly call: string;
  readonly method: string;
  readonly address: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: Uint8Array | undefined;
  readonly contentType?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly extra?: Readonly<Record<string, string>>;
}

export interface Received {
  readonly response: Response;
  readonly bytes: Uint8Array;
  /** The URL of the request without its query. */
  readonly url: string;
}

export type Begun = Omit<Received, 'bytes'>;

/**
 * Sends a request and returns its response if the status is 2xx or 304.
 * @throws ChartgraphError for everything else, or the reason of the signal that ended the call
 */
export interface Send {
  (request: OutgoingRequest): Promise<Received>;
  begin(request: OutgoingRequest): Promise<Begun>;
  /** Yields the body of such a response as it arrives; an error on the way fails the call. */
  chunks(request: OutgoingRequest, begun: Begun): AsyncIterable<Uint8Array>;
}

/**
 * Makes the function that signs and sends requests. Only its closure holds the settings.
 * @throws TypeError for unusable settings
 */
export function createSender(settings: ClientSettings): Send {
  const base = readBaseUrl(settings.baseUrl);
  const sign = createSigner(settings);
  const { fetch: send = fetch } = settings;
  const { origin } = new URL(base);
  const lost = ({ call, signal }: OutgoingRequest, error: unknown): unknown =>
    signal?.aborted
      ? signal.reason
      : new ChartgraphError('network', call, `${origin} cannot be reached${codeOf(error)}`);
  const reading = async (request: OutgoingRequest, response: Response): Promise<Uint8Array> => {
    try {
      return new Uint8Array(await response.arrayBuffer());
    } catch (error) {
      throw lost(request, error);
    }
  };
  const begin = async (request: OutgoingRequest): Promise<Begun> => {
    const url = base + request.address;
    const authorization = await sign(url, request);
    const given: [string, string | undefined][] = [
      ...Object.entries(request.headers ?? {}),
      ['Content-Type', request.contentType],
      ['Authorization', authorization],
    ];
    const headers = given.filter((field): field is [string, string] => field[1] !== undefined);
    const { signal } = request;
    let response: Response;
    try {
      response = await send(url, {
        method: request.method,
        headers,
        // A signature covers one address, so redirects cannot be followed.
        redirect: 'manual',
        ...(request.body && { body: request.body as Uint8Array<ArrayBuffer> }),
        ...(signal && { signal }),
      });
    } catch (error) {
      throw lost(request, error);
    }
    if (response.ok || response.status === 304) return { response, url: url.replace(/\?.*$/s, '') };
    throw refusalOf(request.call, response, new TextDecoder().decode(await reading(request, response)));
  };
  const whole = async (request: OutgoingRequest): Promise<Received> => {
    const begun = await begin(request);
    return { ...begun, bytes: await reading(request, begun.response) };
  };
  return Object.assign(whole, {
    begin,
    async *chunks(request: OutgoingRequest, { response }: Begun) {
      // Not every browser can iterate over a stream.
      const reader = response.body?.getReader();
      if (!reader) return;
      try {
        for (;;) {
          const { done, value } = await reader.read().catch((error: unknown) => {
            throw lost(request, error);
          });
          if (done) return;
          yield value;
        }
      } finally {
        // The caller left early and wants no more; cancelling a failed stream fails again.
        await reader.cancel().catch(() => undefined);
      }
    },
  });
}

/** Returns the code of a failed connection. Messages are left out, because a custom fetch may put anything in them. */
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
  const { consumerKey, consumerSecret, token, tokenSecret, signatureMethod, privateKey, bearerToken } =
    settings;
  if (bearerToken !== undefined) {
    if (consumerKey !== undefined)
      throw new TypeError('An app signs and an analyst sends a token: give consumerKey or bearerToken.');
    if (!/^[\w.~+/-]+=*$/.test(bearerToken)) throw new TypeError('bearerToken must be a token of RFC 6750.');
    if (
      !/^(?:https:|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/]|$))/.test(
        readBaseUrl(settings.baseUrl),
      )
    )
      throw new TypeError('A bearer token goes to other machines by https only: give an https baseUrl.');
    return () => Promise.resolve(`Bearer ${bearerToken}`);
  }
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
