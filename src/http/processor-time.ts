import type { Context } from 'koa';
import { traceOf } from './request-context.js';

/**
 * Takes a step of a request, and adds the processor time of it to what its sender has cost. Of a step that waits only
 * the time until it first does so is counted: what comes then may be of others.
 */
export function counted<T>(context: Context, step: () => T): T {
  const start = process.cpuUsage();
  try {
    return step();
  } finally {
    const { user, system } = process.cpuUsage(start);
    const trace = traceOf(context);
    trace.busy = (trace.busy ?? 0) + (user + system) / 1000;
  }
}
