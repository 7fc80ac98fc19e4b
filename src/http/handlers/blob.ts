import { setImmediate as nextTurn } from 'node:timers/promises';
import { Problem } from '../../model/problem.js';
import { blobGraph, readBlob } from '../../records/blobs/blob-graph.js';
import { requireOwner } from '../../records/owner.js';
import { StaleRevision, type Change } from '../../store/graph-store.js';
import type { PlainAnswer } from '../answer.js';
import { sandbox } from '../content-security-policy.js';
import { isForm, isLong, bodyBytes } from '../admission/bodies.js';
import { isUtf8, readMediaType, refuseCoding } from '../media-type.js';
import { authorOf, forCalls, type CallRequest, type Handler } from '../request-context.js';
import { counted } from '../admission/sender-budgets.js';
import { evaluate, isConditional, preconditionFailed, strongTag } from '../respond/entity-tag.js';
import { cacheControlOf } from './graph-answer.js';
import { addressed, construct, readingCall, type CallParts } from './reads.js';

const DEFAULT_TYPE = 'text/plain; charset=utf-8';
const ATTEMPTS = 10;

/** Answers with an app's stored text, empty without one (specification 4.2 and 4.3). */
export function blobHandler(parts: CallParts): Handler {
  return forCalls((request) => answer(parts, request));
}

/** Stores the body as text and answers with the stored text. */
export function storeBlobHandler(parts: CallParts): Handler {
  return forCalls(async (request) => {
    await requireConditions(parts, request);
    const mediaType = storedType(request);
    const body = bodyBytes(request.body, request.route.bodyLimit);
    const graph = counted(request.context, () => {
      const isSigned = isForm(request.context.get('Content-Type'));
      const text = isSigned ? withoutProof(blobText(body)) : blobText(body);
      return blobGraph(request.resource, request.route.call.target, { text, mediaType });
    });
    if (isLong(body)) await nextTurn();
    await write(parts, request, { replace: [graph] });
    return answer(parts, request);
  });
}

/** Removes the text; succeeds even if there is none. */
export function removeBlobHandler(parts: CallParts): Handler {
  return forCalls(async (request) => {
    await write(parts, request, { remove: [request.resource] });
    return { kind: 'plain', mediaType: DEFAULT_TYPE, body: '', headers: sandbox };
  });
}

/** Writes a change atomically with the request's conditions. */
async function write(parts: CallParts, request: CallRequest, change: Change): Promise<void> {
  const path = pathOf(parts, request);
  for (;;) {
    const revision = await requireConditions(parts, request);
    const expect = isConditional(request.context) ? [{ path, revision }] : [];
    try {
      // Skips the history: these texts change often, and only the app reads them.
      const whole = { ...change, expect, isUnkept: true, by: authorOf(request) };
      // The write is prepared before it waits for its turn.
      const written = counted(request.context, () => ({
        revision: parts.primary.write(whole, (tx) => requireOwner(tx, path)),
      }));
      await written.revision;
      return;
    } catch (error) {
      if (!(error instanceof StaleRevision)) throw error;
    }
  }
}

/** Returns the revision at which the conditions hold. @throws Problem precondition-failed */
async function requireConditions(parts: CallParts, request: CallRequest): Promise<number> {
  const revision = await parts.store.revision(pathOf(parts, request));
  const exists = await parts.store.has(request.resource);
  const outcome = evaluate(request.context, { tag: tagOf(parts, request, revision), exists });
  if (outcome === 'failed') throw preconditionFailed();
  return revision;
}

async function answer(parts: CallParts, request: CallRequest): Promise<PlainAnswer> {
  const { blob, version } = await read(parts, request);
  return {
    kind: 'plain',
    mediaType: blob?.mediaType ?? DEFAULT_TYPE,
    body: Buffer.from(blob?.text ?? '', 'utf8'),
    cacheControl: cacheControlOf(request.route.call, 'open'),
    headers: sandbox,
    version,
  };
}

async function read(parts: CallParts, request: CallRequest) {
  const asked = { ...addressed(request), call: readingCall(parts.ontology, request.route.call) };
  const path = pathOf(parts, request);
  for (let attempt = 1; ; attempt++) {
    const revision = await parts.store.revision(path);
    const quads = await construct(parts, asked);
    // A tag older than the content only causes another read; a newer one would lose a write.
    if ((await parts.store.revision(path)) !== revision && attempt < ATTEMPTS) continue;
    return {
      blob: readBlob(quads),
      version: { tag: tagOf(parts, request, revision), exists: quads.length > 0 },
    };
  }
}

function pathOf({ base }: CallParts, { resource }: CallRequest): string {
  return resource.slice(base.length);
}

/** Returns a strong tag that changes with every write and restore. */
function tagOf({ primary }: CallParts, { resource }: CallRequest, revision: number): string {
  return `"${strongTag([primary.directory.epoch, resource, revision])}"`;
}

function storedType({ context }: CallRequest): string {
  refuseCoding(context.get('Content-Encoding'));
  const field = context.get('Content-Type');
  if (field.trim() === '') return DEFAULT_TYPE;
  const type = readMediaType(field);
  if (!type) throw new Problem('unsupported-media-type', 'The Content-Type is no media type.');
  if (!isUtf8(type))
    throw new Problem('unsupported-media-type', 'The text is stored as UTF-8; send it as UTF-8.');
  return type.essence + (type.parameters.has('charset') ? '; charset=utf-8' : '');
}

/** Decodes a body, keeping a byte order mark. @throws Problem malformed-request unless it is UTF-8 without NUL */
function blobText(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new Problem('malformed-request', 'The body is no UTF-8 text; encode it as UTF-8.', { cause });
  }
  if (text.includes('\0'))
    throw new Problem('malformed-request', 'The body holds a NUL character; take it out.');
  return text;
}

/** Takes the signature out of a form that carries it (RFC 5849 §3.5.2): it is no part of what the app stores. */
function withoutProof(form: string): string {
  const pairs = form.split('&');
  const isSigned = pairs.some((pair) => pair.startsWith('oauth_signature='));
  return isSigned ? pairs.filter((pair) => !pair.startsWith('oauth_')).join('&') : form;
}
