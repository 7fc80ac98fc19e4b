import type { Context } from 'koa';
import { networkOf } from '../../accounts/network-of.js';
import type { Flow } from '../../oauth/flow/flow.js';
import type { PlainAnswer } from '../answer.js';
import type { Site } from '../app-parts.js';
import { clientAddress } from '../client-address.js';
import { QueryQueue } from '../respond/query-queue.js';
import { redirect } from './page-answer.js';
import type { PageRequest } from './page-request.js';
import { sentId, setId } from './session-cookie.js';

/** A try to prove who somebody is, as it is counted: by its user, its address and its browser. */
export type Try = readonly [user: string, address: string, browser: string | undefined];

/** @param user the name as it was typed */
export function tryOf(context: Context, site: Site, user: string): Try {
  return [user, clientAddress(context), sentId(context, site, 'browser')];
}

/** How many passwords may wait to be checked in this process. */
const WAITING = 1000;
const turns = new QueryQueue(WAITING);

/**
 * Whether a password is the one of a user. One is checked after the other, the addresses by turns: each takes a core for a
 * third of a second, in threads in which files are read and written as well.
 * @throws Problem unavailable when too many wait
 */
export function isPassword(flow: Flow, context: Context, user: string, typed: string): Promise<boolean> {
  return turns.run(networkOf(clientAddress(context)), () => flow.accounts.checkPassword(user, typed));
}

/** Counts a try before it is made. @returns why it has to wait, when there were too many */
export async function tooMany(flow: Flow, counted: Try): Promise<Waiting | undefined> {
  const wait = await flow.grants.limits.before(...counted);
  if (!wait) return undefined;
  flow.audit('sign-in.throttled', { reason: 'too many tries' });
  const { waitSeconds: seconds } = wait;
  const time = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.max(2, seconds)} seconds`;
  return {
    status: 429,
    problem: `There were too many tries. Wait ${time} and try again.`,
    headers: { 'Retry-After': String(seconds) },
  };
}

/** Why and how long somebody waits, as a page shows it. */
export interface Waiting {
  readonly status: 429;
  readonly problem: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Whether somebody who is signed in knows their password, before they change how they sign in: the browser may be in
 * the hands of somebody else. The try is counted.
 * @returns what to say where they do not
 */
export async function provePassword(
  site: Site,
  flow: Flow,
  { context }: PageRequest,
  user: string,
  typed: string,
): Promise<Waiting | { readonly status: 403; readonly problem: string } | undefined> {
  const counted = tryOf(context, site, user);
  const wait = await tooMany(flow, counted);
  if (wait) return wait;
  if (!(await isPassword(flow, context, user, typed))) {
    flow.audit('password.refused', { user });
    return { status: 403, problem: 'The current password is wrong.' };
  }
  await flow.grants.limits.succeeded(...counted);
  return undefined;
}

/**
 * Signs somebody in who proved everything that is asked of them, and sends them on.
 * @param mark passwordMark of before they proved it
 * @throws PasswordChanged when it is another one by now
 */
export async function enter(
  site: Site,
  flow: Flow,
  { context, visitor }: PageRequest,
  { user, mark }: { readonly user: string; readonly mark: string | undefined },
  returnUrl: string,
): Promise<PlainAnswer> {
  const [, address, known] = tryOf(context, site, user);
  // A browser that signed in once is known: strangers who try cannot lock it out.
  const browser = known ?? flow.grants.limits.newBrowser();
  const sessionId = await flow.grants.signIn(visitor.sessionId, user, mark);
  await flow.grants.limits.succeeded(user, address, browser);
  flow.audit('sign-in.accepted', { user });
  setId(context, site, 'browser', browser);
  setId(context, site, 'session', sessionId);
  return redirect(returnUrl, 303);
}
