import { Problem } from '../problem.js';

/** When somebody who was refused for want of room may try again, in seconds: an operator has to make some. */
const RETRY_AFTER = '60';
const codes = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** The disk takes nothing more: what asked for it is refused, and everything that only reads goes on. */
export function noRoom(sentence: string, cause: unknown): Problem {
  return new Problem('unavailable', sentence, { headers: { 'Retry-After': RETRY_AFTER }, cause });
}

/** Whether an error of the file system says so. */
export function isNoRoom(error: unknown): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
