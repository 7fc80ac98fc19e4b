/** What ajv asks of a regular expression. */
export interface Pattern {
  test(text: string): boolean;
  toString(): string;
}

/** The pattern of codes, which all texts of visible ASCII match. */
const CODE = '^(?!\\s|[\\s\\S]*\\s\\s)[\\s\\S]*\\S$';
/** How patterns of URIs begin, which all texts of visible ASCII match but some URNs. */
const URI = '^(?!urn:(?:uuid|oid):)\\S+$';

/** Texts that surely match a pattern: a short way to yes; undefined for patterns that have none. */
export function quickTest(source: string): ((text: string) => boolean) | undefined {
  if (source === CODE) return isVisibleAscii;
  return source.startsWith(URI) ? (text) => isVisibleAscii(text) && !/^urn:[uo]/u.test(text) : undefined;
}

/** The pattern of strings: anything but the empty one. */
export const ANYTHING = '[\\s\\S]';

/** How patterns of dates and times say that seconds may have any number of decimals. */
export const FRACTION = '(?:\\.[0-9]+)?';

/**
 * A text with at most one digit after its first point: patterns of dates say the same of it. Going back over millions of
 * digits, the engine of regular expressions may run out of stack.
 */
export function shortFraction(text: string): string {
  const point = text.length < 64 ? -1 : text.indexOf('.');
  if (point < 0) return text;
  let end = point + 1;
  while (isDigit(text.charCodeAt(end))) end++;
  return text.slice(0, Math.min(point + 2, end)) + text.slice(end);
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/**
 * The regular expressions of the schema for ajv, with a short way to yes for the texts that are nearly all there are.
 * Answers are those of the expression itself.
 */
export const quickRegExp = Object.assign(
  (source: string, flags: string): Pattern => {
    const pattern = new RegExp(source, flags);
    // ajv tells patterns apart by what toString gives.
    const toString = (): string => pattern.toString();
    if (source === ANYTHING) return { test: (text) => text.length > 0, toString };
    if (source.includes(FRACTION)) return { test: (text) => pattern.test(shortFraction(text)), toString };
    const quick = quickTest(source);
    return quick ? { test: (text) => quick(text) || pattern.test(text), toString } : pattern;
  },
  { code: 'new RegExp' },
);

export function isVisibleAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 || code >= 0x7f) return false;
  }
  return text.length > 0;
}
