import { ServerResponse, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { bodyBytes } from '../../http/admission/bodies.js';
import { counted } from '../../http/admission/sender-budgets.js';
import type { Fields, PlainAnswer } from '../../http/answer.js';
import type { Site } from '../../http/app-parts.js';
import type { RequestContext } from '../../http/request-context.js';
import { SMART, UNUSED_COOKIE } from './smart-provider.js';

export interface Passed {
  readonly answer: PlainAnswer;
  /** The provider's own view of the request. */
  readonly oidc: KoaContextWithOIDC['oidc'] | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Fields of the answer that the pipeline writes itself. */
const OWN = /^(?:access-control-|content-type$|content-length$|vary$|cache-control$|pragma$)/u;

/**
 * Passes a request that the pipeline has read and admitted through the provider, which sees only a copy.
 * @param query in place of that of the request
 */
export async function passThrough(
  provider: Provider,
  { base, basePath, secure }: Pick<Site, 'base' | 'basePath' | 'secure'>,
  { context, target, route, body }: RequestContext,
  query = target.query,
): Promise<Passed> {
  const { method, headers, socket } = context.req;
  const path = `${(target.path ?? '').slice(SMART.length)}${query === '' ? '' : `?${query}`}`;
  const copied = Object.assign(Readable.from([bodyBytes(body, route.bodyLimit)], { objectMode: false }), {
    ...{ method, url: path, originalUrl: basePath + SMART + path },
    headers: { ...headers, host: new URL(base).host },
    socket: { encrypted: secure, remoteAddress: socket.remoteAddress },
  }) as unknown as IncomingMessage;
  const own = provider.createContext(copied, new ServerResponse(copied)) as unknown as KoaContextWithOIDC;
  const [handle] = provider.middleware;
  await counted(context, () => handle?.(own as never, () => Promise.resolve()));
  const made = (own.body ?? '') as string | Record<string, unknown>;
  const text = typeof made === 'string' ? made : JSON.stringify(made);
  const set = Object.entries(own.response.headers).filter(([name]) => !OWN.test(name));
  const cookies = [own.res.getHeader('Set-Cookie') ?? []].flat().map(String);
  const kept = cookies.filter((each) => !each.startsWith(UNUSED_COOKIE));
  if (kept.length > 0) context.append('Set-Cookie', kept);
  const fields: Fields = Object.fromEntries(
    set.filter(([name]) => name !== 'set-cookie').map(([name, value]) => [name, String(value)]),
  );
  return {
    answer: {
      kind: 'plain',
      status: own.status,
      headers: fields,
      mediaType: typeof made === 'string' ? 'text/plain; charset=utf-8' : 'application/json',
      body: text,
    },
    oidc: own.oidc as KoaContextWithOIDC['oidc'] | undefined,
    body: typeof made === 'string' ? {} : made,
  };
}
