import type { Context } from 'koa';
import type { Logger } from 'pino';
import { AccessLogError } from '../access-log/access-log-error.js';
import { PathTemplate } from '../ontology/path-template.js';
import type { PageContext } from '../pages/layout.js';
import { messagePage, type Message } from '../pages/message-page.js';
import { Problem } from '../problem.js';
import { isRecordId } from '../records/identifiers.js';
import type { PlainAnswer } from './answer.js';
import { pageAnswer } from './pages/page-answer.js';
import { pagePath } from './pages/record/record-frame.js';
import { signInFirst } from './pages/sign-in-first.js';
import { traceOf } from './request-context.js';
import { isBrowser } from './respond/negotiate.js';
import { respondPlainly } from './respond/plain-answer.js';
import { targetOf } from './target.js';

const MEDIA_TYPE = 'application/problem+json';

/** What people are told of an address that leads nowhere: they know nothing of calls. */
const NO_SUCH_PAGE = {
  title: 'There is no such page',
  message: 'Nothing is at this address: look whether it is spelt right, or begin at the start page.',
};

/** Header fields of the answer that was not given. */
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
 * The one place where an error becomes a response: `application/problem+json` (RFC 9457) for programs, a page for
 * people. Everything that is not a Problem is a fault of ours: the caller learns nothing of it, the log its name and
 * stack.
 * @param page where a page stands whose visitor is not known
 * @param pages the paths of the pages for people
 * @returns what throws an error again whose answer has begun to go out
 */
export function problemDocuments(
  log: Logger,
  page: PageContext,
  pages: readonly string[] = [],
): (context: Context, error: unknown) => void {
  const shapes = new Set(pages.map((path) => PathTemplate.of(path).shape));
  return (context, error) => {
    const problem = toProblem(error, log);
    if (context.headerSent) throw error;
    for (const name of ABANDONED) context.remove(name);
    if (asksToSignIn(context, problem))
      return respondPlainly(context, signInFirst(page, targetOf(context, page.basePath).raw));
    const { visitor, analyst } = traceOf(context);
    const answer = isForPeople(context)
      ? problemPage(
          problem,
          visitor?.page ?? analyst?.page ?? page,
          pageInstead(context, problem, page, shapes),
        )
      : document(context, problem);
    respondPlainly(context, { ...answer, headers: { ...answer.headers, ...problem.headers } });
  };
}

/** Pages are for people, whatever they accept; everywhere else a browser shows itself by preferring HTML. */
function isForPeople(context: Context): boolean {
  return traceOf(context).route?.credentials === 'session' || isBrowser(context);
}

/** Whoever opens in a browser what a signed-in analyst may see, and is not signed in any more. */
function asksToSignIn(context: Context, { status }: Problem): boolean {
  const isAsked = context.method === 'GET' && context.get('Authorization') === '';
  return status === 401 && isAsked && traceOf(context).route?.credentials === 'analyst' && isBrowser(context);
}

function problemPage(problem: Problem, page: PageContext, next: Message['next']): PlainAnswer {
  const { title, message } = problem.kind === 'no-such-call' ? NO_SUCH_PAGE : problem;
  return pageAnswer(page, messagePage(page, { title, sentences: [message], next }), {
    status: problem.status,
  });
}

/**
 * The page that shows people what they opened by its address for apps, which is that of a record or of something in one;
 * where there is none, that of the record. It asks them to sign in, and decides what they see.
 */
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
    // No charset parameter: the media type is UTF-8 by definition (RFC 8259 §8.1).
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

/** What a caller may know of an error; what the operator should know of it goes to the log. */
function toProblem(error: unknown, log: Logger): Problem {
  if (error instanceof AccessLogError) return notRecorded(error, log);
  if (!(error instanceof Problem)) return unexpected(error, log);
  if (error.status >= 500) log[error.isExpected ? 'info' : 'error']({ err: error.kind }, error.message);
  return error;
}

/** What cannot be recorded is not answered. */
function notRecorded({ message, cause }: AccessLogError, log: Logger): Problem {
  log.error({ error: 'AccessLogError' }, message);
  return new Problem('unavailable', 'The access cannot be recorded, so it is not answered; try again.', {
    headers: { 'Retry-After': '10' },
    cause,
  });
}

function unexpected(error: unknown, log: Logger): Problem {
  const { name, stack } = error instanceof Error ? error : { name: typeof error, stack: undefined };
  // A stack's frames tell where; its message may quote data, so it stays out of the log.
  const frames = stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
  log.error({ error: name, stack: frames }, 'unexpected error');
  return new Problem('internal-error', 'The container failed to answer; its log tells the operator why.');
}
