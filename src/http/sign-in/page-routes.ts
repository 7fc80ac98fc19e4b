import type { Flow } from '../../access/oauth/flow.js';
import { flowOf, type Route } from '../request-context.js';
import { pageRoutes, type PageGuard, type PageHandler, type PageMethods } from './page-request.js';

/** Makes the handlers of a page; their decisions are audited by this flow. */
export type Page = (flow: Flow) => PageMethods;

/** Makes the routes of pages that make decisions. @param guard wraps every handler */
export function flowRoutes(
  flow: Flow,
  pages: Readonly<Record<string, Page>>,
  guard: PageGuard,
): readonly Route[] {
  return Object.entries(pages).flatMap(([path, page]) => pageRoutes(path, requested(flow, page), guard));
}

/** Makes the handlers anew for each request, so that decisions are recorded with its origin. */
function requested(flow: Flow, page: Page): PageMethods {
  const handlerOf =
    (method: 'GET' | 'POST'): PageHandler =>
    (request) => {
      const handler = page(flowOf(flow, request.context))[method];
      if (!handler) throw new Error(`a page has no ${method}`);
      return handler(request);
    };
  const { bodyLimit, ...handlers } = page(flow);
  const methods = (['GET', 'POST'] as const).filter((method) => method in handlers);
  const made = Object.fromEntries(methods.map((method) => [method, handlerOf(method)]));
  return bodyLimit === undefined ? made : { ...made, bodyLimit };
}
