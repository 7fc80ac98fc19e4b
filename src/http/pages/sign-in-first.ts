import type { User } from '../../accounts/users.js';
import { withParameters } from '../../oauth/flow/callback.js';
import type { Answer, PlainAnswer } from '../answer.js';
import type { Site } from '../app-parts.js';
import { readPageForm, type Fields } from './form.js';
import { redirect } from './page-answer.js';
import type { PageGuard, PageHandler, PageRequest } from './page-request.js';

/** Sends a browser in which nobody is signed in to the sign-in page, and back afterwards. @param here path of this container */
export function signInFirst(
  { basePath }: Pick<Site, 'basePath'>,
  here: string,
  status: 302 | 303 = 302,
): PlainAnswer {
  return redirect(withParameters(`${basePath}/login`, { return_url: here.slice(0, 2000) }), status);
}

/** Takes a form of somebody who is signed in. @param here the page of the form */
export function signedInForm(
  site: Site,
  here: string,
  handler: (request: PageRequest, user: User, fields: Fields) => Promise<Answer> | Answer,
): PageHandler {
  return (request) => {
    const fields = readPageForm(request);
    const { user } = request.visitor;
    return user ? handler(request, user, fields) : signInFirst(site, here, 303);
  };
}

/** Leads whoever must have a second factor and has none to where it is set up, before they come to any other page. */
export function enrolmentFirst({ basePath }: Site): PageGuard {
  const there = `${basePath}/account/security/second-factor`;
  return (handler) => (request) => {
    const { visitor, target, route } = request;
    if (!visitor.mustEnrol) return handler(request);
    if (route.method !== 'GET') return redirect(there, 303);
    return redirect(withParameters(there, { return_url: target.raw.slice(0, 2000) }));
  };
}
