import type { Flow } from '../../oauth/flow/flow.js';
import type { People } from '../../records/people.js';
import type { Site } from '../app-parts.js';
import type { Route } from '../request-context.js';
import { accountPages, startPage } from './account.js';
import { authorizePages } from './authorize.js';
import { LAUNCH } from './destination.js';
import { launchPage } from './launch.js';
import { pageRoutes } from './page-request.js';
import { signIn, signOut } from './sign-in.js';

/** The pages for people. None of their paths is a call's. */
export function allPageRoutes(site: Site, flow: Flow, people: People): readonly Route[] {
  return [
    ...pageRoutes('/', startPage(site, flow)),
    ...pageRoutes('/login', signIn(site, flow)),
    ...pageRoutes('/logout', signOut(site, flow)),
    ...pageRoutes('/oauth/authorize', authorizePages(site, flow, people)),
    ...pageRoutes('/account/apps', accountPages(site, flow)),
    ...pageRoutes(LAUNCH.text, launchPage(site, flow, people)),
  ];
}
