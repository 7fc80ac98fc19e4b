import type { Context } from 'koa';
import { formats, type RdfFormat } from '../rdf/formats.js';
import { jsonLdContext, usedContext, type JsonLdContext } from '../derive/jsonld-context.js';
import type { Ontology } from '../ontology/model.js';
import type { Quad } from '../rdf/terms.js';
import { writeRdf } from '../rdf/write.js';
import { oneTitlePerCode } from '../records/titles.js';
import type { AllowedCall } from './calls.js';
import type { ContainerContext } from './container-context.js';
import { chooseFormat, notAcceptable } from './negotiation/negotiate.js';
import type { Recipe, SendAnswer } from './kept/send-answer.js';

/** A graph that a call answers with, and where the next page of a list is. */
export interface FoundGraph {
  readonly quads: Quad[];
  /** The value of a Link field. */
  readonly link?: string | undefined;
}

/** How the graph of an answer is read; it throws when there is no such thing. */
export interface GraphRecipe extends Pick<Recipe, 'exists' | 'kept'> {
  read(): Promise<FoundGraph>;
}

/**
 * Answers a GET with a graph in the serialisation that the request asks for.
 * @throws Problem not-acceptable
 */
export async function sendGraph(
  container: ContainerContext,
  send: SendAnswer,
  context: Context,
  request: AllowedCall,
  { read, exists, kept }: GraphRecipe,
): Promise<void> {
  const format = chooseFormat(context, request.query.format);
  // What is not there is 404 before it is 406.
  if (!format) {
    if (!(await exists())) await read();
    throw notAcceptable();
  }
  await send(context, request, {
    mediaType: formats[format].mediaType,
    exists,
    kept,
    render: async () => {
      const { quads, link } = await read();
      return { body: await renderGraph(container, quads, format), link };
    },
  });
}

/** A graph as the bytes of an answer. */
export async function renderGraph(
  { ontology }: ContainerContext,
  quads: Quad[],
  format: RdfFormat,
): Promise<Buffer> {
  const own = oneTitlePerCode(quads, ontology);
  const options = format === 'jsonld' ? { context: usedContext(contextOf(ontology), own) } : {};
  return Buffer.from(await writeRdf(own, format, options));
}

const contexts = new WeakMap<Ontology, JsonLdContext>();

/** The JSON-LD context of an ontology, made once. */
function contextOf(ontology: Ontology): JsonLdContext {
  const context = contexts.get(ontology) ?? jsonLdContext(ontology);
  contexts.set(ontology, context);
  return context;
}
