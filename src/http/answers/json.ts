import { Problem } from '../../problem.js';
import { cg } from '../../rdf/vocabulary.js';
import { bindings } from '../bindings.js';
import type { AllowedCall, Answer } from '../calls.js';
import { preferredType } from '../negotiation/accept.js';
import type { ContainerContext } from '../container-context.js';
import { queryOf } from '../resources.js';
import type { SendAnswer } from '../kept/send-answer.js';

const MEDIA_TYPE = 'application/json';

/**
 * Answers a GET with the JSON documents (`cg:json`) that the query of the call constructs:
 * the one of a single resource, or an array ordered by resource for a collection.
 */
export function answerJson(container: ContainerContext, send: SendAnswer): Answer {
  return async (context, request) => {
    const render = (): Promise<{ body: Buffer }> => readJson(container, request);
    if (preferredType(context.get('Accept'), [MEDIA_TYPE]) === undefined) {
      // What is not there is 404 before it is 406.
      await render();
      throw new Problem('not-acceptable', `This call answers with ${MEDIA_TYPE}.`);
    }
    const isList = request.call.cardinality === 'multiple';
    await send(context, request, {
      mediaType: MEDIA_TYPE,
      exists: () => isList || container.store.has(request.resource),
      render,
    });
  };
}

async function readJson(container: ContainerContext, request: AllowedCall): Promise<{ body: Buffer }> {
  const query = queryOf(container, request.call);
  const quads = await container.store.construct(query.bind(bindings(request, container.base)));
  const documents = quads
    .filter(({ predicate }) => predicate.value === cg.json)
    .sort((a, b) => (a.subject.value < b.subject.value ? -1 : 1))
    .map(({ object }) => object.value);
  if (request.call.cardinality === 'multiple') return { body: Buffer.from(`[${documents.join(',')}]`) };
  const [first] = documents;
  if (first === undefined) throw new Problem('not-found', 'There is no such resource.');
  return { body: Buffer.from(first) };
}
