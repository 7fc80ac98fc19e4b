import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Ontology } from '../ontology/model.js';
import { StoreFull } from '../store/capacity.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { Admission, TooManyQueries, type ListedQuery } from './admission.js';
import type { AnalystFailure, AnalystHead, AnalystQuery, LevelStates } from './analyst-messages.js';
import type { Bounds } from './engine-copy.js';
import { collectedExplanation } from './explain/collected-explanation.js';
import { Level, StillFilling } from './level.js';
import { levels, type LevelName, type LevelView } from './levels.js';

/** What a query may cost, and how many there may be. */
export interface AnalystLimits {
  /** Milliseconds until the answer begins, and until it is taken. */
  readonly timeout: number;
  readonly delivery: number;
  /** Rows, or triples, of an answer. */
  readonly rows: number;
  /** Bytes beside the data. */
  readonly queryBytes: number;
  readonly running: number;
  readonly waiting: number;
  readonly perPerson: number;
}

export const ANALYST_LIMITS: AnalystLimits = {
  timeout: 30_000,
  delivery: 120_000,
  rows: 100_000,
  queryBytes: 512 * 1024 * 1024,
  running: 2,
  waiting: 16,
  perPerson: 2,
};

export interface AnalystsOptions {
  readonly primary: PrimaryStore;
  /** Brings the primary store up to date where several gateways share it. */
  readonly current?: (() => Promise<void>) | undefined;
  readonly ontology: Pick<Ontology, 'properties' | 'terms'>;
  readonly views: Readonly<Record<LevelName, LevelView>>;
  /** How many quads each level is planned for. */
  readonly planned: number;
  readonly limits?: Partial<AnalystLimits> | undefined;
  /** Told of what is a fault of ours. */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

export type Answered =
  { readonly head: AnalystHead; readonly body: Readable } | { readonly failure: AnalystFailure };

/** Runs the queries of analysts on the levels; the default one is filled at once, the other when somebody asks for it. */
export class Analysts {
  readonly #limits: AnalystLimits;
  readonly #levels: Readonly<Record<LevelName, Level>>;
  readonly #admission: Admission;
  readonly #onFault: (error: unknown) => void;
  readonly #current: (() => Promise<void>) | undefined;

  constructor({ primary, current, ontology, views, planned, limits, onFault }: AnalystsOptions) {
    this.#current = current;
    this.#onFault = onFault ?? (() => undefined);
    this.#limits = { ...ANALYST_LIMITS, ...limits };
    const { queryBytes, running } = this.#limits;
    const level = (name: LevelName): Level =>
      new Level({ primary, ontology, planned, queryBytes, most: running, view: views[name] });
    this.#levels = { deidentified: level('deidentified'), identified: level('identified') };
    this.#admission = new Admission(this.#limits, randomUUID);
  }

  /** Fills a level. @throws StoreFull (rejects) when there is more than it is planned for */
  fill(level: LevelName = levels[0]): Promise<void> {
    return this.#levels[level].fill();
  }

  /** Fills levels anew after a restore, without being asked; to be called when something was committed. */
  keepUp(): void {
    for (const level of Object.values(this.#levels)) level.keepUp().catch(this.#onFault);
  }

  /** Answers a query in its turn. @param gone is aborted when whoever asked has gone */
  async answer({ level, user, purpose, ...query }: AnalystQuery, gone: AbortSignal): Promise<Answered> {
    try {
      const { id, signal, leave } = await this.#admission.enter({ level, user, purpose }, gone);
      const { timeout, delivery, rows } = this.#limits;
      const bounds: Bounds = { timeout, delivery, signal };
      let isTaken = false;
      try {
        await this.#current?.();
        const { outcome, revision } = await this.#levels[level].run({ ...query, most: rows }, bounds);
        if ('failure' in outcome) return outcome;
        if (query.explain === true) {
          const { head, body } = await collectedExplanation(outcome, bounds);
          return { head: { ...head, id, revision }, body };
        }
        isTaken = true;
        outcome.body.once('close', leave);
        return { head: { ...outcome.head, id, revision }, body: outcome.body };
      } finally {
        if (!isTaken) leave();
      }
    } catch (error) {
      return { failure: this.#failureOf(error) };
    }
  }

  list(user?: string): ListedQuery[] {
    return this.#admission.list(user);
  }

  end(id: string, user?: string): boolean {
    return this.#admission.end(id, user);
  }

  states(): LevelStates {
    const state = ({ isFilled, progress }: Level) => ({ isFilled, progress });
    return { deidentified: state(this.#levels.deidentified), identified: state(this.#levels.identified) };
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#levels).map((level) => level.close()));
  }

  #failureOf(error: unknown): AnalystFailure {
    if (error instanceof StillFilling) {
      const { progress } = error;
      const far = progress ? `: ${progress.done} of ${progress.total} graphs` : '';
      return { kind: 'filling', message: `The data is being brought to memory${far}; try again.`, progress };
    }
    if (error instanceof TooManyQueries) return { kind: 'too-many', message: error.message };
    if (error instanceof StoreFull) {
      const message =
        'The data is more than analysts have memory for; start the container with more --analyst-memory.';
      return { kind: 'unavailable', message };
    }
    this.#onFault(error);
    return { kind: 'unavailable', message: 'The query could not be answered; try again.' };
  }
}
