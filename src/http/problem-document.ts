import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { SignatureRefusal } from '../oauth/signature-refusal.js';
import { Problem } from '../problem.js';

/**
 * The one place where an error becomes a response: `application/problem+json` (RFC 9457).
 * Everything that is not a Problem is a fault of ours: the caller learns nothing of it, the log its name and stack.
 */
export function problemDocuments(log: Logger): Middleware {
  return async (context, next) => {
    try {
      await next();
    } catch (error) {
      const problem = toProblem(error, log);
      // For the log alone: which rule a signature broke.
      if (problem.cause instanceof SignatureRefusal) context.state['refusal'] = problem.cause.reason;
      if (context.headerSent) throw error;
      answer(context, problem);
    }
  };
}

/** What a caller may know of an error; what the operator should know of it goes to the log. */
export function toProblem(error: unknown, log: Logger): Problem {
  if (!(error instanceof Problem)) return unexpected(error, log);
  if (error.status >= 500) log.error({ err: error.kind }, error.message);
  return error;
}

function answer(context: Context, problem: Problem): void {
  const call = context.state['call'] as { iri: string } | undefined;
  // Headers of the answer that was not given.
  for (const name of ['ETag', 'Link', 'Vary', 'Server-Timing']) context.remove(name);
  context.status = problem.status;
  context.set(problem.headers);
  context.set('Cache-Control', 'no-store');
  context.body = JSON.stringify({
    type: problem.type,
    title: problem.title,
    status: problem.status,
    detail: problem.message,
    ...(call ? { call: call.iri } : {}),
    ...problem.extra,
  });
  context.type = 'application/problem+json';
  // No charset parameter: the media type is UTF-8 by definition (RFC 8259 §8.1).
  context.set('Content-Type', 'application/problem+json');
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
