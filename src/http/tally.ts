/** How much of something each has; who has nothing takes no room. */
export class Tally {
  readonly #counts = new Map<string, number>();
  /** What all have together. */
  all = 0;

  of(owner: string): number {
    return this.#counts.get(owner) ?? 0;
  }

  /** @param by what is taken away where it is negative */
  add(owner: string, by: number): void {
    this.all += by;
    const count = this.of(owner) + by;
    if (count > 0) this.#counts.set(owner, count);
    else this.#counts.delete(owner);
  }
}
