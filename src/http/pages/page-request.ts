import type { Answer } from '../answer.js';
import type { Handler, RequestContext, Route } from '../request-context.js';
import type { Visitor } from './visitor.js';

/** A form of one of our pages holds names and choices; more than this many bytes are none. */
const FORM_LIMIT = 16 * 1024;

/** A request for a page, with whoever visits it. */
export interface PageRequest extends RequestContext {
  readonly visitor: Visitor;
}

/** Makes the answer of a page. */
export type PageHandler = (request: PageRequest) => Promise<Answer> | Answer;

/** What answers the methods of a page. */
export type PageMethods = Readonly<Partial<Record<'GET' | 'POST', PageHandler>>> & {
  /** The largest form that it takes, in bytes, where it holds more than names and choices. */
  readonly bodyLimit?: number;
};

/** What holds for the handlers of a page beside what they do themselves. */
export type PageGuard = (handler: PageHandler) => PageHandler;

/**
 * The routes of a page for people: they know their visitor by the session of the browser.
 * @param guard what every handler of the page stands behind
 */
export function pageRoutes(path: string, methods: PageMethods, guard: PageGuard): readonly Route[] {
  return (['GET', 'POST'] as const).flatMap((method) => {
    const handler = methods[method];
    if (!handler) return [];
    return [
      {
        method,
        path,
        credentials: 'session' as const,
        access: 'anybody' as const,
        bodyLimit: methods.bodyLimit ?? FORM_LIMIT,
        handler: forPages(guard(handler)),
      },
    ];
  });
}

function forPages(handler: PageHandler): Handler {
  // The step before has found the visitor of every route with these credentials.
  return (request) => handler(request as PageRequest);
}
