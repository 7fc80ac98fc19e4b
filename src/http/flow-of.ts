import type { Context } from 'koa';
import type { Flow } from '../oauth/flow/flow.js';
import { clientAddress } from './client-address.js';
import { traceOf } from './request-context.js';

/** The flow as one request uses it: what is decided is recorded with where that came from. */
export function flowOf(flow: Flow, context: Context): Flow {
  const origin = { address: clientAddress(context), requestId: traceOf(context).requestId };
  return { ...flow, audit: (decision, facts) => flow.audit(decision, facts, origin) };
}
