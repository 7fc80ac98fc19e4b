import type { Context } from 'koa';
import { secondFactorDemanded } from '../../accounts/second-factor.js';
import type { User } from '../../accounts/users.js';
import type { Flow } from '../../oauth/flow/flow.js';
import type { PageContext } from '../../pages/layout.js';
import { userName } from '../../records/people.js';
import type { Site } from '../app-parts.js';
import { sentId, setId } from './session-cookie.js';

/** A browser that visits a page, with whoever is signed in. */
export interface Visitor {
  readonly sessionId: string;
  readonly browserBinding: string;
  readonly user: User | undefined;
  /** Whether their role demands a second factor that they have not set up yet. */
  readonly mustEnrol: boolean;
  readonly page: PageContext;
}

/** Finds out who visits; a browser without a session gets an id, which stands for nobody until sign-in. */
export function visitors(
  site: Site,
  { grants, accounts, store, secondFactorRoles }: Flow,
): (context: Context) => Promise<Visitor> {
  return async (context) => {
    const sent = sentId(context, site, 'session');
    const sessionId = sent ?? grants.newId();
    if (sent === undefined) setId(context, site, 'session', sessionId);
    const session = grants.session(sessionId);
    const user = session && accounts.user(session.user);
    if (user) await grants.touch(sessionId);
    return {
      sessionId,
      browserBinding: grants.browserBinding(sessionId),
      user,
      mustEnrol:
        user !== undefined &&
        secondFactorDemanded(user, secondFactorRoles) &&
        !grants.secondFactors.has(user.id),
      page: {
        container: site.name,
        basePath: site.basePath,
        csrf: grants.csrfToken(sessionId),
        ...(user && {
          reader: {
            id: user.id,
            name: await userName(store, user.id),
            hasWorkbench: user.role === 'analyst' && site.hasAnalysts,
          },
        }),
      },
    };
  };
}
