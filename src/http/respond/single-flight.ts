/**
 * Lets everybody who asks for the same thing at the same time wait for one making of it. Nothing is kept: what fails
 * fails for those who waited, and the next to ask tries again.
 */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Promise<T>>();
  readonly #isOwn: (error: unknown) => boolean;

  /** @param isOwn which failures are those of who makes it alone: of the others who waited, one makes it then */
  constructor(isOwn: (error: unknown) => boolean = () => false) {
    this.#isOwn = isOwn;
  }

  /** @param key says what is made; what `make` gives must depend on nothing else */
  join(key: string, make: () => Promise<T>): Promise<T> {
    const running = this.#flights.get(key);
    if (running)
      return running.catch((error: unknown) => {
        if (this.#isOwn(error)) return this.join(key, make);
        throw error;
      });
    const flight = make().finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
  }
}
