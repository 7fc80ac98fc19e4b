import { setImmediate as turn } from 'node:timers/promises';
import { signRequest } from '../oauth/sign-request.js';

/** What `chartgraph token issue` prints. */
export interface IssuedToken {
  readonly consumer_key: string;
  readonly consumer_secret: string;
  readonly oauth_token: string;
  readonly oauth_token_secret: string;
}

export interface Request {
  readonly method: string;
  /** Path and query below the base URL. */
  readonly target: string;
  /** The record whose token signs; without one nobody does. */
  readonly as?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly type: string; readonly text: string };
}

/** An answer that was read to its end. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/** A container that can be asked. */
export interface Asked {
  /** Without a slash at its end: what IRIs in answers begin with. */
  readonly base: string;
  ask(request: Request): Promise<Reply>;
}

/** A token for each record of a suite. */
export type Tokens = ReadonlyMap<string, IssuedToken>;

/**
 * A running container, whose requests are signed with the tokens of records.
 * @param at where it listens, if that is not its base URL
 */
export function runningContainer(base: string, tokens: Tokens, at = base): Asked {
  return {
    base,
    ask: async ({ method, target, as, headers = {}, body }) => {
      // Where the container runs in this very process, it may be about to end a connection that was idle while it was
      // busy: two turns of the event loop let the client take note before it uses one again.
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
