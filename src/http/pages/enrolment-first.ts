import { withParameters } from '../../oauth/flow/callback.js';
import type { Site } from '../app-parts.js';
import { redirect } from './page-answer.js';
import type { PageGuard } from './page-request.js';

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
