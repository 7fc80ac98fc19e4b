import type { Context } from 'koa';
import type { User } from '../../accounts/users.js';
import { document, type Page, type Surroundings } from '../../pages/layout.js';
import { styleSource } from '../../pages/style.js';
import { userName } from '../../records/people.js';
import type { ContainerContext } from '../container-context.js';
import type { Visit } from '../path-table.js';
import { documentHeaders } from './document-headers.js';
import { sentSessionId, setSessionId } from './session-cookie.js';

/** A browser that visits a page, with whoever is signed in. */
export interface Visitor {
  readonly sessionId: string;
  readonly browserBinding: string;
  readonly user: User | undefined;
  readonly around: Surroundings;
}

/** Finds out who visits; a browser without a session gets an id, which stands for nobody until sign-in. */
export async function visitorOf(container: ContainerContext, { context }: Visit): Promise<Visitor> {
  const { flow, basePath, name, store } = container;
  const { grants, accounts } = flow;
  const sent = sentSessionId(context, container);
  const sessionId = sent ?? grants.newId();
  if (sent === undefined) setSessionId(context, container, sessionId);
  const session = grants.session(sessionId);
  const user = session && accounts.user(session.user);
  if (user) await grants.touch(sessionId);
  return {
    sessionId,
    browserBinding: grants.browserBinding(sessionId),
    user,
    around: {
      container: name,
      basePath,
      csrf: grants.csrfToken(sessionId),
      ...(user ? { reader: { id: user.id, name: await userName(store, user.id) } } : {}),
    },
  };
}

/** Where the forms of a page may lead besides this container: origins or schemes. */
export type LeadsTo = readonly string[];

/**
 * Headers of every page: nothing but our own style is loaded, nobody frames it, nothing is kept.
 * Chromium holds redirects after a form to `form-action` too, so a form that leads to an app names its origin.
 */
function pageHeaders(context: Context, leadsTo: LeadsTo = []): void {
  context.set({
    ...documentHeaders(styleSource, ["'self'", ...leadsTo]),
    'Cache-Control': 'no-store',
  });
}

/** Answers with a page. */
export function showPage(
  context: Context,
  { around }: Visitor,
  page: Page,
  status = 200,
  leadsTo: LeadsTo = [],
): void {
  pageHeaders(context, leadsTo);
  context.status = status;
  context.set('Content-Type', 'text/html; charset=utf-8');
  context.body = document(around, page);
}

/** Sends the browser on. Koa's own redirect would put the address into a body. */
export function sendTo(context: Context, address: string, status = 302): void {
  pageHeaders(context);
  context.status = status;
  context.set('Location', address);
  context.body = '';
}
