import { foldName } from '../query/fold.js';

/** Numbers shorter than this are in too many texts to tell of anybody. */
const LEAST = 6;
/** So much of a long one is looked for. */
const MOST = 40;

/**
 * What a person is known by, to be looked for in texts that should tell nothing of a person: names, and numbers such as
 * those of charts and telephones. A single name is not looked for: "White" and "Rose" are in too many titles of codes,
 * and that a title is missing would tell the name. Two of the names next to each other are.
 */
export class KnownNames {
  readonly #words = new Set<string>();
  /** By their length: letters and digits alone, in small letters. */
  readonly #numbers = new Map<number, Set<string>>();

  /** @param texts values of direct identifiers, and dates of birth */
  constructor(texts: Iterable<string>) {
    for (const text of texts) {
      const packed = pack(text).slice(0, MOST);
      if (!/\d/.test(text)) for (const word of wordsOf(text)) this.#words.add(word);
      else if (packed.length >= LEAST) {
        const same = this.#numbers.get(packed.length) ?? new Set();
        this.#numbers.set(packed.length, same.add(packed));
      }
    }
  }

  /** Whether a text holds two names side by side, or a number. Linear in the text: numbers have at most 35 lengths. */
  areIn(text: string): boolean {
    return this.#hasNames(text) || this.#hasNumber(text);
  }

  #hasNames(text: string): boolean {
    if (this.#words.size < 2) return false;
    let before: string | undefined;
    for (const word of wordsOf(text)) {
      const name = this.#words.has(word) ? word : undefined;
      if (name !== undefined && before !== undefined && name !== before) return true;
      before = name;
    }
    return false;
  }

  #hasNumber(text: string): boolean {
    if (this.#numbers.size === 0 || text.length < LEAST) return false;
    const packed = pack(text);
    for (const [length, numbers] of this.#numbers)
      for (let at = 0; at + length <= packed.length; at++)
        if (numbers.has(packed.slice(at, at + length))) return true;
    return false;
  }
}

/** Single letters are initials and much else. */
const wordsOf = (text: string): string[] =>
  foldName(text)
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > 1);

const pack = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
