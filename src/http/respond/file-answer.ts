import { Readable } from 'node:stream';
import { encodeExtended } from 'content-disposition';
import type { Context } from 'koa';
import type { ContentKey, DocumentStore, FilePart } from '../../store/documents/document-files.js';
import { Problem } from '../../model/problem.js';
import { cacheControl, type FileAnswer } from '../answer.js';
import { sandbox } from '../content-security-policy.js';
import { readMediaType } from '../media-type.js';
import type { RequestContext } from '../request-context.js';
import { evaluate, preconditionFailed } from './entity-tag.js';

const MAX_BUFFERED_BYTES = 1024 * 1024;

/**
 * Makes a function that responds with a file, or with one part of it for a Range. All bytes are verified before the
 * first is sent.
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

function rangeOf(context: Context, size: number, tag: string): FilePart | undefined {
  // RFC 9110 §14.2: only for GET. §13.1.5: If-Range with another tag, or a date, means the whole file.
  const ifRange = context.get('If-Range').trim();
  if (context.method !== 'GET' || (ifRange !== '' && ifRange !== tag)) return undefined;
  const range = readRange(context.get('Range'), size);
  if (range === 'whole') return undefined;
  if (range !== 'outside') return range;
  throw new Problem('range-not-satisfiable', `The file has ${size} bytes.`, {
    headers: { 'Content-Range': `bytes */${size}` },
  });
}

async function bytesOf(documents: DocumentStore, key: ContentKey, part: FilePart, onlyCheck: boolean) {
  if (key.size <= MAX_BUFFERED_BYTES) return (await documents.read(key)).subarray(part.start, part.end + 1);
  const file = await documents.open(key, part);
  if (!onlyCheck) return Readable.from(file.bytes(), { objectMode: false });
  await file.close();
  return Buffer.alloc(0);
}

function safeType(mediaType: string | undefined): string {
  return mediaType !== undefined && readMediaType(mediaType) ? mediaType : 'application/octet-stream';
}

const ONE_RANGE = /^bytes[ \t]*=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i;

/**
 * Reads a Range field (RFC 9110 §14.2) for content of `size` bytes.
 * @returns the part; `whole` without a supported range (another unit, malformed, several); `outside` for 416
 */
export function readRange(field: string, size: number): FilePart | 'whole' | 'outside' {
  const match = ONE_RANGE.exec(field);
  if (!match) return 'whole';
  const [, first, last, suffix] = match;
  if (first === undefined) return suffixRange(Number(suffix), size);
  const start = Number(first);
  const end = last === undefined || last === '' ? Infinity : Number(last);
  // RFC 9110 §14.1.1: a range whose end precedes its start is invalid and therefore ignored.
  if (end < start) return 'whole';
  return start >= size ? 'outside' : { start, end: Math.min(end, size - 1) };
}

function suffixRange(length: number, size: number): FilePart | 'whole' | 'outside' {
  if (length === 0) return 'outside';
  return size === 0 ? 'whole' : { start: Math.max(0, size - length), end: size - 1 };
}

/**
 * Makes a Content-Disposition (RFC 6266) with a file name, in ASCII for old clients and in UTF-8. Only the last part of
 * a path is used. Characters that disguise a name, or that file systems reserve, become underscores.
 */
export function inlineAs(fileName: string): string {
  const last = fileName.split(/[/\\]/).pop() ?? '';
  const name = last
    .replace(/[\p{C}\p{Zl}\p{Zp}<>:"|?*]/gu, '_')
    .slice(0, 200)
    .toWellFormed();
  if (/^\.*$/.test(name)) return 'inline';
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9 ._()-]/g, '_');
  const plain = `inline; filename="${ascii}"`;
  return ascii === name ? plain : `${plain}; filename*=${extended(name)}`;
}

/** RFC 8187 §3.2.1: apostrophes separate charset, language and text, so one in the text is encoded. */
function extended(name: string): string {
  const start = "UTF-8''";
  return start + encodeExtended(name).slice(start.length).replaceAll("'", '%27');
}
