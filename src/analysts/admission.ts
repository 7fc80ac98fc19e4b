import type { AnalystLimits } from '../http/serve-settings.js';

export interface ListedQuery {
  readonly id: string;
  readonly user: string;
  readonly level: string;
  readonly purpose: string;
  readonly since: string;
  readonly state: 'waiting' | 'running';
}

type Asker = Pick<ListedQuery, 'user' | 'level' | 'purpose'>;

/** Too many queries wait, or run for one person. */
export class TooManyQueries extends Error {
  override readonly name = 'TooManyQueries';
}

interface Entry {
  readonly listed: Omit<ListedQuery, 'state'>;
  readonly controller: AbortController;
  start: (() => void) | undefined;
}

/** Admits a limited number of queries at a time, one fewer (but at least one) per person; others wait in order. */
export class Admission {
  readonly #entries = new Map<string, Entry>();

  /** @param ids makes an unguessable id for each query */
  constructor(
    private readonly limits: Pick<AnalystLimits, 'running' | 'waiting' | 'perPerson'>,
    private readonly ids: () => string,
  ) {}

  /** Resolves when a query may run. @param gone ends the wait @throws TooManyQueries, also when the query is ended */
  async enter(
    asker: Asker,
    gone: AbortSignal,
  ): Promise<{ id: string; signal: AbortSignal; leave: () => void }> {
    const { perPerson, waiting } = this.limits;
    const entries = [...this.#entries.values()];
    if (entries.filter(({ listed }) => listed.user === asker.user).length >= perPerson) {
      throw new TooManyQueries(
        `You have ${perPerson} queries here already; wait for one, or end it at /sparql/queries.`,
      );
    }
    if (entries.filter(({ start }) => start).length >= waiting) {
      throw new TooManyQueries('Too many queries of others wait; try again in a while.');
    }
    const id = this.ids();
    const controller = new AbortController();
    const leave = (): void => {
      if (this.#entries.delete(id)) this.#startNext();
    };
    const entry: Entry = {
      listed: { id, ...asker, since: new Date().toISOString() },
      controller,
      start: undefined,
    };
    gone.addEventListener('abort', () => controller.abort('The client has gone.'), { once: true });
    const started = new Promise<void>((resolve, reject) => {
      entry.start = () => {
        entry.start = undefined;
        resolve();
      };
      controller.signal.addEventListener('abort', () => {
        if (entry.start) leave();
        reject(new TooManyQueries(String(controller.signal.reason)));
      });
    });
    this.#entries.set(id, entry);
    this.#startNext();
    await started;
    return { id, signal: controller.signal, leave };
  }

  list(user?: string): ListedQuery[] {
    return [...this.#entries.values()]
      .filter(({ listed }) => user === undefined || listed.user === user)
      .map(({ listed, start }) => ({ ...listed, state: start ? 'waiting' : 'running' }));
  }

  /** Ends a query. @param user its owner; undefined for any @returns whether it existed */
  end(id: string, user?: string): boolean {
    const entry = this.#entries.get(id);
    if (!entry || (user !== undefined && entry.listed.user !== user)) return false;
    entry.controller.abort('The query was ended at /sparql/queries.');
    return true;
  }

  #startNext(): void {
    const running = [...this.#entries.values()]
      .filter(({ start }) => !start)
      .map(({ listed }) => listed.user);
    // Keeps one slot for other people, who might otherwise wait for a whole query.
    const most = Math.max(1, this.limits.running - 1);
    for (const { start, listed } of this.#entries.values()) {
      if (running.length >= this.limits.running) return;
      if (!start || running.filter((user) => user === listed.user).length >= most) continue;
      start();
      running.push(listed.user);
    }
  }
}
