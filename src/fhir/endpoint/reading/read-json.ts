import { isUtf8 } from 'node:buffer';
import {
  endpointProblem,
  pointerOf,
  quoted,
  type EndpointProblem,
  type EndpointRule,
} from '../endpoint-problem.js';
import { keepNumberText } from './write-json.js';
import { MAX_DEPTH } from '../rules/walk.js';

/** V8 copies shorter strings, quotation marks included. */
const SHORT = 14;

export interface JsonDocument {
  /** As `JSON.parse` returns it: the last value of a duplicate name counts, and `__proto__` is a name like any other. */
  readonly value: unknown;
  /** Duplicate names in an object. */
  readonly problems: readonly EndpointProblem[];
}

/** A text that is no JSON, or nests too deep to be read. */
export class UnreadableJson extends Error {
  readonly problem: EndpointProblem;

  constructor(rule: EndpointRule, message: string, pointer = '') {
    super(message);
    this.name = 'UnreadableJson';
    this.problem = endpointProblem(pointer, rule, message);
  }
}

/**
 * Reads one JSON text (RFC 8259), strictly, in time linear in its length. It keeps the texts of numbers for
 * `numberText`.
 * @param line where it begins
 * @throws UnreadableJson with line and column (in UTF-16 units), both from 1
 */
export function readJson(text: string, line = 1): JsonDocument {
  const reader = new Reader(text, line);
  const value = reader.document();
  return { value, problems: reader.problems };
}

