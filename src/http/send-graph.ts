import type { Context } from 'koa';
import { formats, type RdfFormat } from '../rdf/formats.js';
import { jsonLdContext, usedContext, type JsonLdContext } from '../derive/jsonld-context.js';
import type { Ontology } from '../ontology/model.js';
import type { Quad } from '../rdf/terms.js';
import { writeRdf } from '../rdf/write.js';
import { oneTitlePerCode } from '../records/titles.js';
import type { AllowedCall } from './calls.js';
import { cacheControl } from './caching.js';
import type { ContainerContext } from './container-context.js';
import { unlessCurrent } from './conditional.js';
import { entityTag } from './entity-tag.js';
import { chooseFormat, notAcceptable } from './negotiate.js';

/**
 * Answers a GET with a graph in the serialisation that the request asks for, or with 304 without reading it.
 * @param read makes the graph; it throws when there is no such thing
 * @throws Problem not-acceptable
 */
export async function sendGraph(
  container: ContainerContext,
  context: Context,
  request: AllowedCall,
  read: () => Promise<Quad[]>,
): Promise<void> {
  const start = performance.now();
  const format = chooseFormat(context, request.query.format);
  // What is not there is 404 before it is 406.
  if (!format) {
    await read();
    throw notAcceptable();
  }
  const { mediaType } = formats[format];
  context.set('Vary', 'Accept');
  context.set('Cache-Control', cacheControl(request.call, container.containerAccess));
  const found = await unlessCurrent(context, await entityTag(container, request, mediaType), read);
  if (!found) return;
  await writeGraph(container, context, found, format);
  context.set('Server-Timing', `total;dur=${(performance.now() - start).toFixed(2)}`);
}

/** Writes a graph into a response. */
export async function writeGraph(
  { ontology }: ContainerContext,
  context: Context,
  quads: Quad[],
  format: RdfFormat,
): Promise<void> {
  const own = oneTitlePerCode(quads, ontology);
  const options = format === 'jsonld' ? { context: usedContext(contextOf(ontology), own) } : {};
  const body = await writeRdf(own, format, options);
  // Real clients compare the media type whole, so it goes out without a charset parameter.
  context.set('Content-Type', formats[format].mediaType);
  context.body = body;
}

const contexts = new WeakMap<Ontology, JsonLdContext>();

/** The JSON-LD context of an ontology, made once. */
function contextOf(ontology: Ontology): JsonLdContext {
  const context = contexts.get(ontology) ?? jsonLdContext(ontology);
  contexts.set(ontology, context);
  return context;
}
