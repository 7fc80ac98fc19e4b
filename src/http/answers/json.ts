import { Problem } from '../../problem.js';
import { cg } from '../../rdf/vocabulary.js';
import { bindings } from '../bindings.js';
import type { Answer } from '../calls.js';
import { cacheControl } from '../caching.js';
import type { ContainerContext } from '../container-context.js';
import { entityTag, notModified } from '../entity-tag.js';
import { queryOf } from '../resources.js';

/**
 * Answers a GET with the JSON documents (`cg:json`) that the query of the call constructs:
 * the one of a single resource, or an array ordered by resource for a collection.
 */
export function answerJson(container: ContainerContext): Answer {
  return async (context, request) => {
    if (!context.accepts('application/json')) {
      throw new Problem('not-acceptable', 'This call answers with application/json.');
    }
    context.set('Cache-Control', cacheControl(request.call));
    if (notModified(context, await entityTag(container, request, 'application/json'))) return;
    const query = queryOf(container, request.call);
    const quads = await container.store.construct(query.bind(bindings(request, container.base)));
    const documents = quads
      .filter(({ predicate }) => predicate.value === cg.json)
      .sort((a, b) => (a.subject.value < b.subject.value ? -1 : 1))
      .map(({ object }) => object.value);
    const [first] = documents;
    if (request.call.cardinality === 'single' && first === undefined) {
      throw new Problem('not-found', 'There is no such resource.');
    }
    const body = request.call.cardinality === 'single' ? first : `[${documents.join(',')}]`;
    context.set('Content-Type', 'application/json');
    context.body = body;
  };
}
