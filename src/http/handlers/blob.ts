import { setImmediate as nextTurn } from 'node:timers/promises';
import { Problem } from '../../problem.js';
import { blobGraph, readBlob, type Blob } from '../../records/blobs/blob-graph.js';
import { requireOwner } from '../../records/owner.js';
import { StaleRevision, type Change } from '../../store/graph-store.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import type { PlainAnswer } from '../answer.js';
import { isLong, bodyBytes } from '../body.js';
import { isUtf8, readMediaType, refuseCoding } from '../media-type.js';
import { authorOf, forCalls, type CallRequest, type Handler } from '../request-context.js';
import { counted } from '../processor-time.js';
import { evaluate, isConditional, preconditionFailed, strongTag } from '../respond/conditions.js';
import { sandbox } from '../security-headers.js';
import { cacheControlOf } from './graph-answer.js';
import { addressed, construct, readingCall, type Reads } from './reads.js';

/** What stored texts are read and written with. */
export interface BlobParts extends Reads {
  readonly primary: PrimaryStore;
  readonly epoch: () => string;
}

type Version = NonNullable<PlainAnswer['version']>;

const DEFAULT_TYPE = 'text/plain; charset=utf-8';
/** How often a blob is read again because it changed while it was read. */
const ATTEMPTS = 10;

/** Answers with the text that is stored for an app: empty when there is none (specification 4.2 and 4.3). */
export function blobHandler(parts: BlobParts): Handler {
  return forCalls((request) => answer(parts, request));
}

/** Stores the text in the body, and answers with what is stored then, read back. */
export function storeBlobHandler(parts: BlobParts): Handler {
  return forCalls(async (request) => {
    await requireConditions(parts, request);
    const mediaType = storedType(request);
    const body = bodyBytes(request.body, request.route.bodyLimit);
    const graph = counted(request.context, () => {
      const text = blobText(body);
      return blobGraph(request.resource, request.route.call.target, { text, mediaType });
    });
    if (isLong(body)) await nextTurn();
    await write(parts, request, { replace: [graph] });
    return answer(parts, request);
  });
}

/** Removes the text; removing nothing succeeds too. */
export function removeBlobHandler(parts: BlobParts): Handler {
  return forCalls(async (request) => {
    await write(parts, request, { remove: [request.resource] });
    return { kind: 'plain', mediaType: DEFAULT_TYPE, body: '', headers: sandbox };
  });
}

/** Writes a change when the conditions of the request hold, which nothing can change in between. */
async function write(parts: BlobParts, request: CallRequest, change: Change): Promise<void> {
  const path = pathOf(parts, request);
  for (;;) {
    const revision = await requireConditions(parts, request);
    const expect = isConditional(request.context) ? [{ path, revision }] : [];
    try {
      // What an app keeps for itself changes often, and nobody else reads it.
      const whole = { ...change, expect, isUnkept: true, by: authorOf(request) };
      // Its text is made before it waits for its turn.
      const written = counted(request.context, () => ({
        revision: parts.primary.write(whole, (tx) => requireOwner(tx, path)),
      }));
      await written.revision;
      return;
    } catch (error) {
      // Somebody was faster: the conditions are evaluated against what is there now.
      if (!(error instanceof StaleRevision)) throw error;
    }
  }
}

/** The revision at which the conditions hold. @throws Problem precondition-failed */
async function requireConditions(parts: BlobParts, request: CallRequest): Promise<number> {
  const revision = await parts.store.revision(pathOf(parts, request));
  const exists = await parts.store.has(request.resource);
  const outcome = evaluate(request.context, { tag: tagOf(parts, request, revision), exists });
  if (outcome === 'failed') throw preconditionFailed();
  return revision;
}

async function answer(parts: BlobParts, request: CallRequest): Promise<PlainAnswer> {
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

/** Reads what is stored with the entity tag that belongs to it. */
async function read(
  parts: BlobParts,
  request: CallRequest,
): Promise<{ blob: Blob | undefined; version: Version }> {
  const asked = { ...addressed(request), call: readingCall(parts.ontology, request.route.call) };
  const path = pathOf(parts, request);
  for (let attempt = 1; ; attempt++) {
    const revision = await parts.store.revision(path);
    const quads = await construct(parts, asked);
    // A tag that is older than the content only makes a writer read once more; a newer one would lose a write.
    if ((await parts.store.revision(path)) !== revision && attempt < ATTEMPTS) continue;
    return {
      blob: readBlob(quads),
      version: { tag: tagOf(parts, request, revision), exists: quads.length > 0 },
    };
  }
}

function pathOf({ base }: BlobParts, { resource }: CallRequest): string {
  return resource.slice(base.length);
}

/** A strong tag of what is stored: it changes with every change, and with the epoch that a restore begins. */
function tagOf({ epoch }: BlobParts, { resource }: CallRequest, revision: number): string {
  return `"${strongTag([epoch(), resource, revision])}"`;
}

/** The media type that is stored: names in lower case, of all parameters only that the text is UTF-8. */
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

/**
 * The text of the bytes that an app sends: any Unicode text, a byte order mark included.
 * @throws Problem malformed-request for bytes that are no UTF-8 (which has no lone surrogates) and for NUL
 */
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
