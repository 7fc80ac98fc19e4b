import type { Context } from 'koa';
import type { AnalystLevel } from '../access/accounts/analyst-tokens.js';
import type { Accounts } from '../access/accounts/accounts.js';
import type { User } from '../access/accounts/users.js';
import type { PageContext } from './html/layout.js';
import { Problem } from '../model/problem.js';
import type { Answer } from './answer.js';
import type { Visitor } from './sign-in/visitor.js';
import type { RequestContext, Route } from './request-context.js';

export interface Analyst {
  readonly user: User;
  readonly level: AnalystLevel;
  /** The analyst may run analyses alone. */
  readonly isAggregate?: boolean | undefined;
  readonly allRows?: boolean | undefined;
  readonly purpose: string | undefined;
  readonly tokenId: string | undefined;
  readonly page?: PageContext;
}

/** A route for analysts. @param more further settings */
export function analystRoute(
  method: Route['method'],
  path: string,
  handler: (request: RequestContext, analyst: Analyst) => Promise<Answer> | Answer,
  more: Partial<Route> = {},
): Route {
  return {
    method,
    path,
    credentials: 'analyst',
    access: 'analyst',
    handler: (request) => handler(request, request.analyst as Analyst),
    ...more,
  };
}

export interface AnalystProofs {
  readonly base: string;
  readonly accounts: Pick<Accounts, 'analystToken' | 'user'>;
  visitorOf(context: Context): Promise<Visitor>;
}

/**
 * Makes a function that finds the analyst of a request, by a bearer token (RFC 6750) or a browser session, which sees
 * the de-identified level only. Without credentials it returns undefined.
 * @throws Problem unauthorized for a bad token, forbidden for a browser on another site's page
 */
export function analystFinder({
  base,
  accounts,
  visitorOf,
}: AnalystProofs): (context: Context) => Promise<Analyst | undefined> {
  return async (context) => {
    const field = context.get('Authorization');
    if (field !== '') {
      const sent = bearerIn(field);
      const token = sent === undefined ? undefined : accounts.analystToken(sent);
      const user = token && accounts.user(token.user);
      if (!token || !user) throw bearerRefused(base, 'invalid_token');
      const { id: tokenId, purpose, isIdentified, isAggregate, allRows } = token;
      const level = isIdentified ? 'identified' : 'deidentified';
      return { user, level, purpose, tokenId, isAggregate, allRows };
    }
    if (context.get('Cookie') === '') return undefined;
    const { user, mustEnrol, mustChangePassword, page } = await visitorOf(context);
    if (!user) return undefined;
    if (mustChangePassword)
      throw new Problem('forbidden', 'Change your password at /account/security/new-password first.');
    if (mustEnrol) throw new Problem('forbidden', 'Set up your second factor at /account/security first.');
    refuseOtherSites(context, base);
    return { user, level: 'deidentified', purpose: undefined, tokenId: undefined, page };
  };
}

/** Returns the token of an Authorization field (RFC 6750 §2.1). */
export function bearerIn(field: string): string | undefined {
  return /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/iu.exec(field)?.[1];
}

/** The answer to missing or bad credentials (RFC 6750 §3). */
export function bearerRefused(base: string, error?: 'invalid_token'): Problem {
  const challenge = `Bearer realm="${base}"`;
  const detail =
    error === undefined
      ? 'Queries need a bearer token of an analyst, or a signed-in one; chartgraph token issue --analyst gives tokens.'
      : 'The bearer token was not accepted; ask for another one.';
  return new Problem('unauthorized', detail, {
    headers: { 'WWW-Authenticate': error === undefined ? challenge : `${challenge}, error="${error}"` },
  });
}

/** Fetch Metadata: a session works on the container's own pages and typed addresses, not from other sites. */
function refuseOtherSites(context: Context, base: string): void {
  const site = context.get('Sec-Fetch-Site');
  const origin = context.get('Origin');
  const isOwn =
    ['', 'same-origin', 'none'].includes(site) && (origin === '' || origin === new URL(base).origin);
  if (!isOwn) throw new Problem('forbidden', 'A page of another site asks; give its tool a bearer token.');
}
