import type { Context } from 'koa';
import { Problem } from '../../model/problem.js';
import { sha256 } from '../../store/disk/bytes.js';
import type { Coding } from './negotiate.js';

/** Makes a strong entity tag (RFC 9110 §8.8.3), without quotation marks. */
export function strongTag(parts: readonly unknown[]): string {
  return sha256(JSON.stringify(parts)).slice(0, 27);
}

interface Current {
  readonly tag: string;
  readonly exists: boolean;
}

type Outcome = 'proceed' | 'not-modified' | 'failed';

/** Evaluates If-Match, then If-None-Match (RFC 9110 §13.2.2); without Last-Modified, dates do not count. */
export function evaluate(context: Context, { tag, exists }: Current): Outcome {
  // An empty If-Match counts as failed: a client that lost its tag must not overwrite unseen content.
  const match = context.headers['if-match'];
  if (match !== undefined && !isStrongMatch(match, { tag, exists })) return 'failed';
  const noneMatch = context.get('If-None-Match');
  if (noneMatch === '' || !isWeakMatch(noneMatch, { tag, exists })) return 'proceed';
  return ['GET', 'HEAD'].includes(context.method) ? 'not-modified' : 'failed';
}

/** Whether a condition is `*`: any current representation. */
export function asksForAny({ headers }: Context): boolean {
  return headers['if-match']?.trim() === '*' || headers['if-none-match']?.trim() === '*';
}

export function isConditional(context: Context): boolean {
  return context.headers['if-match'] !== undefined || context.get('If-None-Match') !== '';
}

export function preconditionFailed(): Problem {
  return new Problem(
    'precondition-failed',
    'What is stored is not what the request expects; read it again, merge, and send it with the new ETag.',
  );
}

/** Compares strongly (RFC 9110 §13.1.1). */
function isStrongMatch(field: string, { tag, exists }: Current): boolean {
  return field.trim() === '*' ? exists : !tag.startsWith('W/') && tagsOf(field).includes(tag);
}

/** Compares weakly (RFC 9110 §13.1.2). */
function isWeakMatch(field: string, { tag, exists }: Current): boolean {
  return field.trim() === '*'
    ? exists
    : tagsOf(field).some((candidate) => candidate.replace(/^W\//, '') === tag.replace(/^W\//, ''));
}

function tagsOf(field: string): string[] {
  return field.match(/(?:W\/)?"[^"]*"/g) ?? [];
}

/** RFC 9110 §8.8.3.3: each coding has its own tag. */
export function codedTag(tag: string, coding: Coding): string {
  return coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`;
}
