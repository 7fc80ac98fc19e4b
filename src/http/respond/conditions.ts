import type { Context } from 'koa';
import { sha256 } from '../../disk/sha256.js';
import { Problem } from '../../problem.js';

/** A strong entity tag (RFC 9110 §8.8.3) without quotation marks, the same for the same parts. */
export function strongTag(parts: readonly unknown[]): string {
  return sha256(JSON.stringify(parts)).slice(0, 27);
}

/** What a condition is evaluated against: the entity tag of what is there, and whether anything is. */
export interface Current {
  readonly tag: string;
  readonly exists: boolean;
}

/** What RFC 9110 §13.2.2 says of a conditional request. */
export type Outcome = 'proceed' | 'not-modified' | 'failed';

/**
 * Evaluates If-Match, then If-None-Match, in the order of RFC 9110 §13.2.2. There is no Last-Modified here, so the
 * conditions on dates are left out, as §13.1.3 and §13.1.4 ask.
 */
export function evaluate(context: Context, { tag, exists }: Current): Outcome {
  // An empty If-Match is a client that has lost its tag: it must not overwrite what it does not know.
  const match = context.headers['if-match'];
  if (match !== undefined && !isStrongMatch(match, { tag, exists })) return 'failed';
  const noneMatch = context.get('If-None-Match');
  if (noneMatch === '' || !isWeakMatch(noneMatch, { tag, exists })) return 'proceed';
  return ['GET', 'HEAD'].includes(context.method) ? 'not-modified' : 'failed';
}

/** Whether a request asks if there is anything at all, whatever its tag: `*`. */
export function asksForAny({ headers }: Context): boolean {
  return headers['if-match']?.trim() === '*' || headers['if-none-match']?.trim() === '*';
}

/** Whether a request sets conditions on what it changes. */
export function isConditional(context: Context): boolean {
  return context.headers['if-match'] !== undefined || context.get('If-None-Match') !== '';
}

/** The refusal of a request whose condition does not hold. */
export function preconditionFailed(): Problem {
  return new Problem(
    'precondition-failed',
    'What is stored is not what the request expects; read it again, merge, and send it with the new ETag.',
  );
}

/** RFC 9110 §13.1.1: If-Match compares strongly. */
function isStrongMatch(field: string, { tag, exists }: Current): boolean {
  return field.trim() === '*' ? exists : tagsOf(field).includes(tag);
}

/** RFC 9110 §13.1.2: If-None-Match compares weakly. */
function isWeakMatch(field: string, { tag, exists }: Current): boolean {
  return field.trim() === '*'
    ? exists
    : tagsOf(field).some((candidate) => candidate.replace(/^W\//, '') === tag);
}

function tagsOf(field: string): string[] {
  return field.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
