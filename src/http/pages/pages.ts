import type { Flow } from '../../oauth/flow/flow.js';
import type { People } from '../../records/people.js';
import type { Site } from '../app-parts.js';
import type { Route } from '../request-context.js';
import { accountPages, startPage } from './account.js';
import { authorizePages } from './authorize-page.js';
import { LAUNCH } from './destination.js';
import { enrolmentFirst } from './enrolment-first.js';
import { launchPage } from './launch.js';
import { pageRoutes, type PageMethods } from './page-request.js';
import { securityPages } from './security-account.js';
import { secondFactorPages } from './second-factor-steps.js';
import { signIn, signOut } from './sign-in.js';

/** The pages for people. None of their paths is a call's. */
export function allPageRoutes(site: Site, flow: Flow, people: People): readonly Route[] {
  const signingIn = signIn(site, flow);
  const security = securityPages(site, flow);
  /** Pages that are there before a second factor is set up that somebody must have. */
  const always: Readonly<Record<string, PageMethods>> = {
    '/login': signingIn.password,
    '/login/code': signingIn.code,
    '/logout': signOut(site, flow),
    '/account/security/second-factor': secondFactorPages(site, flow),
  };
  const afterwards: Readonly<Record<string, PageMethods>> = {
    '/': startPage(site, flow),
    '/oauth/authorize': authorizePages(site, flow, people),
    '/account/apps': accountPages(site, flow),
    '/account/security': security.overview,
    '/account/security/password': security.password,
    '/account/security/sessions': security.sessions,
    [LAUNCH.text]: launchPage(site, flow, people),
  };
  return [
    ...Object.entries(always).flatMap(([path, methods]) => pageRoutes(path, methods, (handler) => handler)),
    ...Object.entries(afterwards).flatMap(([path, methods]) =>
      pageRoutes(path, methods, enrolmentFirst(site)),
    ),
  ];
}
