import type { AnalystToken } from '../../access/accounts/analyst-tokens.js';
import { isAlive } from '../../access/accounts/tokens.js';
import type { User } from '../../access/accounts/users.js';
import type { Flow } from '../../access/oauth/flow.js';
import { queryTokensPage, type QueryTokens } from './query-tokens-page.js';
import { dayOf } from '../../http/html/readable.js';
import type { Answer, PlainAnswer } from '../../http/answer.js';
import type { Site } from '../../http/app-parts.js';
import { readFields, readPageForm, type Fields } from '../../http/sign-in/page-request.js';
import { pageAnswer, redirect, type PageOptions } from '../../http/sign-in/page-answer.js';
import type { PageMethods, PageRequest } from '../../http/sign-in/page-request.js';
import { refusalAnswer } from '../../http/sign-in/refusals.js';
import { signInFirst } from '../../http/sign-in/page-request.js';
import { provePassword } from '../../http/sign-in/sign-in.js';
import type { Visitor } from '../../http/sign-in/visitor.js';

const MAX_DAYS = 90;
const MAX_PURPOSE = 500;
const MAX_TOKENS = 50;
const DAY = 24 * 60 * 60 * 1000;

/**
 * `/account/query-tokens`: analysts make and end bearer tokens for their tools (RFC 6750), for the de-identified level
 * only. Making one needs the password, since a token outlives the session. @param base the base URL
 */
export function queryTokenPages(
  site: Site,
  base: string,
  flow: Flow,
): Readonly<Record<'overview' | 'end', PageMethods>> {
  const { accounts, audit } = flow;
  const here = `${site.basePath}/account/query-tokens`;

  const tokensOf = ({ id: owner }: User): AnalystToken[] => {
    const now = Date.now();
    return accounts.listAnalystTokens().filter((token) => token.user === owner && isAlive(token, now));
  };

  const overview = ({ page }: Visitor, user: User, more: Partial<QueryTokens>, options?: PageOptions) => {
    const tokens = tokensOf(user)
      .reverse()
      .map((token) => ({ ...token, since: dayOf(token.issued), until: dayOf(token.expires) }));
    const shown = { tokens, mostDays: MAX_DAYS, endpoint: `${base}/sparql`, ...more };
    return pageAnswer(page, queryTokensPage(page, shown), options);
  };

  const forAnalysts = ({ visitor, route }: PageRequest, answer: (user: User) => Promise<Answer> | Answer) => {
    const { user } = visitor;
    if (!user) return signInFirst(site, here, route.method === 'GET' ? 302 : 303);
    return user.role === 'analyst' ? answer(user) : refusalAnswer(visitor, 'noQueryTokens');
  };

  const make = async (request: PageRequest, user: User, fields: Fields): Promise<PlainAnswer> => {
    const { visitor } = request;
    const typed = { purpose: (fields.get('purpose') ?? '').trim(), days: fields.get('days') ?? '' };
    const refused =
      readWish(typed, tokensOf(user).length) ??
      (await provePassword(site, flow, request, user.id, fields.get('current') ?? ''));
    if (refused) return overview(visitor, user, { problem: refused.problem, typed }, refused);
    const { id, token } = await accounts.issueAnalystToken({
      user: user.id,
      purpose: typed.purpose,
      isIdentified: false,
      lifetime: Number(typed.days) * DAY,
    });
    audit('query-token.issued', { user: user.id, token_id: id });
    return overview(visitor, user, { made: token });
  };

  return {
    overview: {
      GET: (request) =>
        forAnalysts(request, (user) => {
          const ended = readFields(request.target.query).get('ended') === '1';
          return overview(request.visitor, user, { ended });
        }),
      POST: (request) => {
        const fields = readPageForm(request);
        return forAnalysts(request, (user) => make(request, user, fields));
      },
    },
    end: {
      POST: (request) => {
        const fields = readPageForm(request);
        return forAnalysts(request, async (user) => {
          // Users can only end their own tokens, whatever the form says.
          const token = tokensOf(user).find(({ id }) => id === fields.get('token'));
          if (token && (await accounts.revokeAnalystToken(token.id)))
            audit('query-token.ended', { user: user.id, token_id: token.id });
          return redirect(`${here}?ended=1`, 303);
        });
      },
    },
  };
}

function readWish({ purpose, days }: { readonly purpose: string; readonly days: string }, has: number) {
  if (purpose === '' || purpose.length > MAX_PURPOSE)
    return { status: 400, problem: `Say in 1 to ${MAX_PURPOSE} characters what the token is for.` };
  if (!/^[1-9]\d?$/.test(days) || Number(days) > MAX_DAYS)
    return { status: 400, problem: `A token lives 1 to ${MAX_DAYS} days.` };
  if (has >= MAX_TOKENS) return { status: 400, problem: `You have ${has} tokens: end one of them first.` };
  return undefined;
}
