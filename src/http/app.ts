import Koa from 'koa';
import { calls } from './calls.js';
import type { ContainerContext } from './container-context.js';
import { cors } from './cors.js';
import { createDescriber, descriptions } from './descriptions.js';
import { health } from './health.js';
import { tokenEndpoints } from './oauth/token-endpoints.js';
import { pages } from './pages/pages.js';
import { problemDocuments } from './problem-document.js';
import { requestLog } from './request-log.js';
import { createSender } from './kept/send-answer.js';
import { answerBlob, removeBlob, storeBlob } from './answers/blob.js';
import { answerDocument } from './answers/document.js';
import { withOntologyPage } from './answers/ontology-page.js';
import { answerJson } from './answers/json.js';
import { answerPost } from './answers/post.js';
import { answerRdf } from './answers/rdf.js';

/**
 * The HTTP application of a container. It holds no path of a call: they come from the ontology.
 * @returns a Koa application; its `callback()` serves `node:http`
 */
export function createApp(container: ContainerContext): Koa {
  const app = new Koa();
  const send = createSender(container);
  const describe = createDescriber(container.descriptions);
  // Koa's own handler would print messages; what reaches it is a connection that broke while answering.
  app.on('error', (error: Error) => {
    container.log.debug({ error: error.name }, 'connection broke');
  });
  app.use(requestLog(container.log));
  app.use(cors(container.corsOrigins));
  app.use(problemDocuments(container.log));
  app.use(health(container));
  app.use(descriptions(container, describe));
  app.use(tokenEndpoints(container));
  app.use(pages(container));
  app.use(
    calls(container, {
      'rdf GET': withOntologyPage(container, describe, answerRdf(container, send)),
      'rdf POST': answerPost(container),
      'json GET': answerJson(container, send),
      'document GET': answerDocument(container, send),
      'blob GET': answerBlob(container),
      'blob PUT': storeBlob(container),
      'blob DELETE': removeBlob(container),
    }),
  );
  return app;
}
