import { signInPage, signOutPage } from '../../pages/sign-in-page.js';
import type { Flow } from '../../oauth/flow/flow.js';
import type { PlainAnswer } from '../answer.js';
import type { Site } from '../app-parts.js';
import { destinationOf } from './destination.js';
import { readFields, readPageForm } from './form.js';
import { localPath } from './local-path.js';
import { pageAnswer, redirect } from './page-answer.js';
import type { PageMethods } from './page-request.js';
import { setSessionId } from './session-cookie.js';
import { signInThrottle } from './throttle.js';
import type { Visitor } from './visitor.js';

/** What a refused sign-in says, whether or not there is such a user. */
const REFUSED = 'The user name or the password is wrong.';

/** A sign-in that did not succeed, as its page shows it. */
interface Refused {
  readonly status?: number;
  readonly username?: string;
  readonly problem?: string;
}

/** `/login`: the form, and what it is sent to. */
export function signIn(site: Site, flow: Flow): PageMethods {
  const throttle = signInThrottle();

  const form = async (
    { page }: Visitor,
    returnUrl: string,
    { status = 200, ...shown }: Refused = {},
  ): Promise<PlainAnswer> => {
    const { app, leadsTo } = await destinationOf(site, flow, returnUrl);
    return pageAnswer(page, signInPage(page, { returnUrl, app, ...shown }), { status, leadsTo });
  };

  return {
    GET: async ({ visitor, target }) => {
      const returnUrl = localPath(readFields(target.query).get('return_url'), site.base);
      return visitor.user ? redirect(returnUrl) : form(visitor, returnUrl);
    },
    POST: async (request) => {
      const { context, visitor } = request;
      const fields = readPageForm(request);
      const returnUrl = localPath(fields.get('return_url'), site.base);
      const username = fields.get('username')?.trim() ?? '';
      const wait = await throttle.take(username, context.ip);
      if (wait !== undefined) {
        flow.audit('sign-in.throttled', { reason: 'too many tries' });
        const problem = `There were too many tries. Wait ${Math.ceil(wait / 60)} minutes and try again.`;
        const answer = await form(visitor, returnUrl, { status: 429, username, problem });
        return { ...answer, headers: { ...answer.headers, 'Retry-After': String(wait) } };
      }
      if (!(await flow.accounts.checkPassword(username, fields.get('password') ?? ''))) {
        // What was typed as a name may be a password, so only a name that exists is written down.
        flow.audit('sign-in.refused', { user: flow.accounts.user(username)?.id });
        return form(visitor, returnUrl, { status: 403, username, problem: REFUSED });
      }
      await throttle.forgive(username, context.ip);
      const sessionId = await flow.grants.signIn(visitor.sessionId, username);
      flow.audit('sign-in.accepted', { user: username });
      setSessionId(context, site, sessionId);
      return redirect(returnUrl, 303);
    },
  };
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
      setSessionId(context, site, '');
      return redirect(`${site.basePath}/login`, 303);
    },
  };
}
