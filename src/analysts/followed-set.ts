import { WorkingSet } from '../store/working-set.js';
import { removalOf } from './level-text.js';
import type { LevelView } from './levels.js';

export interface Echo {
  update(sparql: string): void;
  load(nquads: Uint8Array): void;
}

/** The working set of a level. It runs no queries itself; copies follow its changes. */
export class FollowedSet extends WorkingSet {
  readonly #echoes = new Set<Echo>();

  constructor(private readonly view: Pick<LevelView, 'nameOf'>) {
    super();
  }

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

  /** Removes graphs by their names in the primary store. */
  override clear(names: readonly string[]): void {
    if (names.length === 0) return;
    const removal = removalOf(names.map((name) => this.view.nameOf(name)));
    this.update(removal);
    for (const echo of this.#echoes) echo.update(removal);
  }
}
