import { AccessLogError } from '../access-log/access-log-error.js';
import { Problem } from '../problem.js';

/**
 * Whether what failed in the background may go on by itself, as soon as the container has room again, or reaches its store:
 * neither those who asked for it nor what they asked for are to blame.
 */
export function isOfContainer(error: unknown): error is Problem | AccessLogError {
  return error instanceof AccessLogError || (error instanceof Problem && error.kind === 'unavailable');
}

/**
 * What the log tells of a fault in the background: the name of the error, and why where the container itself is at fault,
 * which an operator can mend. What any other error says may quote what somebody has sent.
 */
export function faultFacts(error: unknown): { readonly error: string; readonly why?: string } {
  const name = error instanceof Error ? error.name : typeof error;
  return isOfContainer(error) ? { error: name, why: error.message } : { error: name };
}
