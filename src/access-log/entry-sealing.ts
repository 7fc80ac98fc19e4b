import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  type Cipher,
  type Decipher,
} from 'node:crypto';
import { isInTheClear } from './chain-lines.js';

/**
 * How entries are stored: the one place that knows. The hashes of the chain cover what is stored, so that it can be
 * verified without any key.
 */
export interface Sealing {
  /** The stored forms of texts, in their order: each one line of printable ASCII that does not say `closed`. */
  seal(texts: readonly string[]): string[];
  /** The text of a stored form, sealed or in the clear. @throws when it cannot be opened */
  open(stored: string): string;
  /** The name under which an id stands in the index: without the key nobody can try ids. */
  name(id: string): string;
}

const CIPHER = 'aes-256-ctr';
const BLOCK = 16;
const STREAM_BYTES = 16;
const STORED = /^([A-Za-z0-9_-]{22})\.(\d{1,15})\.([A-Za-z0-9_-]+)$/u;
/** How many streams of others are kept open while entries are read: those of some processes interleave. */
const OPEN_STREAMS = 64;

interface Reading {
  readonly decipher: Decipher;
  /** How far the stream was read, in bytes. */
  at: number;
}

/**
 * Seals entries with AES-256-CTR (NIST SP 800-38A): `stream.offset.content`, the last two of base64url. Each process
 * writes a stream of its own, under a key that is derived from the key of the log and the random name of the stream, so
 * that no part of a key stream is used twice; setting up a cipher for each entry would cost more than all the rest. The
 * chain of hashes, not the cipher, shows changes. What is in the clear, because it has to be read without the key,
 * begins as JSON does.
 * @param key the key of the log, 32 bytes
 */
export function sealedWith(key: Uint8Array): Sealing {
  const keyOf = (use: string): Buffer => createHmac('sha256', key).update(use).digest();
  const naming = keyOf('names');
  const streamKey = (stream: string): Buffer => keyOf(`stream ${stream}`);
  let writing: { readonly stream: string; readonly cipher: Cipher; at: number } | undefined;
  const readings = new Map<string, Reading>();

  const begin = (): NonNullable<typeof writing> => {
    const stream = randomBytes(STREAM_BYTES).toString('base64url');
    return { stream, cipher: createCipheriv(CIPHER, streamKey(stream), Buffer.alloc(BLOCK)), at: 0 };
  };

  const readingAt = (stream: string, offset: number): Reading => {
    const open = readings.get(stream);
    if (open?.at === offset) return open;
    const counter = Buffer.alloc(BLOCK);
    counter.writeBigUInt64BE(BigInt(Math.floor(offset / BLOCK)), BLOCK - 8);
    const decipher = createDecipheriv(CIPHER, streamKey(stream), counter);
    decipher.update(Buffer.alloc(offset % BLOCK));
    const reading = { decipher, at: offset };
    if (readings.size >= OPEN_STREAMS) readings.clear();
    readings.set(stream, reading);
    return reading;
  };

  return {
    seal(texts) {
      const open = (writing ??= begin());
      // One call for all: each would cost as much as encrypting an entry.
      const contents = open.cipher.update(texts.join(''), 'utf8');
      let from = 0;
      const stored = texts.map((text) => {
        const end = from + Buffer.byteLength(text);
        const content = contents.toString('base64url', from, end);
        const line = `${open.stream}.${open.at + from}.${content}`;
        from = end;
        return line;
      });
      open.at += contents.length;
      return stored;
    },
    open(stored) {
      if (isInTheClear(stored)) return stored;
      const [, stream, offset, text] = STORED.exec(stored) ?? [];
      if (stream === undefined || text === undefined) throw new Error('the entry is not one of the log');
      const content = Buffer.from(text, 'base64url');
      const reading = readingAt(stream, Number(offset));
      reading.at += content.length;
      return reading.decipher.update(content).toString('utf8');
    },
    name: (id) => createHmac('sha256', naming).update(id).digest('base64url'),
  };
}