const plain = /[^"\\\u0000-\u001f]*/y;
const space = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

const words = new Map<string, readonly [word: string, value: boolean | null]>([
  ['t', ['true', true]],
  ['f', ['false', false]],
  ['n', ['null', null]],
]);

class Reader {
  readonly problems: EndpointProblem[] = [];
  readonly #text: string;
  readonly #path: (string | number)[] = [];
  #at = 0;
  /** A position, its line and the start of the line. */
  #counted: { at: number; line: number; start: number };

  constructor(
    text: string,
    private readonly line: number,
  ) {
    this.#text = text;
    this.#counted = { at: 0, line, start: 0 };
  }

  document(): unknown {
    const root: Record<string, unknown> = {};
    this.#space();
    if (this.#at === this.#text.length) throw this.#fault('there is nothing in it');
    const value = this.#value(root, '');
    this.#space();
    if (this.#at < this.#text.length) throw this.#fault(`${this.#shown()} stands after the end of the value`);
    return value;
  }

  #value(holder: object, key: string): unknown {
    const first = this.#text[this.#at] ?? '';
    if (first === '"') return this.#string();
    if (first === '{') return this.#object();
    if (first === '[') return this.#array();
    const [word, value] = words.get(first) ?? [];
    if (word !== undefined && value !== undefined && this.#text.startsWith(word, this.#at)) {
      this.#at += word.length;
      return value;
    }
    return this.#number(holder, key);
  }

  #object(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    this.#open();
    for (let more = !this.#closes('}'); more; more = this.#continues('}')) {
      if (this.#text[this.#at] !== '"')
        throw this.#fault(`a name in quotation marks is missing before ${this.#shown()}`);
      const start = this.#at;
      const key = this.#string();
      this.#space();
      if (this.#text[this.#at] !== ':') throw this.#fault(`":" is missing before ${this.#shown()}`);
      this.#at++;
      this.#space();
      if (Object.hasOwn(object, key)) this.#twice(key, start);
      this.#path.push(key);
      const value = this.#value(object, key);
      this.#path.pop();
      if (key === '__proto__')
        Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
      else object[key] = value;
    }
    return object;
  }

  #array(): unknown[] {
    const array: unknown[] = [];
    this.#open();
    for (let more = !this.#closes(']'); more; more = this.#continues(']')) {
      this.#path.push(array.length);
      array.push(this.#value(array, String(array.length)));
      this.#path.pop();
    }
    return array;
  }

  #open(): void {
    if (this.#path.length >= MAX_DEPTH)
      throw new UnreadableJson(
        'nesting',
        `Objects and arrays nest deeper than ${MAX_DEPTH}, at ${this.#place(this.#at)}.`,
      );
    this.#at++;
    this.#space();
  }

  #closes(bracket: string): boolean {
    if (this.#text[this.#at] !== bracket) return false;
    this.#at++;
    return true;
  }

  /** Whether another value follows the last one. */
  #continues(bracket: string): boolean {
    this.#space();
    if (this.#closes(bracket)) return false;
    if (this.#text[this.#at] !== ',')
      throw this.#fault(`"," or "${bracket}" is missing before ${this.#shown()}`);
    this.#at++;
    this.#space();
    return true;
  }

  #string(): string {
    const start = this.#at++;
    let escaped = false;
    for (;;) {
      plain.lastIndex = this.#at;
      plain.test(this.#text);
      this.#at = plain.lastIndex;
      const next = this.#text[this.#at];
      if (next === '"') break;
      if (next === undefined) throw this.#fault('the string that begins there is not closed', start);
      escape.lastIndex = this.#at;
      if (!escape.test(this.#text))
        throw this.#fault(
          next === '\\' ? 'JSON has no such escape' : `a string cannot hold the character ${this.#shown()}`,
        );
      this.#at = escape.lastIndex;
      escaped = true;
    }
    this.#at++;
    // Only what has been found well-formed is given to the engine, which decodes it faster than we could. It also makes a
    // string of its own: a slice of 13 characters or more would keep the whole text in memory as long as it lives.
    if (escaped || this.#at - start > SHORT) return JSON.parse(this.#text.slice(start, this.#at)) as string;
    return this.#text.slice(start + 1, this.#at - 1);
  }

  #number(holder: object, key: string): number {
    number.lastIndex = this.#at;
    if (!number.test(this.#text)) throw this.#fault(`${this.#shown()} begins no JSON value`);
    const text = this.#text.slice(this.#at, number.lastIndex);
    this.#at = number.lastIndex;
    const value = Number(text);
    keepNumberText(holder, key, text, value);
    return value;
  }

  #space(): void {
    const code = this.#text.charCodeAt(this.#at);
    if (code > 0x20) return;
    space.lastIndex = this.#at;
    space.test(this.#text);
    this.#at = space.lastIndex;
  }

  #twice(key: string, at: number): void {
    const pointer = pointerOf([...this.#path, key]);
    const message = `${quoted(key)} stands twice in one object (${this.#place(at)}).`;
    this.problems.push(endpointProblem(pointer, 'duplicate-key', message));
  }

  #fault(reason: string, at = this.#at): UnreadableJson {
    // Something missing at the end of a text is missing after its last token, not in an empty line below.
    if (at === this.#text.length) at = this.#text.trimEnd().length;
    return new UnreadableJson('json', `This is no JSON: at ${this.#place(at)} ${reason}.`);
  }

  /** Describes the next character for a message. */
  #shown(): string {
    const code = this.#text.codePointAt(this.#at);
    return code === undefined ? 'the end of the text' : JSON.stringify(String.fromCodePoint(code));
  }

  #place(at: number): string {
    // Positions nearly always come in order, so counting lines continues from the last one.
    if (at < this.#counted.at) this.#counted = { at: 0, line: this.line, start: 0 };
    let { line, start } = this.#counted;
    for (
      let end = this.#text.indexOf('\n', start);
      end >= 0 && end < at;
      end = this.#text.indexOf('\n', start)
    ) {
      line++;
      start = end + 1;
    }
    this.#counted = { at, line, start };
    return `line ${line}, column ${at - start + 1}`;
  }
}

const LINE_FEED = 0x0a;
/** Made once: making one takes longer than decoding a line. */
const decoder = new TextDecoder('utf-8');

/**
 * Decodes a JSON document: UTF-8 (RFC 8259 §8.1), with or without a byte order mark.
 * @throws UnreadableJson with the line of the first bytes that are not UTF-8
 */
export function decodeText(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return decoder.decode(bytes);
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new UnreadableJson('text-encoding', 'The text is UTF-16; JSON is exchanged as UTF-8.');
  const { line, byte } = firstFault(bytes);
  const shown = `0x${(bytes[byte] ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
  throw new UnreadableJson(
    'text-encoding',
    `The text is not UTF-8: the byte ${shown} at offset ${byte}, in line ${line}, is no part of a character.`,
  );
}

/** No line feed is part of another character, so each line can be checked by itself. */
function firstFault(bytes: Uint8Array): { line: number; byte: number } {
  let line = 1;
  for (let start = 0; ; line++) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found < 0 ? bytes.length : found;
    const text = bytes.subarray(start, end);
    if (!isUtf8(text)) return { line, byte: start + soundStart(text) };
    if (found < 0) return { line, byte: start };
    start = end + 1;
  }
}

/** Counts the valid bytes at the start, by bisection; a character cut off at their end is valid. */
function soundStart(bytes: Uint8Array): number {
  let sound = 0;
  let broken = bytes.length;
  while (sound < broken) {
    const middle = Math.ceil((sound + broken) / 2);
    if (isSound(bytes.subarray(0, middle))) sound = middle;
    else broken = middle - 1;
  }
  // The cut-off character belongs to the error.
  while (sound > 0 && !isUtf8(bytes.subarray(0, sound))) sound--;
  return sound;
}

function isSound(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
