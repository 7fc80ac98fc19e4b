import { Problem } from '../problem.js';
import type { GraphStore } from '../store/graph-store.js';
import { textAnswer } from './answer.js';
import type { Handler, Route } from './request-context.js';

/**
 * `/health/live` answers as long as the process does; `/health/ready` only when the store answers a query.
 */
export function healthRoutes(store: GraphStore): readonly Route[] {
  const route = (path: string, handler: Handler): Route => ({
    method: 'GET',
    path,
    credentials: 'none',
    access: 'anybody',
    handler,
  });
  return [
    route('/health/live', () => textAnswer('ok\n')),
    route('/health/ready', async () => {
      await probe(store);
      return textAnswer('ok\n');
    }),
  ];
}

/** @throws Problem unavailable, with Retry-After */
async function probe(store: GraphStore): Promise<void> {
  try {
    await store.ask('ASK { GRAPH ?g { ?s ?p ?o } }');
  } catch (cause) {
    throw new Problem('unavailable', 'The store does not answer yet; try again.', {
      headers: { 'Retry-After': '1' },
      cause,
    });
  }
}
