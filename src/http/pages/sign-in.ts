import { PasswordChanged } from '../../accounts/password-mark.js';
import { signInPage, signOutPage } from '../../pages/sign-in-page.js';
import { signInCodePage } from '../../pages/sign-in-code-page.js';
import type { Flow } from '../../oauth/flow/flow.js';
import type { PlainAnswer } from '../answer.js';
import type { Site } from '../app-parts.js';
import { destinationOf } from './destination.js';
import { readFields, readPageForm } from './form.js';
import { localPath } from './local-path.js';
import { pageAnswer, redirect } from './page-answer.js';
import type { PageMethods, PageRequest } from './page-request.js';
import { setId } from './session-cookie.js';
import { enter, isPassword, tooMany, tryOf } from './sign-in-try.js';
import type { Visitor } from './visitor.js';

/** What a refused sign-in says, whether or not there is such a user. */
const REFUSED = 'The user name or the password is wrong.';

/** A sign-in that did not succeed, as its page shows it. */
interface Refused {
  readonly status?: number;
  readonly username?: string;
  readonly problem?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `/login`, for the password, and `/login/code`, for the second factor of whoever has one. */
export function signIn(site: Site, flow: Flow): Readonly<Record<'password' | 'code', PageMethods>> {
  const { accounts, grants, audit } = flow;
  const shownAt = async (
    { page }: Visitor,
    returnUrl: string,
    { status = 200, headers, ...shown }: Refused = {},
  ): Promise<PlainAnswer> => {
    const { app, leadsTo } = await destinationOf(site, flow, returnUrl);
    return pageAnswer(page, signInPage(page, { returnUrl, app, ...shown }), { status, leadsTo, headers });
  };
  const askForCode = async (
    { page }: Visitor,
    step: { readonly proof: string; readonly returnUrl: string },
    { status = 200, problem, headers }: Refused = {},
  ): Promise<PlainAnswer> => {
    const { leadsTo } = await destinationOf(site, flow, step.returnUrl);
    return pageAnswer(page, signInCodePage(page, { ...step, problem }), { status, leadsTo, headers });
  };

  const entered = async (
    request: PageRequest,
    proved: Parameters<typeof enter>[3],
    returnUrl: string,
  ): Promise<PlainAnswer> => {
    try {
      return await enter(site, flow, request, proved, returnUrl);
    } catch (error) {
      if (!(error instanceof PasswordChanged)) throw error;
      audit('sign-in.refused', { user: proved.user, reason: 'password changed' });
      return shownAt(request.visitor, returnUrl, { status: 403, problem: error.message });
    }
  };

  const password: PageMethods = {
    GET: async ({ visitor, target }) => {
      const returnUrl = localPath(readFields(target.query).get('return_url'), site.base);
      return visitor.user ? redirect(returnUrl) : shownAt(visitor, returnUrl);
    },
    POST: async (request) => {
      const { context, visitor } = request;
      const fields = readPageForm(request);
      const returnUrl = localPath(fields.get('return_url'), site.base);
      const username = fields.get('username')?.trim() ?? '';
      const wait = await tooMany(flow, tryOf(context, site, username));
      if (wait) return shownAt(visitor, returnUrl, { ...wait, username });
      const mark = grants.passwordMark(username);
      if (!(await isPassword(flow, context, username, fields.get('password') ?? ''))) {
        // What was typed as a name may be a password, so only a name that exists is written down.
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
      const user = grants.readProof(proof, visitor.sessionId);
      const mark = user && grants.passwordMark(user);
      if (user === undefined) {
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
      // The right password before it was a try, too.
      await grants.limits.succeeded(...counted);
      return entered(request, { user, mark }, returnUrl);
    },
  };
  return { password, code };
}

/** `/logout`: asks, and signs out by a form only. */
export function signOut(site: Site, { grants, audit }: Flow): PageMethods {
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
      setId(context, site, 'session', '');
      return redirect(`${site.basePath}/login`, 303);
    },
  };
}
