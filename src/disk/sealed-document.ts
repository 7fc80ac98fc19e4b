import { createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { CHUNK_TAG, openChunk, sealChunk } from './sealed-chunk.js';
import type { DataKeys } from './sealed-values.js';
import { KEY_BYTES } from './sealing.js';

// The sealed file of a document is a header, eight bytes that say what it is, the number of the data key (four bytes), a
// salt, and then chunks of 64 KB as `sealChunk` gives them, so that a part of it can be read without the rest.
const MAGIC = Buffer.from('\x89CGDOC1\n', 'latin1');
const SALT = 32;
/** Bytes at the beginning of a sealed file that say, among other things, which data key sealed it. */
export const DOCUMENT_HEADER = MAGIC.length + 4 + SALT;
const HEADER = DOCUMENT_HEADER;
const CHUNK = 1 << 16;
const SEALED_CHUNK = CHUNK + CHUNK_TAG;
const CHUNKS_AT_ONCE = 16;

/** A file whose content can be read; whether it is sealed makes no difference. */
export interface DocumentFile {
  /** Of its content, in bytes. */
  readonly size: number;
  /** The number of the data key; undefined when it is not sealed, as up to version 0.2. */
  readonly key: number | undefined;
  /** What no other sealing of any content has, and every chunk is authenticated with; undefined when it is not sealed. */
  readonly header: Buffer | undefined;
  /** The content from `start` to `end`, both included. @throws Error when it is not as it was written */
  read(start: number, end: number): AsyncGenerator<Uint8Array>;
}

/** Seals what comes, with a key derived for this one file (HKDF, RFC 5869). */
export async function* sealedDocument(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  number: number,
  dataKey: KeyObject,
): AsyncGenerator<Uint8Array> {
  const header = Buffer.concat([MAGIC, Buffer.alloc(4), randomBytes(SALT)]);
  header.writeUInt32BE(number, MAGIC.length);
  const key = keyOfFile(dataKey, header);
  yield header;
  let chunks = 0;
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of bytes) {
    parts.push(part);
    size += part.byteLength;
    if (size <= CHUNK) continue;
    let waiting = Buffer.concat(parts);
    // The last chunk has to be known as such, so one always waits.
    for (; waiting.length > CHUNK; waiting = waiting.subarray(CHUNK))
      yield sealChunk(key, waiting.subarray(0, CHUNK), { number: chunks++, isLast: false, header });
    parts = [waiting];
    size = waiting.length;
  }
  yield sealChunk(key, Buffer.concat(parts), { number: chunks, isLast: true, header });
}

/** The number of the data key in the header of a file; undefined when it is not sealed. */
export function keyInHeader(header: Uint8Array): number | undefined {
  const bytes = Buffer.from(header);
  return isHeader(bytes) ? bytes.readUInt32BE(MAGIC.length) : undefined;
}

/** The number of the data key that sealed a file; undefined when none did, or there is no file. */
export async function sealingKey(file: string): Promise<number | undefined> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (!handle) return undefined;
  try {
    return keyInHeader(await readUpTo(handle, 0, HEADER));
  } finally {
    await handle.close();
  }
}

/** Looks at an open file. @throws Error when its data key is not there */
export async function openDocumentFile(
  handle: FileHandle,
  keys: Pick<DataKeys, 'keyOf'>,
): Promise<DocumentFile> {
  const { size: length } = await handle.stat();
  const header = await readUpTo(handle, 0, HEADER);
  if (!isHeader(header)) {
    const read = (start: number, end: number): AsyncGenerator<Uint8Array> => plain(handle, start, end);
    return { size: length, key: undefined, header: undefined, read };
  }
  const number = header.readUInt32BE(MAGIC.length);
  const key = keyOfFile(keys.keyOf(number), header);
  const chunks = Math.max(1, Math.ceil((length - HEADER) / SEALED_CHUNK));
  return {
    size: length - HEADER - chunks * CHUNK_TAG,
    key: number,
    header,
    async *read(start, end) {
      for (let at = Math.floor(start / CHUNK); at * CHUNK <= end;) {
        const wanted = Math.min(CHUNKS_AT_ONCE, Math.floor(end / CHUNK) - at + 1);
        const sealed = await readUpTo(handle, HEADER + at * SEALED_CHUNK, wanted * SEALED_CHUNK);
        for (let from = 0; from < wanted * SEALED_CHUNK; from += SEALED_CHUNK, at++) {
          const place = { number: at, isLast: at === chunks - 1, header };
          const content = openChunk(key, sealed.subarray(from, from + SEALED_CHUNK), place);
          if (!content) throw new Error('it is not as it was written');
          yield content.subarray(Math.max(0, start - at * CHUNK), end - at * CHUNK + 1);
        }
      }
    },
  };
}

function isHeader(bytes: Buffer): boolean {
  return bytes.length === HEADER && MAGIC.equals(bytes.subarray(0, MAGIC.length));
}

function keyOfFile(dataKey: KeyObject, header: Buffer): KeyObject {
  const salt = header.subarray(MAGIC.length + 4);
  return createSecretKey(
    Buffer.from(hkdfSync('sha256', dataKey.export(), salt, 'chartgraph document', KEY_BYTES)),
  );
}

async function* plain(handle: FileHandle, start: number, end: number): AsyncGenerator<Uint8Array> {
  for (let at = start; at <= end;) {
    const piece = await readUpTo(handle, at, Math.min(SEALED_CHUNK * CHUNKS_AT_ONCE, end - at + 1));
    if (piece.length === 0) throw new Error('it became shorter while it was read');
    yield piece;
    at += piece.length;
  }
}

async function readUpTo(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
