import { setImmediate as turn } from 'node:timers/promises';
import { signRequest } from '../../access/oauth/sign-request.js';

export interface IssuedToken {
  readonly consumer_key: string;
  readonly consumer_secret: string;
  readonly oauth_token: string;
  readonly oauth_token_secret: string;
}

export interface Request {
  readonly method: string;
  readonly target: string;
  /** The record whose token signs; undefined for an unsigned request. */
  readonly as?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly type: string; readonly text: string };
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

export interface Asked {
  /** Without a trailing slash; IRIs in answers begin with it. */
  readonly base: string;
  ask(request: Request): Promise<Reply>;
}

/** A token for each record of a suite. */
export type Tokens = ReadonlyMap<string, IssuedToken>;

/** Connects to a running container, and signs with the tokens of records. @param at its address, if not the base URL */
export function runningContainer(base: string, tokens: Tokens, at = base): Asked {
  return {
    base,
    ask: async ({ method, target, as, headers = {}, body }) => {
      // A container in this process may be about to close an idle connection: two turns of the event loop let the
      // client notice before it reuses the connection.
      await turn();
      await turn();
      const token = as === undefined ? undefined : tokens.get(as);
      if (as !== undefined && !token) throw new Error(`There is no token for the record ${as}.`);
      const own = token ? { Authorization: authorization(token, method, base + target, body) } : {};
      const response = await fetch(at + target, {
        method,
        redirect: 'manual',
        headers: { ...own, ...(body ? { 'Content-Type': body.type } : {}), ...headers },
        body: body?.text ?? null,
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { status: response.status, headers: response.headers, bytes };
    },
  };
}

function authorization(token: IssuedToken, method: string, url: string, body: Request['body']): string {
  return signRequest({
    method,
    url,
    consumerKey: token.consumer_key,
    consumerSecret: token.consumer_secret,
    token: token.oauth_token,
    tokenSecret: token.oauth_token_secret,
    ...(body ? { body: body.text, contentType: body.type } : {}),
  });
}
