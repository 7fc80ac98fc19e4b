import { keepNumberText } from './number-text.js';

const QUOTE = 0x22;
const MINUS = 0x2d;
const BACKSLASH = 0x5c;
/** Digits of which every integer is written as JavaScript writes it. */
const SURE_DIGITS = 15;
const colon = /[ \t\n\r]*:/y;

/** A number that JavaScript may write in another way: which of the numbers of a text it is, from 0, and how it stands there. */
type OddNumber = readonly [number: number, text: string];

/**
 * The value of a JSON text as the engine reads it, where there is nothing more to be told of the text than how its
 * numbers are written: no name stands twice in an object or holds an escape, and nothing nests too deep. Undefined for
 * every other text, and for what is no JSON. It takes a quarter of the time of reading it character by character.
 */
export function quickJson(text: string, maxDepth: number): unknown {
  const found = look(text, maxDepth);
  if (found === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const members = new Members(found.odd);
    members.count(value);
    // Of a name that stands twice the value has one.
    return members.names === found.names && members.isInOrder ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * How many names of members a text holds, if it is JSON, and its odd numbers; undefined where a name holds an escape,
 * or something nests deeper than that. Escapes in names are not left to the engine: Node.js 24 reads some of them as
 * others (https://github.com/nodejs/node/issues/63785).
 */
function look(text: string, maxDepth: number): { names: number; odd: OddNumber[] } | undefined {
  const odd: OddNumber[] = [];
  let [names, depth, numbers] = [0, 0, 0];
  let slash = text.indexOf('\\');
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const start = at;
      at = endOfString(text, start);
      if (at < 0) return undefined;
      if (slash >= 0 && slash < start) slash = text.indexOf('\\', start);
      if (slash >= 0 && slash < at && isName(text, at)) return undefined;
      continue;
    }
    switch (code) {
      // ':'
      case 0x3a:
        names++;
        break;
      // '[' and '{'
      case 0x5b:
      case 0x7b:
        if (++depth > maxDepth) return undefined;
        break;
      // ']' and '}'
      case 0x5d:
      case 0x7d:
        depth--;
        break;
      default:
        if (code === MINUS || isDigit(code)) {
          const start = at;
          let isOdd = code === MINUS;
          for (; isInNumber(text.charCodeAt(at + 1)); at++) isOdd ||= !isDigit(text.charCodeAt(at + 1));
          if (isOdd || at - start >= SURE_DIGITS) odd.push([numbers, text.slice(start, at + 1)]);
          numbers++;
        }
    }
  }
  return { names, odd };
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** A digit, or one of `-`, `+`, `.`, `E` and `e`. */
const isInNumber = (code: number): boolean =>
  isDigit(code) || code === MINUS || code === 0x2b || code === 0x2e || code === 0x45 || code === 0x65;

/** Whether a string that ends at a place is the name of a member. */
function isName(text: string, end: number): boolean {
  colon.lastIndex = end + 1;
  return colon.test(text);
}

/** Where the string that begins at a place ends; -1 where it does not. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

/** Counts the members of a value that was parsed, and finds the odd numbers of its text in it. */
class Members {
  names = 0;
  /** Whether members stand in the order of the text: the engine puts those that are named by a number first. */
  isInOrder = true;
  #numbers = 0;
  #next = 0;

  constructor(private readonly odd: readonly OddNumber[]) {}

  count(value: unknown): void {
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at++) {
        const each: unknown = value[at];
        if (typeof each === 'number') this.#number(value, String(at), each);
        else if (typeof each === 'object') this.count(each);
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const key in value) {
        this.names++;
        if (this.odd.length > 0 && isDigit(key.charCodeAt(0))) this.isInOrder = false;
        const member = (value as Readonly<Record<string, unknown>>)[key];
        if (typeof member === 'number') this.#number(value, key, member);
        else if (typeof member === 'object') this.count(member);
      }
    }
  }

  #number(holder: object, key: string, value: number): void {
    const [number, text] = this.odd[this.#next] ?? [];
    if (number === this.#numbers && text !== undefined) {
      this.#next++;
      keepNumberText(holder, key, text, value);
    }
    this.#numbers++;
  }
}
