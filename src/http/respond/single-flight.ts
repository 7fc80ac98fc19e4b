/**
 * Lets everybody who asks for the same thing at the same time wait for one making of it. Nothing is kept: what fails
 * fails for those who waited, and the next to ask tries again.
 */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Promise<T>>();

  /** @param key says what is made; `make` must depend on nothing else */
  join(key: string, make: () => Promise<T>): Promise<T> {
    const running = this.#flights.get(key);
    if (running) return running;
    const flight = make().finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
  }
}
