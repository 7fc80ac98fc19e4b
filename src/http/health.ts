import { Problem } from '../problem.js';
import type { GraphStore } from '../store/graph-store.js';
import { textAnswer } from './answer.js';
import type { Handler, Route } from './request-context.js';

/** A store that tells how much of the data it has in memory. */
export type HealthyStore = Pick<GraphStore, 'ask'> & { readonly state?: 'whole' | 'filling' | 'partial' };

/**
 * `/health/live` answers as long as the process does; `/health/ready` only when the store answers a query, and the
 * shared store, where there is one, can be reached. A line says
 * whether the data is in memory: all of it, still being loaded, or as much as there is room for. Records are answered in
 * each of these states.
 */
export function healthRoutes(store: HealthyStore, current?: () => Promise<void>): readonly Route[] {
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
      await current?.();
      await probe(store);
      return textAnswer(`ok\nmemory: ${store.state ?? 'whole'}\n`);
    }),
  ];
}

/** @throws Problem unavailable, with Retry-After */
async function probe(store: HealthyStore): Promise<void> {
  try {
    await store.ask('ASK {}', []);
  } catch (cause) {
    throw new Problem('unavailable', 'The store does not answer yet; try again.', {
      headers: { 'Retry-After': '1' },
      cause,
    });
  }
}
