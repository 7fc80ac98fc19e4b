/** Parts that grow and are cleaned up one by one, so that none of it takes long: a power of two, at most 2^16. */
const PARTS = 64;
const SMALLEST = 64;
/** Numbers of an entry: two of the digest, and when it expires. */
const NUMBERS = 3;

/** Bytes of an entry in a text of entries. */
export const ENTRY_BYTES = 4 * NUMBERS;

/** Writes an entry: the first eight bytes of a digest, and when it expires, in seconds since 1970. */
export function writeEntry(to: Buffer, at: number, digest: Buffer, expiresAt: number): void {
  digest.copy(to, at, 0, 8);
  to.writeUInt32LE(expiresAt, at + 8);
}

/** When the entry at a place expires, in seconds since 1970. */
export function expiryOf(entries: Buffer, at: number): number {
  return entries.readUInt32LE(at + 8);
}

/**
 * Which digests were seen, each until a time. It knows the first eight bytes of each, and takes 20 to 50 bytes for it:
 * of ten million that are live, no two are likely to agree in them, and if ever two do, the second is refused without need.
 */
export class SeenDigests {
  readonly #parts = Array.from({ length: PARTS }, () => new Part());

  /** Whether a digest was seen and is live. @param now seconds since 1970 */
  has(digest: Buffer, now: number): boolean {
    const [first, second] = [digest.readUInt32LE(0), digest.readUInt32LE(4)];
    return this.#part(first).has(first, second, now);
  }

  /** Takes in entries as `writeEntry` writes them. @param now seconds since 1970 */
  add(entries: Buffer, now: number): void {
    for (let at = 0; at < entries.byteLength; at += ENTRY_BYTES) {
      const first = entries.readUInt32LE(at);
      this.#part(first).add(first, entries.readUInt32LE(at + 4), expiryOf(entries, at), now);
    }
  }

  #part(first: number): Part {
    // The lower bits choose the place within a part.
    return this.#parts[first >>> 26] as Part;
  }
}

/** A hash table with open addressing; an entry that expires at 0 is a free place. */
class Part {
  #numbers = new Uint32Array(SMALLEST * NUMBERS);
  #used = 0;

  has(first: number, second: number, now: number): boolean {
    return this.#expiry(this.#place(first, second)) >= now;
  }

  add(first: number, second: number, expiresAt: number, now: number): void {
    if (expiresAt < now) return;
    if (this.#used * 2 >= this.#numbers.length / NUMBERS) this.#makeRoom(now);
    const at = this.#place(first, second);
    if (this.#expiry(at) === 0) this.#used++;
    this.#put(at, first, second, Math.max(expiresAt, this.#expiry(at)));
  }

  /** Where an entry is, or would be. */
  #place(first: number, second: number): number {
    const numbers = this.#numbers;
    const places = numbers.length / NUMBERS;
    for (let place = first & (places - 1); ; place = (place + 1) & (places - 1)) {
      const at = place * NUMBERS;
      if (numbers[at + 2] === 0 || (numbers[at] === first && numbers[at + 1] === second)) return at;
    }
  }

  #expiry(at: number): number {
    return this.#numbers[at + 2] ?? 0;
  }

  /** Leaves out what has expired, and gives what is left at least three times as many places. */
  #makeRoom(now: number): void {
    const before = this.#numbers;
    let live = 0;
    for (let at = 2; at < before.length; at += NUMBERS) if ((before[at] ?? 0) >= now) live++;
    let places = SMALLEST;
    while (places < live * 3) places *= 2;
    this.#numbers = new Uint32Array(places * NUMBERS);
    this.#used = live;
    for (let at = 0; at < before.length; at += NUMBERS) {
      const [first = 0, second = 0, expiresAt = 0] = [before[at], before[at + 1], before[at + 2]];
      if (expiresAt >= now) this.#put(this.#place(first, second), first, second, expiresAt);
    }
  }

  #put(at: number, first: number, second: number, expiresAt: number): void {
    this.#numbers[at] = first;
    this.#numbers[at + 1] = second;
    this.#numbers[at + 2] = expiresAt;
  }
}
