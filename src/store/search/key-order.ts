/**
 * Orders texts by their characters, as an engine does (by code points), and not by the halves of those that take two
 * (by UTF-16 code units, as JavaScript does).
 */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === end) return a.length - b.length;
  return weightOf(a.charCodeAt(at)) - weightOf(b.charCodeAt(at));
}

/** Where the first key that is not less than another stands, or would stand. */
export function placeOf(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareKeys(keys[middle] ?? '', key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const FIRST_HALF = 0xd800;
const LAST_HALF = 0xdfff;
const BEHIND_ALL = 0x10000;

/** Halves stand for characters behind all that take one unit. */
function weightOf(unit: number): number {
  return unit >= FIRST_HALF && unit <= LAST_HALF ? unit + BEHIND_ALL : unit;
}
