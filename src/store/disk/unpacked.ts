import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

const GZIP = [0x1f, 0x8b];

export class BrokenGzip extends Error {
  constructor() {
    super('The gzip data is broken or breaks off.');
    this.name = 'BrokenGzip';
  }
}

/** Yields the bytes of a stream, unpacked if they begin like gzip (RFC 1952 §2.3.1). @throws BrokenGzip */
export async function* unpacked(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = input[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < GZIP.length) {
    const { done, value } = await chunks.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  const whole = withStart(start, chunks);
  if (!GZIP.every((byte, at) => start[at] === byte)) {
    yield* whole;
    return;
  }
  try {
    yield* Readable.from(whole, { objectMode: false }).pipe(createGunzip()) as AsyncIterable<Buffer>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_') !== true) throw error;
    throw new BrokenGzip();
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
