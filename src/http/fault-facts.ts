import { AccessLogError } from '../access/log/access-entry.js';
import { Problem } from '../model/problem.js';

/** Whether a background failure may pass by itself, once the container has room or reaches its store. */
export function isOfContainer(error: unknown): error is Problem | AccessLogError {
  return error instanceof AccessLogError || (error instanceof Problem && error.kind === 'unavailable');
}

/** Returns what may be logged: the message only if an operator can act on it, since others may quote input. */
export function faultFacts(error: unknown): { readonly error: string; readonly why?: string } {
  const name = error instanceof Error ? error.name : typeof error;
  return isOfContainer(error) ? { error: name, why: error.message } : { error: name };
}
