import type { Context } from 'koa';
import { Problem } from '../../problem.js';
import { formats } from '../../rdf/formats.js';
import type { Quad } from '../../rdf/terms.js';
import { writeRdf } from '../../rdf/write.js';
import { readList } from '../../records/lists/list.js';
import { nextPageUrl } from '../../records/lists/page.js';
import { responseSummary } from '../../records/lists/summary.js';
import { oneTitlePerCode } from '../../records/titles.js';
import { bindings } from '../bindings.js';
import type { AllowedCall, Answer } from '../calls.js';
import type { ContainerContext } from '../container-context.js';
import { entityTag, notModified } from '../entity-tag.js';
import { cacheControl } from '../caching.js';
import { chooseFormat, notAcceptable } from '../negotiate.js';
import { queryOf, requireRecord } from '../resources.js';

/** Answers a GET with the graph that the query of the call constructs: one resource, or a list of statements. */
export function answerRdf(container: ContainerContext): Answer {
  return async (context, request) => {
    const start = performance.now();
    const format = chooseFormat(context, request.query.format);
    await requireRecord(container, request);
    // What is not there is 404 before it is 406.
    const read = request.call.cardinality === 'multiple' ? list : single;
    if (!format) {
      await read(container, context, request);
      throw notAcceptable();
    }
    const { mediaType } = formats[format];
    context.set('Vary', 'Accept');
    context.set('Cache-Control', cacheControl(request.call));
    // The tag covers everything the answer is made of, so a match needs no query.
    if (notModified(context, await entityTag(container, request, mediaType))) return;
    const found = await read(container, context, request);
    const body = await writeRdf(oneTitlePerCode(found, container.ontology), format);
    context.set('Server-Timing', `total;dur=${(performance.now() - start).toFixed(2)}`);
    // Real clients compare the media type whole, so it goes out without a charset parameter.
    context.set('Content-Type', mediaType);
    context.body = body;
  };
}

async function single(container: ContainerContext, _: Context, request: AllowedCall): Promise<Quad[]> {
  const query = queryOf(container, request.call);
  const found = await container.store.construct(query.bind(bindings(request, container.base)));
  if (found.length === 0) throw new Problem('not-found', 'There is no such resource.');
  return found;
}

async function list(container: ContainerContext, context: Context, request: AllowedCall): Promise<Quad[]> {
  const { call, query: parameters, resource, pairs } = request;
  const query = queryOf(container, call);
  const values = bindings(request, container.base);
  const answer = await readList(container.store, container.ontology, {
    call,
    query,
    values,
    given: parameters.declared,
  });
  const nextPageURL = answer.next && nextPageUrl(resource + trailing(call.path), pairs, answer.next);
  if (nextPageURL !== undefined) context.set('Link', `<${nextPageURL}>; rel="next"`);
  // Specification 4.1: a search answers with nothing but the elements that match.
  if (call.scope === 'container') return answer.quads;
  return [...answer.quads, ...responseSummary({ total: answer.total, order: answer.order, nextPageURL })];
}

const trailing = (path: string): string => (path.endsWith('/') ? '/' : '');
