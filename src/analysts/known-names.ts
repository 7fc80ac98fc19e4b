import { foldName } from '../model/query/fold.js';

/** Shorter numbers occur in too many texts. */
const MIN_DIGITS = 6;
/** Characters of a long number that are compared. */
const MAX_COMPARED = 40;

/**
 * Finds a person's identifiers in texts: names, and numbers such as chart or telephone numbers. A single name does not
 * count: "White" and "Rose" are in many code titles, and hiding such a title would disclose the name. Two adjacent
 * names do.
 */
export class KnownNames {
  readonly #words = new Set<string>();
  /** Their letters and digits in lower case, by length. */
  readonly #numbers = new Map<number, Set<string>>();

  /** @param texts direct identifiers and dates of birth */
  constructor(texts: Iterable<string>) {
    for (const text of texts) {
      const packed = pack(text).slice(0, MAX_COMPARED);
      if (!/\d/.test(text)) for (const word of wordsOf(text)) this.#words.add(word);
      else if (packed.length >= MIN_DIGITS) {
        const same = this.#numbers.get(packed.length) ?? new Set();
        this.#numbers.set(packed.length, same.add(packed));
      }
    }
  }

  /** Whether a text contains two adjacent names, or a number. Linear: numbers have at most 35 lengths. */
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
    if (this.#numbers.size === 0 || text.length < MIN_DIGITS) return false;
    const packed = pack(text);
    for (const [length, numbers] of this.#numbers)
      for (let at = 0; at + length <= packed.length; at++)
        if (numbers.has(packed.slice(at, at + length))) return true;
    return false;
  }
}

/** Single letters are too common to be names. */
const wordsOf = (text: string): string[] =>
  foldName(text)
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > 1);

const pack = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
