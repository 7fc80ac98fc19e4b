import type { Context } from 'koa';
import type { User } from '../../access/accounts/users.js';
import type { Flow } from '../../access/oauth/flow.js';
import type { PageContext } from '../html/layout.js';
import { userName } from '../../records/people.js';
import type { GraphStore } from '../../store/graph-store.js';
import type { Site } from '../app-parts.js';
import { readCookie, setCookie } from './session-cookie.js';

export interface Visitor {
  readonly sessionId: string;
  readonly browserBinding: string;
  readonly user: User | undefined;
  /** The user's role requires a second factor that they have not set up. */
  readonly mustEnrol: boolean;
  readonly page: PageContext;
}

/** Makes the search for the visitor. A browser without a session gets an id that nobody owns yet. */
export function visitors(
  site: Site,
  { grants, accounts, settings }: Flow,
  store: GraphStore,
): (context: Context) => Promise<Visitor> {
  return async (context) => {
    const sent = readCookie(context, site, 'session');
    const sessionId = sent ?? grants.newId();
    if (sent === undefined) setCookie(context, site, 'session', sessionId);
    const session = grants.session(sessionId);
    const user = session && accounts.user(session.user);
    if (user) await grants.touch(sessionId);
    return {
      sessionId,
      browserBinding: grants.browserBinding(sessionId),
      user,
      mustEnrol:
        user !== undefined &&
        settings.secondFactorRoles.includes(user.role) &&
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
