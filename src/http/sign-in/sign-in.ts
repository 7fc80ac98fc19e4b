import type { Context } from 'koa';
import { PasswordChanged, type SignOn } from '../../access/accounts/sessions.js';
import { signInPage, signOutPage, signInCodePage, signedOutPage } from '../html/sign-in-page.js';
import type { Flow } from '../../access/oauth/flow.js';
import type { IdentityProvider } from '../../access/sign-on/identity-provider.js';
import type { PlainAnswer } from '../answer.js';
import type { Site } from '../app-parts.js';
import { destinationOf, localPath } from './destination.js';
import { readFields, readPageForm, type PageMethods, type PageRequest } from './page-request.js';
import { pageAnswer, redirect } from './page-answer.js';
import { readCookie, setCookie } from './session-cookie.js';
import { isFresh, type Visitor } from './visitor.js';
import { networkOf } from '../../access/accounts/sign-in-limits.js';
import { clientAddress } from '../request-context.js';
import { QueryQueue } from '../respond/query-queue.js';

/** The same whether or not the user exists. */
const REFUSED = 'The user name or the password is wrong.';

interface Refused {
  readonly status?: number;
  readonly username?: string;
  readonly problem?: string;
  readonly done?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Proved {
  readonly user: string;
  /** passwordMark from before the proof. */
  readonly mark: string | undefined;
  readonly signOn?: SignOn | undefined;
}

/** The steps of a sign-in, whatever proves who it is. */
export function signInSteps(site: Site, flow: Flow) {
  const { passwords: hasPasswords, signOn } = flow.settings;
  const ways = { hasPasswords, organisation: signOn?.mapping.name };
  /** Shows the page of all ways to sign in. */
  const shownAt = async (
    { page }: Visitor,
    returnUrl: string,
    { status = 200, headers, ...shown }: Refused = {},
  ): Promise<PlainAnswer> => {
    const { app, leadsTo } = await destinationOf(site, flow, returnUrl);
    return pageAnswer(page, signInPage(page, { returnUrl, app, ...ways, ...shown }), {
      status,
      leadsTo,
      headers,
    });
  };
  const askForCode = async (
    { page }: Visitor,
    step: { readonly proof: string; readonly returnUrl: string },
    { status = 200, problem, headers }: Refused = {},
  ): Promise<PlainAnswer> => {
    const { leadsTo } = await destinationOf(site, flow, step.returnUrl);
    return pageAnswer(page, signInCodePage(page, { ...step, problem }), { status, leadsTo, headers });
  };

  /** Signs in, unless the password has changed since it was proved. */
  const entered = async (request: PageRequest, proved: Proved, returnUrl: string) => {
    try {
      return await enter(site, flow, request, proved, returnUrl);
    } catch (error) {
      if (!(error instanceof PasswordChanged)) throw error;
      flow.audit('sign-in.refused', { user: proved.user, reason: 'password changed' });
      return shownAt(request.visitor, returnUrl, { status: 403, problem: error.message });
    }
  };
  return { shownAt, askForCode, entered };
}

/** `/login` for the password, and `/login/code` for the second factor. */
export function signIn(site: Site, flow: Flow): Readonly<Record<'password' | 'code', PageMethods>> {
  const { accounts, grants, audit } = flow;
  const { shownAt, askForCode, entered } = signInSteps(site, flow);

  const password: PageMethods = {
    GET: async ({ visitor, target }) => {
      const fields = readFields(target.query);
      const returnUrl = localPath(fields.get('return_url'), site.base);
      const done = fields.get('signed_out') === '1' ? 'You are signed out.' : undefined;
      return visitor.user ? redirect(returnUrl) : shownAt(visitor, returnUrl, { done });
    },
    POST: async (request) => {
      const { context, visitor } = request;
      const fields = readPageForm(request);
      const returnUrl = localPath(fields.get('return_url'), site.base);
      if (!flow.settings.passwords) {
        audit('sign-in.refused', { reason: 'passwords are off' });
        return shownAt(visitor, returnUrl, { status: 403, problem: 'Nobody signs in with a password here.' });
      }
      const username = fields.get('username')?.trim() ?? '';
      const wait = await tooMany(flow, tryOf(context, site, username));
      if (wait) return shownAt(visitor, returnUrl, { ...wait, username });
      const mark = grants.passwordMark(username);
      if (!(await isPassword(flow, context, username, fields.get('password') ?? ''))) {
        // A typed name may be a password, so only existing names are logged.
        audit('sign-in.refused', { user: accounts.user(username)?.id });
        return shownAt(visitor, returnUrl, { status: 403, username, problem: REFUSED });
      }
      if (!grants.secondFactors.has(username)) return entered(request, { user: username, mark }, returnUrl);
      return askForCode(visitor, { proof: grants.issueProof(username, visitor.sessionId, mark), returnUrl });
    },
  };

  const code: PageMethods = {
    GET: () => redirect(`${site.basePath}/login`),
    POST: async (request) => {
      const { context, visitor } = request;
      const fields = readPageForm(request);
      const returnUrl = localPath(fields.get('return_url'), site.base);
      const proof = fields.get('proof') ?? '';
      const { user, signOn } = grants.readProof(proof, visitor.sessionId) ?? {};
      const mark = user && grants.passwordMark(user);
      if (user === undefined || (!signOn && !flow.settings.passwords)) {
        const problem = 'This took longer than five minutes. Sign in again.';
        return shownAt(visitor, returnUrl, { status: 403, problem });
      }
      const counted = tryOf(context, site, user);
      const wait = await tooMany(flow, counted);
      if (wait) return askForCode(visitor, { proof, returnUrl }, wait);
      if ((await grants.secondFactors.verify(user, fields.get('code') ?? '')) === undefined) {
        audit('sign-in.refused', { user, reason: 'code' });
        const problem = 'The code is wrong, or it was used already.';
        return askForCode(visitor, { proof, returnUrl }, { status: 403, problem });
      }
      // The correct password was counted as a try, too.
      await grants.limits.succeeded(...counted);
      return entered(request, { user, mark, signOn }, returnUrl);
    },
  };
  return { password, code };
}

/** `/logout`: asks first, and signs out only by form. @param provider where a session may end, too */
export function signOut(site: Site, { grants, audit }: Flow, provider?: IdentityProvider): PageMethods {
  const signedOut = `/login?signed_out=1`;
  return {
    GET: ({ visitor }) =>
      visitor.user ? pageAnswer(visitor.page, signOutPage(visitor.page)) : redirect(`${site.basePath}/`),
    POST: async (request) => {
      const { context, visitor } = request;
      readPageForm(request);
      if (visitor.user) {
        await grants.signOut(visitor.sessionId);
        audit('sign-out', { user: visitor.user.id });
      }
      setCookie(context, site, 'session', '');
      const idToken = visitor.signOn?.idToken;
      // Where the provider is away, the session ends here alone.
      const there =
        idToken !== undefined && provider
          ? await provider.end(idToken, site.base + signedOut).catch(() => undefined)
          : undefined;
      if (there === undefined) return redirect(site.basePath + signedOut, 303);
      const { reader: _, ...page } = visitor.page;
      return pageAnswer(page, signedOutPage(there));
    },
  };
}

type Try = readonly [user: string | undefined, address: string, browser: string | undefined];

/** @param user as typed; undefined where the provider will say who it is */
export function tryOf(context: Context, site: Site, user?: string): Try {
  return [user, clientAddress(context), readCookie(context, site, 'browser')];
}

const WAITING = 1000;
const turns = new QueryQueue(WAITING);

/**
 * Checks a password. They run one at a time, with addresses taking turns: a check takes a core for a third of a second,
 * in threads that files need too.
 * @throws Problem unavailable when too many wait
 */
export function isPassword(flow: Flow, context: Context, user: string, typed: string): Promise<boolean> {
  return turns.run(networkOf(clientAddress(context)), () => flow.accounts.checkPassword(user, typed));
}

/** Counts a try before it is made. @returns a message to wait, after too many tries */
export async function tooMany(flow: Flow, counted: Try) {
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

/**
 * Checks the password of a signed-in user who changes how they sign in, since somebody else may use the browser. The
 * try is counted. Who came from an identity provider must have proved who they are there a moment ago.
 * @returns the problem if the password is wrong
 */
export async function provePassword(
  site: Site,
  flow: Flow,
  { context, visitor }: PageRequest,
  user: string,
  typed: string,
) {
  if (visitor.signOn)
    return isFresh(visitor.signOn) ? undefined : { status: 403, problem: 'Sign in again first.' };
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

/** Signs in a user. @throws PasswordChanged when the password is no longer that of `mark` */
async function enter(
  site: Site,
  flow: Flow,
  { context, visitor }: PageRequest,
  { user, mark, signOn }: Proved,
  returnUrl: string,
): Promise<PlainAnswer> {
  const sessionId = await flow.grants.signIn(visitor.sessionId, user, mark, signOn);
  if (!signOn) {
    const [, address, known] = tryOf(context, site, user);
    // After this, other people's tries cannot lock out this browser.
    const browser = known ?? flow.grants.limits.newBrowser();
    await flow.grants.limits.succeeded(user, address, browser);
    setCookie(context, site, 'browser', browser);
  }
  flow.audit('sign-in.accepted', { user, ...(signOn && { reason: 'identity provider' }) });
  setCookie(context, site, 'session', sessionId);
  return redirect(returnUrl, 303);
}
