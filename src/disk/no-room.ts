import { constants } from 'node:os';
import { Problem } from '../problem.js';

/** When somebody who was refused for want of room may try again, in seconds: an operator has to make some. */
const RETRY_AFTER = '60';
const codes = ['ENOSPC', 'EDQUOT', 'EFBIG'] as const;
/** LMDB gives errors by their numbers, and says EIO where the disk took a part of what it wrote. */
const numbers: readonly unknown[] = ['EIO' as const, ...codes].map((code) => constants.errno[code]);

/** The disk takes nothing more: what asked for it is refused, and everything that only reads goes on. */
export function noRoom(sentence: string, cause: unknown): Problem {
  return new Problem('unavailable', sentence, { headers: { 'Retry-After': RETRY_AFTER }, cause });
}

/** Whether an error of the file system says so. */
export function isNoRoom(error: unknown): boolean {
  return (codes as readonly unknown[]).includes((error as NodeJS.ErrnoException).code);
}

/** Why a change could not be committed, for the person who runs the container. */
export function whyNotCommitted(cause: unknown): string {
  if (!isOfCommit(cause)) return String(cause);
  const { code, message } = cause;
  return numbers.includes(code) ? `no room is left on it, or it fails (${message})` : message;
}

/** Whether something is the error of LMDB when it could not commit: those of Node.js have names for codes. */
export function isOfCommit(error: unknown): error is Error & { readonly code: number } {
  return error instanceof Error && typeof (error as { code?: unknown }).code === 'number';
}
