/** How much is done in one turn of the event loop, in characters of relative text, and what rest follows it. */
export interface PaceLimits {
  readonly first: number;
  readonly least: number;
  readonly most: number;
  /** Milliseconds that a turn should take. */
  readonly turn: number;
  /** Rest after a turn, as a multiple of it. */
  readonly rest: number;
}

export const paces = {
  /** Nobody waits for anything else: pieces of the size that the engine takes in fastest. */
  starting: { first: 1 << 19, least: 1 << 18, most: 1 << 19, turn: 50, rest: 0 },
  /** Answers go on meanwhile: short turns, and as much time for others as is taken. */
  serving: { first: 1 << 16, least: 1 << 14, most: 1 << 19, turn: 12, rest: 1 },
} as const satisfies Record<string, PaceLimits>;

/** Finds the size of the pieces that take as long as a turn may on this machine. */
export class Pace {
  size: number;
  /** Milliseconds to leave to others before the next turn. */
  rest = 0;
  readonly #limits: PaceLimits;

  constructor(limits: PaceLimits) {
    this.#limits = limits;
    this.size = limits.first;
  }

  /** Takes in how long a turn took. @param done its characters; a turn that was shorter than a piece says little */
  took(ms: number, done: number): void {
    const { least, most, turn, rest } = this.#limits;
    this.rest = Math.min(ms, 100) * rest;
    if (done < this.size / 2) return;
    // Never by more than half at once: one slow turn may have been the machine's mood.
    const factor = Math.min(1.5, Math.max(0.5, turn / Math.max(ms, 0.1)));
    this.size = Math.min(most, Math.max(least, Math.round(this.size * factor)));
  }
}
