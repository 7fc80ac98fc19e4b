import { timingSafeEqual } from 'node:crypto';
import type { Answer, PlainAnswer } from '../answer.js';
import type { Handler, RequestContext, Route } from '../request-context.js';
import type { Visitor } from './visitor.js';
import { isRecordId } from '../../access/accounts/account-ids.js';
import { readForm } from '../../access/oauth/percent.js';
import { Problem } from '../../model/problem.js';
import { isForm } from '../admission/bodies.js';
import type { User } from '../../access/accounts/users.js';
import { withParameters } from '../../access/oauth/flow.js';
import type { Site } from '../app-parts.js';
import { LONGEST_RETURN } from './destination.js';
import { redirect } from './page-answer.js';

/** Our forms only hold names and choices; larger bodies are refused. */
const FORM_LIMIT = 16 * 1024;

export interface PageRequest extends RequestContext {
  readonly visitor: Visitor;
}

export type PageHandler = (request: PageRequest) => Promise<Answer> | Answer;

export type PageMethods = Readonly<Partial<Record<'GET' | 'POST', PageHandler>>> & {
  readonly bodyLimit?: number;
};

/** Returns the path of the page that shows the resource at a call's path. */
export const pagePath = (path: string): string => `/account${path}`;

export type PageGuard = (handler: PageHandler) => PageHandler;

/** Makes the routes of a page for people, who are identified by browser session. @param guard wraps every handler */
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
  return (request) => handler(request as PageRequest);
}

export type Fields = ReadonlyMap<string, string>;

/** Reads a form of our own pages. @throws Problem malformed-request, or forbidden for a form from elsewhere */
export function readPageForm({ context, body, visitor }: PageRequest): Fields {
  if (!isForm(context.req.headers['content-type']) || body === 'too-large') {
    throw new Problem('malformed-request', 'This address takes a form.', {
      headers: { Connection: 'close' },
    });
  }
  const fields = readFields(Buffer.from(body).toString('utf8'));
  // Fetch Metadata: browsers state the origin of the form.
  const site = context.req.headers['sec-fetch-site'] ?? 'same-origin';
  if (site !== 'same-origin' || !isSame(fields.get('csrf') ?? '', visitor.page.csrf)) {
    throw new Problem(
      'forbidden',
      'The form was not sent from its page, or the page is too old. Go back, load it again and repeat.',
    );
  }
  return fields;
}

/** Reads the fields of a raw query or form. @throws Problem malformed-request for a repeated name */
export function readFields(raw: string): Fields {
  let pairs: ReturnType<typeof readForm>;
  try {
    pairs = readForm(raw);
  } catch {
    throw new Problem('malformed-request', 'The address or form has a broken percent-encoding.');
  }
  const fields = new Map(pairs);
  if (fields.size < pairs.length) throw new Problem('malformed-request', 'A field of the form occurs twice.');
  return fields;
}

/**
 * Returns the record named in an address or form. It goes into paths and queries, so only an id is accepted.
 * @param audit records the refusal, without the value
 * @throws Problem invalid-parameter
 */
export function namedRecord(fields: Fields, audit: (reason: string) => void): string | undefined {
  const record = fields.get('record_id') ?? '';
  if (record === '') return undefined;
  if (isRecordId(record)) return record;
  audit('record id');
  throw new Problem('invalid-parameter', 'What the address names as record_id cannot be the id of a record.');
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

/** A path that is too long is left out: cut, it would ask for something else. */
const comingBack = (path: string, here: string): string =>
  here.length > LONGEST_RETURN ? path : withParameters(path, { return_url: here });

/** Redirects a browser to sign in and come back. @param here a path of this container */
export function signInFirst(
  { basePath }: Pick<Site, 'basePath'>,
  here: string,
  status: 302 | 303 = 302,
): PlainAnswer {
  return redirect(comingBack(`${basePath}/login`, here), status);
}

/** Handles a form of a signed-in user. @param here the form's page */
export function signedInForm(
  site: Site,
  here: string,
  handler: (request: PageRequest, user: User, fields: Fields) => Promise<Answer> | Answer,
): PageHandler {
  return (request) => {
    const fields = readPageForm(request);
    const { user } = request.visitor;
    return user ? handler(request, user, fields) : signInFirst(site, here, 303);
  };
}

const firstAt =
  (path: string, isDue: (visitor: Visitor) => boolean): PageGuard =>
  (handler) =>
  (request) => {
    const { visitor, target, route } = request;
    if (!isDue(visitor)) return handler(request);
    return route.method === 'GET' ? redirect(comingBack(path, target.raw)) : redirect(path, 303);
  };

/** Redirects users who must change a password that somebody else set. */
export const newPasswordFirst = ({ basePath }: Site): PageGuard =>
  firstAt(`${basePath}/account/security/new-password`, ({ mustChangePassword }) => mustChangePassword);

/** Redirects users who must change their password or set up a second factor, before any other page. */
export function enrolmentFirst(site: Site): PageGuard {
  const path = `${site.basePath}/account/security/second-factor`;
  const enrolment = firstAt(path, ({ mustEnrol }) => mustEnrol);
  return (handler) => newPasswordFirst(site)(enrolment(handler));
}
