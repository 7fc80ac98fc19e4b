import type { Context } from 'koa';
import type { SignOn } from '../../access/accounts/sessions.js';
import type { User } from '../../access/accounts/users.js';
import type { Flow } from '../../access/oauth/flow.js';
import type { PageContext } from '../html/layout.js';
import { userName } from '../../records/people.js';
import type { GraphStore } from '../../store/graph-store.js';
import type { Site } from '../app-parts.js';
import { readCookie, setCookie } from './session-cookie.js';

/** Milliseconds after which somebody who signed in at an identity provider must do so again to change how they sign in. */
const FRESH = 5 * 60 * 1000;

export const isFresh = ({ proved }: SignOn): boolean => Date.now() - proved < FRESH;

export interface Visitor {
  readonly sessionId: string;
  readonly browserBinding: string;
  readonly user: User | undefined;
  /** What an identity provider said when it signed the user in. */
  readonly signOn: SignOn | undefined;
  /** When the user last proved who they are, in milliseconds since 1970; 0 if nobody says. */
  readonly proved: number;
  /** The user's role requires a second factor that they have not set up. */
  readonly mustEnrol: boolean;
  /** Somebody else set the password that the user signed in with. */
  readonly mustChangePassword: boolean;
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
    // Not for a form: one of another site comes without the cookie, and would sign its reader out.
    if (sent === undefined && context.method !== 'POST') setCookie(context, site, 'session', sessionId);
    const session = grants.session(sessionId);
    const signOn = session?.signOn;
    const known = session && accounts.user(session.user);
    const lacksFactor =
      known !== undefined &&
      settings.secondFactorRoles.includes(known.role) &&
      !grants.secondFactors.has(known.id) &&
      signOn?.hasSecondFactor !== true;
    // Settings may have changed since. Who came from an identity provider proves a second factor there.
    const mayStay = signOn ? settings.signOn?.issuer === signOn.issuer && !lacksFactor : settings.passwords;
    const user = mayStay ? known : undefined;
    if (user) await grants.touch(sessionId);
    return {
      sessionId,
      browserBinding: grants.browserBinding(sessionId),
      user,
      signOn: user && signOn,
      proved: (signOn ? signOn.proved : session?.since) ?? 0,
      mustEnrol: user !== undefined && lacksFactor,
      mustChangePassword: user !== undefined && !signOn && accounts.mustChangePassword(user.id),
      page: {
        container: site.name,
        basePath: site.basePath,
        csrf: grants.csrfToken(sessionId),
        ...(user && {
          reader: {
            id: user.id,
            role: user.role,
            signOn: signOn && { isFresh: isFresh(signOn) },
            name: await userName(store, user.id),
            hasWorkbench: user.role === 'analyst' && site.hasAnalysts,
          },
        }),
      },
    };
  };
}
