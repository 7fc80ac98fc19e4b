import { createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { CHUNK_TAG, openChunk, sealChunk } from '../disk/sealed-chunk.js';
import type { DataKeys } from '../disk/sealed-values.js';
import { KEY_BYTES } from '../disk/sealing.js';

// The sealed file of a document: a header (magic, number of the data key, salt), then chunks of 64 KB from `sealChunk`,
// so that parts can be read alone.
const MAGIC = Buffer.from('\x89CGDOC1\n', 'latin1');
const SALT = 32;
/** Length of the header, which tells the data key of a file. */
export const DOCUMENT_HEADER = MAGIC.length + 4 + SALT;
const HEADER = DOCUMENT_HEADER;
const CHUNK = 1 << 16;
const SEALED_CHUNK = CHUNK + CHUNK_TAG;
const CHUNKS_AT_ONCE = 16;

export type DocumentFile = Awaited<ReturnType<typeof openDocumentFile>>;

/** Seals bytes with a key derived for this file (HKDF, RFC 5869). */
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
    let pending = Buffer.concat(parts);
    // Hold one chunk back, since the last one is marked.
    for (; pending.length > CHUNK; pending = pending.subarray(CHUNK))
      yield sealChunk(key, pending.subarray(0, CHUNK), { number: chunks++, isLast: false, header });
    parts = [pending];
    size = pending.length;
  }
  yield sealChunk(key, Buffer.concat(parts), { number: chunks, isLast: true, header });
}

/** Returns the number of the data key; undefined when the file is not sealed. */
export function keyInHeader(header: Uint8Array): number | undefined {
  const bytes = Buffer.from(header);
  return isHeader(bytes) ? bytes.readUInt32BE(MAGIC.length) : undefined;
}

export async function sealingKey(file: string): Promise<number | undefined> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (!handle) return undefined;
  try {
    return keyInHeader(await readUpTo(handle, 0, HEADER));
  } finally {
    await handle.close();
  }
}

/** @throws Error when the file is not sealed, or its data key is missing */
export async function openDocumentFile(handle: FileHandle, keys: Pick<DataKeys, 'keyOf'>) {
  const { size: length } = await handle.stat();
  const header = await readUpTo(handle, 0, HEADER);
  if (!isHeader(header)) throw new Error('it is not sealed');
  const number = header.readUInt32BE(MAGIC.length);
  const key = keyOfFile(keys.keyOf(number), header);
  const chunks = Math.max(1, Math.ceil((length - HEADER) / SEALED_CHUNK));
  return {
    size: length - HEADER - chunks * CHUNK_TAG,
    key: number,
    header,
    /** Yields the content from `start` to `end`, both included. @throws Error when it was altered */
    async *read(start: number, end: number): AsyncGenerator<Uint8Array> {
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
