import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { ContentKey, DocumentStore, FilePart } from '../../disk/document-files.js';
import { Problem } from '../../problem.js';
import { cacheControl, type FileAnswer } from '../answer.js';
import { readMediaType } from '../media-type.js';
import type { RequestContext } from '../request-context.js';
import { sandbox } from '../security-headers.js';
import { readRange } from './byte-range.js';
import { evaluate, preconditionFailed } from './conditions.js';
import { inlineAs } from './inline-file.js';

/** Up to so many bytes a file is sent from memory: each reader holds them until they have taken them. */
const IN_MEMORY = 1024 * 1024;

/**
 * Makes what responds with the bytes of a file or, when a Range asks for it, one part of them. Every byte that
 * is sent is checked before the first one is.
 * @throws Problem damaged-document, precondition-failed, range-not-satisfiable
 */
export function fileResponder(
  documents: DocumentStore,
): (request: RequestContext, answer: FileAnswer) => Promise<void> {
  return async ({ context }, { key, skip = 0, fileName, mediaType, headers = {} }) => {
    const tag = `"${key.sha256}"`;
    const outcome = evaluate(context, { tag, exists: true });
    if (outcome === 'failed') throw preconditionFailed();
    context.set({
      ...sandbox,
      ...headers,
      ETag: tag,
      'Accept-Ranges': 'bytes',
      'Cache-Control': cacheControl.own,
    });
    if (outcome === 'not-modified') {
      context.status = 304;
      return;
    }
    const size = key.size - skip;
    const range = rangeOf(context, size, tag);
    const { start, end } = range ?? { start: 0, end: size - 1 };
    const stored = { start: start + skip, end: end + skip };
    const body = await bytesOf(documents, key, stored, context.method === 'HEAD');
    context.status = range ? 206 : 200;
    if (range) context.set('Content-Range', `bytes ${start}-${end}/${size}`);
    context.set('Content-Disposition', inlineAs(fileName));
    context.body = body;
    context.set('Content-Type', safeType(mediaType));
    context.set('Content-Length', String(end - start + 1));
  };
}

/** The part that is asked for; undefined for all of it. */
function rangeOf(context: Context, size: number, tag: string): FilePart | undefined {
  // RFC 9110 §14.2: Range has a meaning for GET alone. §13.1.5: If-Range with another tag, or with a date that we
  // cannot compare, asks for the whole.
  const ifRange = context.get('If-Range').trim();
  if (context.method !== 'GET' || (ifRange !== '' && ifRange !== tag)) return undefined;
  const range = readRange(context.get('Range'), size);
  if (range === 'whole') return undefined;
  if (range !== 'outside') return range;
  throw new Problem('range-not-satisfiable', `The file has ${size} bytes.`, {
    headers: { 'Content-Range': `bytes */${size}` },
  });
}

async function bytesOf(
  documents: DocumentStore,
  key: ContentKey,
  part: FilePart,
  onlyCheck: boolean,
): Promise<Buffer | Readable> {
  if (key.size <= IN_MEMORY) return (await documents.read(key)).subarray(part.start, part.end + 1);
  const file = await documents.open(key, part);
  if (!onlyCheck) return Readable.from(file.bytes(), { objectMode: false });
  await file.close();
  return Buffer.alloc(0);
}

function safeType(mediaType: string | undefined): string {
  return mediaType !== undefined && readMediaType(mediaType) ? mediaType : 'application/octet-stream';
}
