import { AccountError } from '../../accounts/account-error.js';
import { PasswordChanged } from '../../accounts/password-mark.js';
import { isAlive, type AccessToken } from '../../accounts/tokens.js';
import type { Flow } from '../../oauth/flow/flow.js';
import { securityPage, type Security, type ShownToken } from '../../pages/security-page.js';
import { storedManifest } from '../../records/app-manifests.js';
import { recordHolder } from '../../records/people.js';
import { dayOf, readableDate } from '../../records/shown/readable.js';
import type { PlainAnswer } from '../answer.js';
import type { Site } from '../app-parts.js';
import { readFields, type Fields } from './form.js';
import { pageAnswer, redirect, type PageOptions } from './page-answer.js';
import type { PageMethods, PageRequest } from './page-request.js';
import { setId } from './session-cookie.js';
import { signedInForm, signInFirst } from './sign-in-first.js';
import { provePassword } from './sign-in-try.js';
import type { Visitor } from './visitor.js';

/** What was just done, by the value of `done` in the address. */
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

/** How many tokens the page shows, the latest; the command line lists them all. */
const MOST_TOKENS = 200;

/** `/account/security`, and what its forms are sent to. */
export function securityPages(
  site: Site,
  flow: Flow,
): Readonly<Record<'overview' | 'password' | 'sessions' | 'tokens', PageMethods>> {
  const { accounts, grants, audit } = flow;
  const here = `${site.basePath}/account/security`;

  const shownToken = async ({ id, app, record, issued, expires }: AccessToken): Promise<ShownToken> => {
    const holder = record === undefined ? undefined : await recordHolder(flow.store, record);
    return {
      id,
      app: (await storedManifest(flow.store, app))?.name ?? app,
      record:
        record === undefined
          ? 'no record'
          : holder?.name
            ? `${holder.name}, record ${record}`
            : `record ${record}`,
      since: minute(issued),
      until: dayOf(expires),
    };
  };

  const overview = async (
    { page, sessionId }: Visitor,
    user: string,
    more: Pick<Security, 'done' | 'problem'>,
    options?: PageOptions,
  ): Promise<PlainAnswer> => {
    const now = Date.now();
    const alive = (await accounts.tokensOf(user)).filter((token) => isAlive(token, now));
    const security: Security = {
      secondFactor: {
        isSet: grants.secondFactors.has(user),
        recoveryCodes: grants.secondFactors.recoveryCodesLeft(user),
      },
      sessions: grants
        .listSessions(user, sessionId)
        .map((session) => ({ ...session, since: minute(session.since), used: minute(session.used) })),
      tokens: await Promise.all(alive.slice(-MOST_TOKENS).reverse().map(shownToken)),
      ...more,
    };
    return pageAnswer(page, securityPage(page, security), options);
  };

  /** @returns passwordMark of the new password, or what is wrong with the form, and with which status */
  const changePassword = async (
    request: PageRequest,
    user: string,
    fields: Fields,
  ): Promise<string | (PageOptions & { readonly problem: string })> => {
    const password = fields.get('password') ?? '';
    if (password !== fields.get('again'))
      return { status: 400, problem: 'The new passwords differ. Type both again.' };
    // Somebody else may change it while this one is checked.
    const replaces = grants.passwordMark(user);
    const refused = await provePassword(site, flow, request, user, fields.get('current') ?? '');
    if (refused) return refused;
    try {
      const revokeTokens = fields.get('end_apps') === '1';
      const mark = await accounts.setPassword(user, password, { revokeTokens, replaces });
      audit('password.changed', { user });
      return mark;
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
      return { status: 400, problem: error.message };
    }
  };

  return {
    overview: {
      GET: ({ visitor, target }) => {
        if (!visitor.user) return signInFirst(site, here);
        const done = sentences.get(readFields(target.query).get('done') ?? '');
        return overview(visitor, visitor.user.id, { done });
      },
    },
    password: {
      POST: signedInForm(site, here, async (request, user, fields) => {
        const { visitor, context } = request;
        const changed = await changePassword(request, user.id, fields);
        if (typeof changed !== 'string')
          return overview(visitor, user.id, { problem: changed.problem }, changed);
        try {
          // The new password ended every session, this one too.
          setId(context, site, 'session', await grants.signIn(visitor.sessionId, user.id, changed));
        } catch (error) {
          // Somebody changed it once more: only who knows that one comes in.
          if (!(error instanceof PasswordChanged)) throw error;
          audit('sign-in.refused', { user: user.id, reason: 'password changed' });
          return signInFirst(site, here, 303);
        }
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
        // Nobody ends what is not theirs, whatever the form says.
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

/** A time to the minute. */
const minute = (time: number): string => readableDate(`${new Date(time).toISOString().slice(0, 16)}Z`);
