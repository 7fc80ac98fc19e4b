import { opensMany } from '../http/authorize.js';
import { AccountError } from '../access/accounts/account-ids.js';
import { PasswordChanged } from '../access/accounts/sessions.js';
import { isAlive, type AccessToken } from '../access/accounts/tokens.js';
import type { Flow } from '../access/oauth/flow.js';
import { newPasswordPage, securityPage, type Security, type ShownToken } from './security-page.js';
import { dayOf, readableMinute } from '../http/html/readable.js';
import type { PlainAnswer } from '../http/answer.js';
import type { Site } from '../http/app-parts.js';
import { destinationOf, localPath } from '../http/sign-in/destination.js';
import { readFields, type Fields } from '../http/sign-in/page-request.js';
import { pageAnswer, redirect, type PageOptions } from '../http/sign-in/page-answer.js';
import type { PageMethods, PageRequest } from '../http/sign-in/page-request.js';
import type { Reading, RecordedReads } from '../http/recorded-reads.js';
import { setCookie } from '../http/sign-in/session-cookie.js';
import { signedInForm, signInFirst } from '../http/sign-in/page-request.js';
import { provePassword } from '../http/sign-in/sign-in.js';

const sentences: ReadonlyMap<string, string> = new Map([
  ['password', 'Your password is changed. Other browsers are signed out.'],
  [
    'password-and-apps',
    'Your password is changed. Other browsers are signed out, and no app has access any more.',
  ],
  ['second-factor', 'The second factor is removed.'],
  ['session', 'The session has ended.'],
  ['token', 'The access has ended.'],
]);

const MAX_TOKENS = 200;

/** `/account/security` and its forms. */
export function securityPages(
  site: Site,
  flow: Flow,
  people: RecordedReads,
): Readonly<Record<'overview' | 'newPassword' | 'password' | 'sessions' | 'tokens', PageMethods>> {
  const { accounts, grants, audit } = flow;
  const here = `${site.basePath}/account/security`;

  const shownBy =
    (reading: Reading) =>
    async (token: AccessToken): Promise<ShownToken> => {
      const { id, app, record, issued, expires } = token;
      const holder = record === undefined ? undefined : await people.holder(reading, record);
      return {
        id,
        app: (await flow.manifestOf(app))?.name ?? app,
        record:
          record === undefined
            ? opensMany(token)
              ? 'every record that you may open'
              : 'no record'
            : holder?.name
              ? `${holder.name}, record ${record}`
              : `record ${record}`,
        since: readableMinute(issued),
        until: dayOf(expires),
      };
    };

  const overview = async (
    request: PageRequest,
    user: string,
    more: Pick<Security, 'done' | 'problem'>,
    options?: PageOptions,
  ): Promise<PlainAnswer> => {
    const { page, sessionId } = request.visitor;
    const now = Date.now();
    const alive = (await accounts.tokensOf(user)).filter((token) => isAlive(token, now));
    const security: Security = {
      secondFactor: {
        isSet: grants.secondFactors.has(user),
        recoveryCodes: grants.secondFactors.recoveryCodesLeft(user),
      },
      sessions: grants.listSessions(user, sessionId).map((session) => ({
        ...session,
        since: readableMinute(session.since),
        used: readableMinute(session.used),
      })),
      tokens: await Promise.all(alive.slice(-MAX_TOKENS).reverse().map(shownBy(request))),
      ...more,
    };
    return pageAnswer(page, securityPage(page, security), options);
  };

  /** @returns passwordMark of the new password, or the problem with its status */
  const changePassword = async (request: PageRequest, user: string, fields: Fields) => {
    const password = fields.get('password') ?? '';
    if (password !== fields.get('again'))
      return { status: 400, problem: 'The new passwords differ. Type both again.' };
    if (request.visitor.signOn)
      return { status: 403, problem: 'You signed in with your organisation: change your password there.' };
    const { mustChangePassword } = request.visitor;
    if (mustChangePassword && password.normalize('NFC') === fields.get('current')?.normalize('NFC'))
      return { status: 400, problem: 'Choose another password than the one that was set for you.' };
    const replaces = grants.passwordMark(user);
    const refused = await provePassword(site, flow, request, user, fields.get('current') ?? '');
    if (refused) return refused;
    try {
      const revokeTokens = fields.get('end_apps') === '1';
      const mark = await accounts.setPassword(user, password, { revokeTokens, replaces });
      audit('password.changed', { user, ...(mustChangePassword && { reason: 'password was given' }) });
      return mark;
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
      return { status: 400, problem: error.message };
    }
  };

  const demanded = async (
    { visitor: { page } }: PageRequest,
    fields: Fields,
    refused: { readonly problem?: string; readonly status?: number } = {},
  ): Promise<PlainAnswer> => {
    const returnUrl = localPath(fields.get('return_url'), site.base);
    const { leadsTo } = await destinationOf(site, flow, returnUrl);
    return pageAnswer(page, newPasswordPage(page, { returnUrl, ...refused }), { ...refused, leadsTo });
  };

  return {
    overview: {
      GET: (request) => {
        const { user } = request.visitor;
        if (!user) return signInFirst(site, here);
        const done = sentences.get(readFields(request.target.query).get('done') ?? '');
        return overview(request, user.id, { done });
      },
    },
    newPassword: {
      GET: (request) => {
        const { user, mustChangePassword } = request.visitor;
        if (!user) return signInFirst(site, here);
        return mustChangePassword ? demanded(request, readFields(request.target.query)) : redirect(here);
      },
    },
    password: {
      POST: signedInForm(site, here, async (request, user, fields) => {
        const { visitor, context } = request;
        const { sessionId, browserBinding, mustChangePassword } = visitor;
        const changed = await changePassword(request, user.id, fields);
        if (typeof changed !== 'string')
          return mustChangePassword
            ? demanded(request, fields, changed)
            : overview(request, user.id, { problem: changed.problem }, changed);
        try {
          // The new password ended every session, including this one.
          const id = await grants.signIn(sessionId, user.id, changed, undefined, browserBinding);
          setCookie(context, site, 'session', id);
        } catch (error) {
          // The password changed again meanwhile, so this user must prove it.
          if (!(error instanceof PasswordChanged)) throw error;
          audit('sign-in.refused', { user: user.id, reason: 'password changed' });
          return signInFirst(site, here, 303);
        }
        if (mustChangePassword) return redirect(localPath(fields.get('return_url'), site.base), 303);
        const done = fields.get('end_apps') === '1' ? 'password-and-apps' : 'password';
        return redirect(`${here}?done=${done}`, 303);
      }),
    },
    sessions: {
      POST: signedInForm(site, here, async (_, user, fields) => {
        if (await grants.endSession(user.id, fields.get('session') ?? ''))
          audit('session.ended', { user: user.id });
        return redirect(`${here}?done=session`, 303);
      }),
    },
    tokens: {
      POST: signedInForm(site, here, async (_, user, fields) => {
        const token = accounts.tokenById(fields.get('token') ?? '');
        // Users can only end their own tokens, whatever the form says.
        const isOwn = token?.user === user.id && isAlive(token, Date.now());
        if (token && isOwn && (await accounts.revoke(token.id))) {
          const { app, record } = token;
          audit('access.revoked', {
            app,
            user: user.id,
            record,
            token_id: token.id,
            reason: `by ${user.id}`,
          });
        }
        return redirect(`${here}?done=token`, 303);
      }),
    },
  };
}
