import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { Problem } from '../../problem.js';
import { blobGraph, readBlob, type Blob } from '../../records/blobs/blob-graph.js';
import { blobText } from '../../records/blobs/blob-text.js';
import { requireOwner } from '../../records/owner.js';
import { StaleRevision, type Change } from '../../store/graph-store.js';
import { bindings } from '../bindings.js';
import { bodyBytes } from '../body.js';
import type { AllowedCall, Answer } from '../calls.js';
import { cacheControl } from '../caching.js';
import type { ContainerContext } from '../container-context.js';
import { isUtf8, readMediaType, refuseCoding } from '../negotiation/media-type.js';
import { evaluate, isConditional, preconditionFailed, type Current } from '../negotiation/preconditions.js';
import { queryOf, readingCall, requireRecord } from '../resources.js';
import { sandbox } from '../sandbox.js';

const DEFAULT_TYPE = 'text/plain; charset=utf-8';
/** How often a blob is read again because it changed while it was read. */
const ATTEMPTS = 10;

/** Answers with the text that is kept for an app: empty when there is none (specification 4.2 and 4.3). */
export function answerBlob(container: ContainerContext): Answer {
  return async (context, request) => {
    await requireRecord(container, request);
    await send(container, context, request);
  };
}

/** Keeps the text in the body, and answers with what is stored then, read back. */
export function storeBlob(container: ContainerContext): Answer {
  return async (context, request) => {
    await requireRecord(container, request);
    await requireConditions(container, context, request);
    const mediaType = storedType(context);
    const text = blobText(bodyBytes(request.body));
    const graph = blobGraph(request.resource, request.call.target, { text, mediaType });
    await write(container, context, request, { replace: [graph] });
    await send(container, context, request);
  };
}

/** Removes the text; removing nothing succeeds too. */
export function removeBlob(container: ContainerContext): Answer {
  return async (context, request) => {
    await requireRecord(container, request);
    await write(container, context, request, { remove: [request.resource] });
    sandbox(context);
    context.status = 200;
    context.set('Content-Type', DEFAULT_TYPE);
    context.body = '';
  };
}

/** Writes a change when the conditions of the request hold, which nothing can change in between. */
async function write(
  container: ContainerContext,
  context: Context,
  request: AllowedCall,
  change: Change,
): Promise<void> {
  const path = pathOf(container, request);
  for (;;) {
    const revision = await requireConditions(container, context, request);
    const expect = isConditional(context) ? [{ path, revision }] : [];
    try {
      await container.primary.write({ ...change, expect }, (tx) => {
        requireOwner(tx, path);
      });
      return;
    } catch (error) {
      // Somebody was faster: the conditions are validated against what is there now.
      if (!(error instanceof StaleRevision)) throw error;
    }
  }
}

/** The revision at which the conditions hold. @throws Problem precondition-failed */
async function requireConditions(
  container: ContainerContext,
  context: Context,
  request: AllowedCall,
): Promise<number> {
  const revision = await container.store.revision(pathOf(container, request));
  const exists = await container.store.has(request.resource);
  if (evaluate(context, { tag: tagOf(container, request, revision), exists }) === 'failed')
    throw preconditionFailed();
  return revision;
}

async function send(container: ContainerContext, context: Context, request: AllowedCall): Promise<void> {
  const { blob, current } = await read(container, request);
  context.set('ETag', current.tag);
  context.set('Cache-Control', cacheControl(request.call));
  sandbox(context);
  context.status = 200;
  // The conditions of a PUT were about what it replaced.
  if (request.call.method === 'GET') {
    const outcome = evaluate(context, current);
    if (outcome === 'failed') throw preconditionFailed();
    if (outcome === 'not-modified') {
      context.status = 304;
      return;
    }
  }
  context.set('Content-Type', blob?.mediaType ?? DEFAULT_TYPE);
  context.body = Buffer.from(blob?.text ?? '', 'utf8');
}

/** Reads what is stored with the entity tag that belongs to it. */
async function read(
  container: ContainerContext,
  request: AllowedCall,
): Promise<{ blob: Blob | undefined; current: Current }> {
  const { store, ontology, base } = container;
  const query = queryOf(container, readingCall(ontology, request.call));
  for (let attempt = 1; ; attempt++) {
    const path = pathOf(container, request);
    const revision = await store.revision(path);
    const quads = await store.construct(query.bind(bindings(request, base)));
    // A tag that is older than the content only makes a writer read once more; a newer one would lose a write.
    if ((await store.revision(path)) !== revision && attempt < ATTEMPTS) continue;
    const tag = tagOf(container, request, revision);
    return { blob: readBlob(quads), current: { tag, exists: quads.length > 0 } };
  }
}

function pathOf({ base }: ContainerContext, { resource }: AllowedCall): string {
  return resource.slice(base.length);
}

/** A strong tag of what is stored: it changes with every change, and with the epoch that a restore begins. */
function tagOf(container: ContainerContext, { resource }: AllowedCall, revision: number): string {
  const parts = JSON.stringify([container.epoch(), resource, revision]);
  return `"${createHash('sha256').update(parts).digest('base64url').slice(0, 27)}"`;
}

/** The media type that is kept: names in lower case, of all parameters only that the text is UTF-8. */
function storedType(context: Context): string {
  refuseCoding(context.get('Content-Encoding'));
  const field = context.get('Content-Type');
  if (field.trim() === '') return DEFAULT_TYPE;
  const type = readMediaType(field);
  if (!type) throw new Problem('unsupported-media-type', 'The Content-Type is no media type.');
  if (!isUtf8(type))
    throw new Problem('unsupported-media-type', 'The text is kept as UTF-8; send it as UTF-8.');
  return type.essence + (type.parameters.has('charset') ? '; charset=utf-8' : '');
}
