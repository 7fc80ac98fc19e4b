import Koa from 'koa';
import { calls } from './calls.js';
import type { ContainerContext } from './container-context.js';
import { health } from './health.js';
import { problemDocuments } from './problem-document.js';
import { requestLog } from './request-log.js';
import { answerJson } from './answers/json.js';
import { answerRdf } from './answers/rdf.js';

/**
 * The HTTP application of a container. It holds no path of a call: they come from the ontology.
 * @returns a Koa application; its `callback()` serves `node:http`
 */
export function createApp(container: ContainerContext): Koa {
  const app = new Koa();
  // Koa's own handler would print messages; what reaches it is a connection that broke while answering.
  app.on('error', (error: Error) => {
    container.log.debug({ error: error.name }, 'connection broke');
  });
  app.use(requestLog(container.log));
  app.use(problemDocuments(container.log));
  app.use(health(container));
  app.use(calls(container, { 'rdf GET': answerRdf(container), 'json GET': answerJson(container) }));
  return app;
}
