import type { Context } from 'koa';
import type { Logger } from 'pino';
import { AccessLogError } from '../access/log/access-entry.js';
import { PathTemplate } from '../model/ontology/path-template.js';
import { messagePage, type PageContext, type Message } from './html/layout.js';
import { Problem, type ProblemKind } from '../model/problem.js';
import { isRecordId } from '../records/identifiers.js';
import type { PlainAnswer } from './answer.js';
import { pageAnswer } from './sign-in/page-answer.js';
import { pagePath, signInFirst } from './sign-in/page-request.js';
import { traceOf } from './request-context.js';
import { isBrowser } from './respond/negotiate.js';
import { respondPlainly } from './respond/respond.js';
import { targetOf } from './target.js';

const MEDIA_TYPE = 'application/problem+json';

/** What pages say otherwise than documents for programs. */
const FOR_PEOPLE: Partial<Record<ProblemKind, { readonly title: string; readonly message?: string }>> = {
  'no-such-call': {
    title: 'There is no such page',
    message: 'There is nothing at this address: check the spelling, or start from the home page.',
  },
  'not-found': { title: 'Not found' },
  forbidden: { title: 'Your account does not open this' },
};

const ABANDONED = [
  'ETag',
  'Link',
  'Vary',
  'Server-Timing',
  'Content-Encoding',
  'Content-Location',
  'Location',
  'Memento-Datetime',
];

/**
 * The only place where an error becomes a response: `application/problem+json` (RFC 9457) for programs, a page for
 * people. An error that is not a Problem is logged by name and stack; the caller learns nothing of it.
 * @param page for visitors who are not signed in
 * @param pages the paths of the pages for people
 * @param signedIn finds the frame of pages for who is signed in, where no route did
 * @param otherForm writes what is neither
 * @returns a function that rethrows the error if the answer was already being sent
 */
export function problemDocuments(
  log: Logger,
  page: PageContext,
  pages: readonly string[] = [],
  signedIn: (context: Context) => Promise<PageContext | undefined> = () => Promise.resolve(undefined),
  otherForm: (context: Context, problem: Problem) => PlainAnswer | undefined = () => undefined,
): (context: Context, error: unknown) => Promise<void> {
  const shapes = new Set(pages.map((path) => PathTemplate.of(path).shape));
  return async (context, error) => {
    const problem = toProblem(error, log);
    if (context.headerSent) throw error;
    for (const name of ABANDONED) context.remove(name);
    const other = otherForm(context, problem);
    if (other)
      return respondPlainly(context, { ...other, headers: { ...problem.headers, ...other.headers } });
    if (asksToSignIn(context, problem))
      return respondPlainly(context, signInFirst(page, targetOf(context, page.basePath).raw));
    const { visitor, analyst } = traceOf(context);
    const answer = isForPeople(context)
      ? problemPage(
          problem,
          visitor?.page ??
            analyst?.page ??
            (problem.status === 404 ? await signedIn(context) : undefined) ??
            page,
          pageInstead(context, problem, page, shapes),
        )
      : document(context, problem);
    respondPlainly(context, { ...answer, headers: { ...answer.headers, ...problem.headers } });
  };
}

/** Pages are for people. On other routes, browsers are recognised because they prefer HTML. */
function isForPeople(context: Context): boolean {
  return traceOf(context).route?.credentials === 'session' || isBrowser(context);
}

function asksToSignIn(context: Context, { status }: Problem): boolean {
  const isAsked = context.method === 'GET' && context.get('Authorization') === '';
  return status === 401 && isAsked && traceOf(context).route?.credentials === 'analyst' && isBrowser(context);
}

function problemPage(problem: Problem, page: PageContext, next: Message['next']): PlainAnswer {
  const { title, message } = { title: problem.title, message: problem.message, ...FOR_PEOPLE[problem.kind] };
  return pageAnswer(page, messagePage(page, { title, sentences: [message], next }), {
    status: problem.status,
  });
}

/** Links from an address for apps to the page for people: of the same resource, else of the record. */
function pageInstead(
  context: Context,
  { status }: Problem,
  { basePath }: PageContext,
  shapes: ReadonlySet<string>,
): Message['next'] {
  const { route, parameters } = traceOf(context);
  const record = parameters?.['record_id'] ?? '';
  if (status !== 401 || !route?.call || !isRecordId(record)) return undefined;
  const isShown = shapes.has(pagePath(PathTemplate.of(route.path).shape));
  const path = (isShown ? targetOf(context, basePath).path : undefined) ?? `/records/${record}`;
  return { href: basePath + pagePath(path), text: 'See this record as a page' };
}

function document(context: Context, problem: Problem): PlainAnswer {
  const call = traceOf(context).route?.call;
  return {
    kind: 'plain',
    status: problem.status,
    // No charset parameter: JSON is UTF-8 by definition (RFC 8259 §8.1).
    mediaType: MEDIA_TYPE,
    body: JSON.stringify({
      type: problem.type,
      title: problem.title,
      status: problem.status,
      detail: problem.message,
      ...(call ? { call: call.iri } : {}),
      ...problem.extra,
    }),
  };
}

function toProblem(error: unknown, log: Logger): Problem {
  if (error instanceof AccessLogError) return notRecorded(error, log);
  if (!(error instanceof Problem)) return unexpected(error, log);
  if (error.status >= 500) log[error.isExpected ? 'info' : 'error']({ err: error.kind }, error.message);
  return error;
}

function notRecorded({ message, cause }: AccessLogError, log: Logger): Problem {
  log.error({ error: 'AccessLogError' }, message);
  return new Problem('unavailable', 'The access cannot be recorded, so it is not answered; try again.', {
    retryAfter: 10,
    cause,
  });
}

function unexpected(error: unknown, log: Logger): Problem {
  const { name, stack } = error instanceof Error ? error : { name: typeof error, stack: undefined };
  // Stack frames locate the error; its message may quote data, so it is not logged.
  const frames = stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
  log.error({ error: name, stack: frames }, 'unexpected error');
  return new Problem('internal-error', 'The container failed to answer; its log tells the operator why.');
}
