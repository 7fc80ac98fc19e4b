import { WorkingSet } from '../store/working-set.js';
import { removalOf } from './level-text.js';
import type { LevelView } from './levels.js';

/** Does to another working set what was done to this one. */
export interface Echo {
  update(sparql: string): void;
  load(nquads: Uint8Array): void;
}

/** The working set that a level is filled into; it runs no query of a caller, and copies of it follow what is done to it. */
export class FollowedSet extends WorkingSet {
  readonly #echoes = new Set<Echo>();

  constructor(private readonly view: Pick<LevelView, 'nameOf'>) {
    super();
  }

  /** From now on, `echo` hears of every change. */
  tell(echo: Echo): void {
    this.#echoes.add(echo);
  }

  forget(echo: Echo): void {
    this.#echoes.delete(echo);
  }

  override load(nquads: string | Uint8Array): void {
    super.load(nquads);
    if (this.#echoes.size === 0) return;
    const bytes = typeof nquads === 'string' ? Buffer.from(nquads) : nquads;
    for (const echo of this.#echoes) echo.load(bytes);
  }

  /** Removes stored graphs, by the names that they have in the primary store. */
  override clear(names: readonly string[]): void {
    if (names.length === 0) return;
    const removal = removalOf(names.map((name) => this.view.nameOf(name)));
    this.update(removal);
    for (const echo of this.#echoes) echo.update(removal);
  }
}
