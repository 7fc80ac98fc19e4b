import { signInPage, signOutPage } from '../../pages/sign-in-page.js';
import type { ContainerContext } from '../container-context.js';
import type { Methods, Visit } from '../path-table.js';
import { destinationOf, type Destination } from './destination.js';
import { readFields, readPageForm } from './form.js';
import { localPath } from './local-path.js';
import { setSessionId } from './session-cookie.js';
import { signInThrottle } from './throttle.js';
import { sendTo, showPage, visitorOf, type Visitor } from './visitor.js';

/** What a refused sign-in says, whether or not there is such a user. */
const REFUSED = 'The user name or the password is wrong.';

/** `/login`: the form, and what it is sent to. */
export function signIn(container: ContainerContext): Methods {
  const { flow, base } = container;
  const throttle = signInThrottle();

  const form = async (
    visit: Visit,
    visitor: Visitor,
    returnUrl: string,
    refused: { status?: number; username?: string; problem?: string } = {},
  ): Promise<void> => {
    const { status = 200, ...shown } = refused;
    const to: Destination = await destinationOf(container, returnUrl);
    showPage(
      visit.context,
      visitor,
      signInPage(visitor.around, { returnUrl, app: to.app, ...shown }),
      status,
      to.leadsTo,
    );
  };

  return {
    GET: async (visit) => {
      const visitor = await visitorOf(container, visit);
      const returnUrl = localPath(readFields(visit.target.query).get('return_url'), base);
      if (visitor.user) sendTo(visit.context, returnUrl);
      else await form(visit, visitor, returnUrl);
    },
    POST: async (visit) => {
      const { context } = visit;
      const visitor = await visitorOf(container, visit);
      const fields = await readPageForm(visit, visitor.around.csrf);
      const returnUrl = localPath(fields.get('return_url'), base);
      const username = fields.get('username')?.trim() ?? '';
      const wait = await throttle.take(username, context.ip);
      if (wait !== undefined) {
        flow.audit('sign-in.throttled', { reason: 'too many tries' });
        context.set('Retry-After', String(wait));
        const problem = `There were too many tries. Wait ${Math.ceil(wait / 60)} minutes and try again.`;
        return form(visit, visitor, returnUrl, { status: 429, username, problem });
      }
      if (!(await flow.accounts.checkPassword(username, fields.get('password') ?? ''))) {
        // What was typed as a name may be a password, so only a name that exists is written down.
        flow.audit('sign-in.refused', { user: flow.accounts.user(username)?.id });
        return form(visit, visitor, returnUrl, { status: 403, username, problem: REFUSED });
      }
      await throttle.forgive(username, context.ip);
      const sessionId = await flow.grants.signIn(visitor.sessionId, username);
      flow.audit('sign-in.accepted', { user: username });
      setSessionId(context, container, sessionId);
      sendTo(context, returnUrl, 303);
    },
  };
}

/** `/logout`: asks, and signs out by a form only. */
export function signOut(container: ContainerContext): Methods {
  return {
    GET: async (visit) => {
      const visitor = await visitorOf(container, visit);
      if (visitor.user) showPage(visit.context, visitor, signOutPage(visitor.around));
      else sendTo(visit.context, `${container.basePath}/`);
    },
    POST: async (visit) => {
      const visitor = await visitorOf(container, visit);
      await readPageForm(visit, visitor.around.csrf);
      if (visitor.user) {
        await container.flow.grants.signOut(visitor.sessionId);
        container.flow.audit('sign-out', { user: visitor.user.id });
      }
      setSessionId(visit.context, container, '');
      sendTo(visit.context, `${container.basePath}/login`, 303);
    },
  };
}
