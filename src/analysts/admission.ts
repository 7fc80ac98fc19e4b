/** A query that has come, waits or runs. */
export interface ListedQuery {
  readonly id: string;
  readonly user: string;
  readonly level: string;
  readonly purpose: string;
  /** ISO 8601. */
  readonly since: string;
  readonly state: 'waiting' | 'running';
}

/** Who asks, and why. */
export type Asker = Pick<ListedQuery, 'user' | 'level' | 'purpose'>;

/** More than may wait, or than one person may ask at a time. */
export class TooManyQueries extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TooManyQueries';
  }
}

interface Entry {
  readonly listed: Omit<ListedQuery, 'state'>;
  readonly controller: AbortController;
  start: (() => void) | undefined;
}

/** What is let in at a time. */
export interface AdmissionLimits {
  readonly running: number;
  readonly waiting: number;
  readonly perPerson: number;
}

/** A place among the queries that run, given back by `leave`. */
export interface Admitted {
  readonly id: string;
  readonly signal: AbortSignal;
  leave(): void;
}

/**
 * Who may run a query when: so many at a time, of one person one fewer, but at least one; the others wait in the order in which they came.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #entries = new Map<string, Entry>();
  readonly #ids: () => string;

  /** @param ids gives each query a name that nobody can guess */
  constructor(limits: AdmissionLimits, ids: () => string) {
    this.#limits = limits;
    this.#ids = ids;
  }

  /**
   * Resolves when a query may run.
   * @param gone is aborted when whoever asked does not wait any more
   * @throws TooManyQueries in a sentence, and rejects with the reason when it was ended while it waited
   */
  async enter(asker: Asker, gone: AbortSignal): Promise<Admitted> {
    const { perPerson, waiting } = this.#limits;
    const entries = [...this.#entries.values()];
    if (entries.filter(({ listed }) => listed.user === asker.user).length >= perPerson) {
      throw new TooManyQueries(
        `You have ${perPerson} queries here already; wait for one, or end it at /sparql/queries.`,
      );
    }
    if (entries.filter(({ start }) => start).length >= waiting) {
      throw new TooManyQueries('Too many queries of others wait; try again in a while.');
    }
    const id = this.#ids();
    const controller = new AbortController();
    const leave = (): void => {
      if (this.#entries.delete(id)) this.#startNext();
    };
    const entry: Entry = {
      listed: { id, ...asker, since: new Date().toISOString() },
      controller,
      start: undefined,
    };
    gone.addEventListener('abort', () => controller.abort('Whoever asked has gone.'), { once: true });
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

  /** The queries of a person, or of all. */
  list(user?: string): ListedQuery[] {
    return [...this.#entries.values()]
      .filter(({ listed }) => user === undefined || listed.user === user)
      .map(({ listed, start }) => ({ ...listed, state: start ? 'waiting' : 'running' }));
  }

  /** Ends a query. @param user whose it must be; undefined for anybody's @returns whether there was one */
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
    // One place is left for somebody else, who would wait as long as queries may take.
    const most = Math.max(1, this.#limits.running - 1);
    for (const { start, listed } of this.#entries.values()) {
      if (running.length >= this.#limits.running) return;
      if (!start || running.filter((user) => user === listed.user).length >= most) continue;
      start();
      running.push(listed.user);
    }
  }
}
