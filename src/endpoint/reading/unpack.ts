import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UnreadableJson } from './read-json.js';

const GZIP = [0x1f, 0x8b];

/**
 * The bytes of a stream, unpacked when they begin as gzip does (RFC 1952 §2.3.1).
 * @throws UnreadableJson when the gzip data is broken or breaks off
 */
export async function* unpacked(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = input[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < GZIP.length) {
    const { done, value } = await pieces.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  const whole = withStart(start, pieces);
  if (!GZIP.every((byte, at) => start[at] === byte)) {
    yield* whole;
    return;
  }
  try {
    yield* Readable.from(whole, { objectMode: false }).pipe(createGunzip()) as AsyncIterable<Buffer>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_') !== true) throw error;
    throw new UnreadableJson('unreadable', 'The gzip data is broken or breaks off.');
  }
}

async function* withStart(start: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (start.length > 0) yield start;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** The first text of a stream, unpacked: as much as stands in its first bytes, broken characters replaced. */
export async function firstText(input: AsyncIterable<Uint8Array>, bytes: number): Promise<string> {
  let start = Buffer.alloc(0);
  for await (const piece of unpacked(input)) {
    start = Buffer.concat([start, piece]);
    if (start.length >= bytes) break;
  }
  return start.subarray(0, bytes).toString('utf8');
}
