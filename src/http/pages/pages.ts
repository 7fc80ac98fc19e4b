import type { Flow } from '../../oauth/flow/flow.js';
import type { Site } from '../app-parts.js';
import { flowOf } from '../flow-of.js';
import type { Route } from '../request-context.js';
import { accountPage, accountPages, startPage } from './account.js';
import { authorizePages } from './authorize-page.js';
import { LAUNCH } from './destination.js';
import { launchPage } from './launch.js';
import { pageRoutes, type PageGuard, type PageHandler, type PageMethods } from './page-request.js';
import { queryTokenPages } from './query-tokens.js';
import { recordPages } from './record/record-pages.js';
import type { RecordParts } from './record/record-reads.js';
import { securityPages } from './security-account.js';
import { secondFactorPages } from './second-factor-steps.js';
import { signIn, signOut } from './sign-in.js';
import { enrolmentFirst } from './sign-in-first.js';

/** Makes the handlers of a page, which record what they decide by the flow that they are given. */
type Page = (flow: Flow) => PageMethods;

/** The pages for people. None of their paths is a call's. */
export function allPageRoutes(site: Site, flow: Flow, records: RecordParts): readonly Route[] {
  /** Pages that are there before a second factor is set up that somebody must have. */
  const always: Readonly<Record<string, Page>> = {
    '/login': (own) => signIn(site, own).password,
    '/login/code': (own) => signIn(site, own).code,
    '/logout': (own) => signOut(site, own),
    '/account/security/second-factor': (own) => secondFactorPages(site, own),
  };
  const afterwards: Readonly<Record<string, Page>> = {
    '/': (own) => startPage(site, own),
    '/oauth/authorize': (own) => authorizePages(site, own, records),
    '/account': (own) => accountPage(site, own, records),
    '/account/apps': (own) => accountPages(site, own),
    '/account/security': (own) => securityPages(site, own).overview,
    '/account/security/password': (own) => securityPages(site, own).password,
    '/account/security/sessions': (own) => securityPages(site, own).sessions,
    '/account/security/tokens': (own) => securityPages(site, own).tokens,
    [LAUNCH.text]: (own) => launchPage(site, own, records),
  };
  /** Tokens that no query could be asked with are not made. */
  const ofAnalysts: Readonly<Record<string, Page>> = {
    '/account/query-tokens': (own) => queryTokenPages(site, records.base, own).overview,
    '/account/query-tokens/end': (own) => queryTokenPages(site, records.base, own).end,
  };
  const routes = (pages: Readonly<Record<string, Page>>, guard: PageGuard): readonly Route[] =>
    Object.entries(pages).flatMap(([path, page]) => pageRoutes(path, requested(flow, page), guard));
  const ofRecords = Object.entries(recordPages(site, flow, records));
  return [
    ...routes(always, (handler) => handler),
    ...routes({ ...afterwards, ...(site.hasAnalysts ? ofAnalysts : {}) }, enrolmentFirst(site)),
    ...ofRecords.flatMap(([path, methods]) => pageRoutes(path, methods, enrolmentFirst(site))),
  ];
}

/** A page whose handlers are made for each request, so that decisions are recorded with where it came from. */
function requested(flow: Flow, page: Page): PageMethods {
  const handlerOf =
    (method: 'GET' | 'POST'): PageHandler =>
    (request) => {
      const handler = page(flowOf(flow, request.context))[method];
      if (!handler) throw new Error(`a page has no ${method}`);
      return handler(request);
    };
  const methods = (['GET', 'POST'] as const).filter((method) => method in page(flow));
  return Object.fromEntries(methods.map((method) => [method, handlerOf(method)]));
}
