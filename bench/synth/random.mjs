import { createHash } from 'node:crypto';

/** How far a normal distribution reaches until 99 % lie below. */
const NORMAL_P99 = 2.3263;

/** Numbers that look random and are the same for the same seed, on every machine. Not for secrets. */
export class Random {
  /** The state of xoshiro128**, never all zero since it comes from a digest. */
  #state;

  constructor(seed) {
    const digest = createHash('sha256').update(seed).digest();
    this.#state = Uint32Array.from([0, 4, 8, 12], (at) => digest.readUInt32LE(at));
  }

  /** From 0, included, to 1, not included. */
  next() {
    const [a = 0, b = 0, c = 0, d = 0] = this.#state;
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    const third = c ^ a;
    const fourth = d ^ b;
    this.#state[1] = b ^ third;
    this.#state[0] = a ^ fourth;
    this.#state[2] = third ^ (b << 9);
    this.#state[3] = rotated(fourth, 11);
    return result / 2 ** 32;
  }

  /** A whole number, both ends included. */
  integer(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** @throws RangeError for an empty list */
  pick(items) {
    const item = items[this.integer(0, items.length - 1)];
    if (item === undefined) throw new RangeError('there is nothing to pick from');
    return item;
  }

  chance(probability) {
    return this.next() < probability;
  }

  /** One of a log-normal distribution, given by the values that half and 99 % lie below. */
  logNormal(median, p99) {
    // Box and Muller: two even numbers make a normal one.
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
    return median * Math.exp((Math.log(p99 / median) / NORMAL_P99) * normal);
  }
}

function rotated(bits, by) {
  return (bits << by) | (bits >>> (32 - by));
}
