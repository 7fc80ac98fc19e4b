import type { FilePart } from '../../disk/document-files.js';

const ONE_RANGE = /^bytes[ \t]*=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i;

/**
 * Reads a Range field (RFC 9110 §14.2) against content of `size` bytes.
 * @returns the part; `whole` where there is no range that we answer (none, another unit, a broken one, several);
 *   `outside` where the one that is asked for has nothing in common with the content (416)
 */
export function readRange(field: string, size: number): FilePart | 'whole' | 'outside' {
  const match = ONE_RANGE.exec(field);
  if (!match) return 'whole';
  const [, first, last, suffix] = match;
  if (first === undefined) return suffixRange(Number(suffix), size);
  const start = Number(first);
  const end = last === undefined || last === '' ? Infinity : Number(last);
  // RFC 9110 §14.1.1: a last position before the first makes the range invalid, and so it is ignored.
  if (end < start) return 'whole';
  return start >= size ? 'outside' : { start, end: Math.min(end, size - 1) };
}

function suffixRange(length: number, size: number): FilePart | 'whole' | 'outside' {
  if (length === 0) return 'outside';
  // No Content-Range can describe a part of nothing.
  return size === 0 ? 'whole' : { start: Math.max(0, size - length), end: size - 1 };
}
