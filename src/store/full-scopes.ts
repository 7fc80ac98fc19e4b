import { StoreFull } from './capacity.js';
import type { Scope } from './parts.js';

/** What no working set could take: to fill another at each query would take all time there is. */
export class FullScopes {
  readonly #planned: number;
  readonly #revision: () => number;
  readonly #retry: number;
  /** By scope: until when nobody tries again, and what the data was then. */
  readonly #scopes = new Map<string, { readonly until: number; readonly revision: number }>();

  /**
   * @param planned how many quads a working set is planned for
   * @param revision gives the number of the last change: what is full stays so until something has changed
   * @param retry and for so many milliseconds at least
   */
  constructor(planned: number, revision: () => number, retry: number) {
    this.#planned = planned;
    this.#revision = revision;
    this.#retry = retry;
  }

  /** Takes in that a working set has run out of memory. @returns what whoever asked is told */
  add(scope: Scope | undefined): StoreFull {
    this.#scopes.set(keyOf(scope), { until: performance.now() + this.#retry, revision: this.#revision() });
    return new StoreFull(this.#planned, scope);
  }

  /** @throws StoreFull for a scope that need not be tried again yet */
  refuse(scope: Scope | undefined): void {
    if (this.#scopes.size === 0) return;
    const key = keyOf(scope);
    const full = this.#scopes.get(key);
    if (!full) return;
    if (performance.now() < full.until || this.#revision() === full.revision)
      throw new StoreFull(this.#planned, scope);
    this.#scopes.delete(key);
  }
}

/** Names a scope; the last is everything. */
function keyOf(scope: Scope | undefined): string {
  return scope?.join(' ') ?? 'everything';
}
