import type { Context } from 'koa';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync, type BrotliOptions } from 'node:zlib';
import { typeAliases } from '../../rdf/formats.js';
import { Problem } from '../../model/problem.js';
import type { Representation } from '../answer.js';

/** The default of Java's HttpURLConnection; no browser sends it. */
const JAVA_DEFAULT = /^text\/html, image\/gif, image\/jpeg, \*/;

/**
 * Chooses a representation: `?_format=` before Accept (RFC 9110 §12.5.1), else the first.
 * @returns undefined when Accept excludes all of them
 * @throws Problem invalid-parameter for an unknown `_format`
 */
export function chooseRepresentation(
  context: Context,
  format: string | undefined,
  offered: readonly Representation[],
): Representation | undefined {
  if (format !== undefined && offered.some((each) => each.format !== undefined)) {
    const named = offered.find((each) => each.format === format);
    if (named) return named;
    const names = offered.flatMap((each) => each.format ?? []).join(', ');
    throw new Problem('invalid-parameter', `_format is one of ${names}.`, {
      extra: { parameter: '_format' },
    });
  }
  const accept = context.req.headers.accept;
  if (accept === undefined || accept === '*/*' || JAVA_DEFAULT.test(accept)) return offered[0];
  const exact = offered.find(({ mediaType }) => mediaType === accept);
  if (exact) return exact;
  const types = offered.map(({ mediaType }) => bare(mediaType));
  const chosen = preferredType(accept, types, typeAliases);
  return offered[chosen === undefined ? -1 : types.indexOf(chosen)];
}

/** Whether a browser sent the request: it prefers HTML and accepts anything else too. */
export function isBrowser(context: Context): boolean {
  const field = context.get('Accept');
  return (
    field.includes('*/*') && !JAVA_DEFAULT.test(field) && preferredType(field, PROBLEM_TYPES) === 'text/html'
  );
}

const PROBLEM_TYPES = ['application/problem+json', 'application/json', 'text/html'];

export function notAcceptable(offered: readonly Representation[]): Problem {
  const types = offered.map(({ mediaType }) => bare(mediaType)).join(', ');
  return new Problem('not-acceptable', `This call answers with ${types}.`);
}

const bare = (mediaType: string): string => mediaType.replace(/;.*/, '');

interface Range {
  readonly essence: string;
  readonly quality: number;
}

/**
 * Returns the media type that an Accept field prefers (RFC 9110 §12.5.1). The most specific matching range gives the
 * quality of a type. Among equal qualities, the more specific range wins, then the one earlier in the field, then the
 * earlier offer. Parameters of ranges are ignored, since offers have none.
 * @param aliases other names of an offer; ranges such as `text/*` do not include them
 * @returns undefined when every offer is excluded
 */
export function preferredType(
  field: string,
  offered: readonly string[],
  aliases: Readonly<Record<string, readonly string[]>> = {},
): string | undefined {
  if (field.trim() === '') return offered[0];
  const ranges = readAccept(field);
  const [best] = offered
    .flatMap((type) => {
      const [range, specificity] = rangeFor([type, ...(aliases[type] ?? [])], ranges);
      if (!range || range.quality === 0) return [];
      return [{ type, quality: range.quality, specificity, at: ranges.indexOf(range) }];
    })
    .sort((a, b) => b.quality - a.quality || b.specificity - a.specificity || a.at - b.at);
  return best?.type;
}

/** Returns the best range and its specificity: 2 exact, 1 `type/*`, 0 all. @param names the registered one first */
function rangeFor(
  names: readonly [string, ...string[]],
  ranges: readonly Range[],
): [Range | undefined, number] {
  const steps = [names, [names[0].replace(/\/.*/, '/*')], ['*/*']];
  for (const [index, step] of steps.entries()) {
    const fitting = ranges.filter(({ essence }) => step.includes(essence));
    const [best] = fitting.sort((a, b) => b.quality - a.quality);
    if (best) return [best, 2 - index];
  }
  return [undefined, 0];
}

/** Reads the ranges of Accept and drops malformed ones, but not Java's `*; q=.2`. */
function readAccept(field: string): Range[] {
  // A quoted string may contain commas and semicolons. An unclosed one extends to the end of the field: otherwise,
  // each of many quotation marks would cost a scan of the rest.
  const parts = field.match(/(?:"(?:\\.|[^"\\])*(?:"|\\?$)|[^,"])+/g) ?? [];
  return parts.flatMap((part) => {
    const pieces = part.match(/(?:"(?:\\.|[^"\\])*(?:"|\\?$)|[^;"])+/g) ?? [];
    const [name = '', ...parameters] = pieces.map((piece) => piece.trim().toLowerCase());
    const essence = name === '*' ? '*/*' : name;
    if (!/^[^\s/]+\/[^\s/]+$/.test(essence)) return [];
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '');
    if (weight === undefined) return [{ essence, quality: 1 }];
    return /^(?:0(?:\.\d{0,3})?|\.\d{1,3}|1(?:\.0{0,3})?)$/.test(weight)
      ? [{ essence, quality: Number(weight) }]
      : [];
  });
}

// Compressing at these levels takes less time than sending the saved bytes: 42 KB take 0.1 and 0.2 ms.
const GZIP = { level: 6 };
const brotli = ({ byteLength }: Buffer): BrotliOptions => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: byteLength },
});
const [gzipLater, brotliLater] = [promisify(gzip), promisify(brotliCompress)];

interface Coder {
  now(body: Buffer): Buffer;
  later(body: Buffer): Promise<Buffer>;
}

/** Content codings (RFC 9110 §8.4.1), the best first. */
const coders = {
  br: {
    now: (body) => brotliCompressSync(body, brotli(body)),
    later: (body) => brotliLater(body, brotli(body)),
  },
  gzip: { now: (body) => gzipSync(body, GZIP), later: (body) => gzipLater(body, GZIP) },
} as const satisfies Readonly<Record<string, Coder>>;

export type Coding = keyof typeof coders | 'identity';

const offeredCodings = Object.keys(coders) as readonly (keyof typeof coders)[];

const MIN_CODED_BYTES = 1024;
/** Compressing this many bytes blocks the event loop for several milliseconds. */
const LONG = 512 * 1024;

const codingAliases: Readonly<Record<string, string>> = { 'x-gzip': 'gzip' };

/**
 * Chooses the coding for an Accept-Encoding field (RFC 9110 §12.5.3): the highest quality, among equals the one that
 * compresses best. The body is not coded without the field, or if it excludes everything.
 * @param codings the available codings, the best first
 */
export function chooseCoding(field: string | undefined, codings = offeredCodings): Coding {
  if (field === undefined || field === '') return 'identity';
  const qualities = readQualities(field);
  const star = qualities.get('*') ?? 0;
  let chosen: Coding = 'identity';
  // A client that names codings prefers them to an unnamed identity.
  let best = qualities.get('identity') ?? 0;
  for (const coding of [...codings].reverse()) {
    const quality = qualities.get(coding) ?? star;
    if (quality > 0 && quality >= best) [chosen, best] = [coding, quality];
  }
  return chosen;
}

/** Compresses a body; undefined if it is too short. */
export function coded(body: Buffer, coding: keyof typeof coders): Buffer | undefined {
  return body.byteLength < MIN_CODED_BYTES ? undefined : coders[coding].now(body);
}

/** Compresses a long body in another thread. */
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
    if (name !== '') qualities.set(codingAliases[name] ?? name, quality);
  }
  return qualities;
}
