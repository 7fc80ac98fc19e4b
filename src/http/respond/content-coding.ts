import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync, type BrotliOptions } from 'node:zlib';

// Levels that cost less time than sending the bytes they save: 42 KB take 0.1 and 0.2 ms.
const GZIP = { level: 6 };
const brotli = ({ byteLength }: Buffer): BrotliOptions => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: byteLength },
});
const [gzipLater, brotliLater] = [promisify(gzip), promisify(brotliCompress)];

interface Coder {
  now(body: Buffer): Buffer;
  /** In a thread of Node.js. */
  later(body: Buffer): Promise<Buffer>;
}

/** What an answer may be coded with, the best first (RFC 9110 §8.4.1). */
const coders = {
  br: {
    now: (body) => brotliCompressSync(body, brotli(body)),
    later: (body) => brotliLater(body, brotli(body)),
  },
  gzip: { now: (body) => gzipSync(body, GZIP), later: (body) => gzipLater(body, GZIP) },
} as const satisfies Readonly<Record<string, Coder>>;

export type Coding = keyof typeof coders | 'identity';

const offered = Object.keys(coders) as readonly (keyof typeof coders)[];

/** Shorter texts gain nothing that the headers do not take back, in bytes. */
const SMALLEST = 1024;
/** Longer texts would keep the event loop busy for some milliseconds. */
const LONG = 512 * 1024;

/** Other names of a coding (RFC 9110 §8.4.1.3). */
const aliases: Readonly<Record<string, string>> = { 'x-gzip': 'gzip' };

/**
 * The coding that an Accept-Encoding field asks for (RFC 9110 §12.5.3): the one of the highest quality, among equals
 * ours that is smallest. Without the field, or where it excludes everything, nothing is coded.
 * @param codings those that there are, the best first
 */
export function chooseCoding(field: string | undefined, codings = offered): Coding {
  if (field === undefined || field === '') return 'identity';
  const qualities = readQualities(field);
  const star = qualities.get('*') ?? 0;
  let chosen: Coding = 'identity';
  // What is not named but may come uncoded is the last choice: a client that names codings wants one of them.
  let best = qualities.get('identity') ?? 0;
  for (const coding of [...codings].reverse()) {
    const quality = qualities.get(coding) ?? star;
    if (quality > 0 && quality >= best) [chosen, best] = [coding, quality];
  }
  return chosen;
}

/** RFC 9110 §8.8.3.3: each coding of an answer has a tag of its own. */
export function codedTag(tag: string, coding: Coding): string {
  return coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`;
}

/** A body in a coding, or undefined where it is too short to be worth it. */
export function coded(body: Buffer, coding: keyof typeof coders): Buffer | undefined {
  return body.byteLength < SMALLEST ? undefined : coders[coding].now(body);
}

/** The same, made in another thread, of a body that would keep this one busy. */
export function codedLater(body: Buffer, coding: keyof typeof coders): Promise<Buffer> {
  return coders[coding].later(body);
}

export const takesLongToCode = (body: Buffer): boolean => body.byteLength >= LONG;

function readQualities(field: string): Map<string, number> {
  const qualities = new Map<string, number>();
  for (const part of field.toLowerCase().split(',')) {
    const [, name = '', weight] = /^\s*([^\s;,]+)\s*(?:;\s*q\s*=\s*([^\s;]*)\s*)?$/.exec(part) ?? [];
    const quality =
      weight === undefined ? 1 : /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
    if (name !== '') qualities.set(aliases[name] ?? name, quality);
  }
  return qualities;
}
