import type { Middleware } from 'koa';
import { Problem } from '../problem.js';
import type { ContainerContext } from './container-context.js';
import { targetOf } from './target.js';

/**
 * `/health/live` answers as long as the process does; `/health/ready` only when the store answers a query.
 * @throws Problem unavailable from `/health/ready`, with Retry-After
 */
export function health(container: ContainerContext): Middleware {
  return async (context, next) => {
    const { path } = targetOf(context, container.basePath);
    if (path !== '/health/live' && path !== '/health/ready') return next();
    if (context.method !== 'GET' && context.method !== 'HEAD') {
      throw new Problem('method-not-allowed', 'Health answers GET and HEAD.', {
        headers: { Allow: 'GET, HEAD' },
      });
    }
    if (path === '/health/ready') await probe(container);
    context.set('Cache-Control', 'no-store');
    context.type = 'text/plain';
    context.body = 'ok\n';
  };
}

async function probe({ store }: ContainerContext): Promise<void> {
  try {
    await store.ask('ASK { GRAPH ?g { ?s ?p ?o } }');
  } catch (cause) {
    throw new Problem('unavailable', 'The store does not answer yet; try again.', {
      headers: { 'Retry-After': '1' },
      cause,
    });
  }
}
