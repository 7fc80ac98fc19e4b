import type { AnalystToken } from '../../accounts/analyst-tokens.js';
import { isAlive } from '../../accounts/tokens.js';
import type { User } from '../../accounts/users.js';
import type { Flow } from '../../oauth/flow/flow.js';
import { queryTokensPage, type QueryTokens } from '../../pages/query-tokens-page.js';
import { dayOf } from '../../records/shown/readable.js';
import type { Answer, PlainAnswer } from '../answer.js';
import type { Site } from '../app-parts.js';
import { readFields, readPageForm, type Fields } from './form.js';
import { pageAnswer, redirect, type PageOptions } from './page-answer.js';
import type { PageMethods, PageRequest } from './page-request.js';
import { refusalAnswer } from './refusals.js';
import { signInFirst } from './sign-in-first.js';
import { provePassword } from './sign-in-try.js';
import type { Visitor } from './visitor.js';

/** How long a token may live that nobody but its owner decided about, in days. */
const MOST_DAYS = 90;
const MOST_PURPOSE = 500;
/** Tokens that somebody may have at a time. */
const MOST_TOKENS = 50;
const DAY = 24 * 60 * 60 * 1000;

/**
 * `/account/query-tokens`: analysts make bearer tokens for their tools (RFC 6750), of the de-identified level alone, and
 * end them. It asks for the password again, since a token outlives the session.
 * @param base the base URL
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
    const shown = { tokens, mostDays: MOST_DAYS, endpoint: `${base}/sparql`, ...more };
    return pageAnswer(page, queryTokensPage(page, shown), options);
  };

  /** Answers analysts who are signed in; others are led to the sign-in, or told that it is not for them. */
  const forAnalysts = (
    { visitor, route }: PageRequest,
    answer: (user: User) => Promise<Answer> | Answer,
  ): Promise<Answer> | Answer => {
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
          // Nobody ends what is not theirs, whatever the form says.
          const token = tokensOf(user).find(({ id }) => id === fields.get('token'));
          if (token && (await accounts.revokeAnalystToken(token.id)))
            audit('query-token.ended', { user: user.id, token_id: token.id });
          return redirect(`${here}?ended=1`, 303);
        });
      },
    },
  };
}

/** What is wrong with what somebody wants who has so many tokens. */
function readWish(
  { purpose, days }: { readonly purpose: string; readonly days: string },
  has: number,
): (PageOptions & { readonly problem: string }) | undefined {
  if (purpose === '' || purpose.length > MOST_PURPOSE)
    return { status: 400, problem: `Say in 1 to ${MOST_PURPOSE} characters what the token is for.` };
  if (!/^[1-9]\d?$/.test(days) || Number(days) > MOST_DAYS)
    return { status: 400, problem: `A token lives 1 to ${MOST_DAYS} days.` };
  if (has >= MOST_TOKENS) return { status: 400, problem: `You have ${has} tokens: end one of them first.` };
  return undefined;
}
