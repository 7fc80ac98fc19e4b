import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Ontology } from '../model/ontology/model.js';
import { Problem } from '../model/problem.js';
import type { AnalystLimits } from '../http/serve-settings.js';
import { ANALYST_LIMITS, WITHOUT_END } from './query-limits.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { Admission, TooManyQueries, type ListedQuery } from './admission.js';
import type { AnalystEngine, Bounds } from './analyst-engine.js';
import type { AnalystFailure, AnalystHead, AnalystQuery, LevelStates } from './analyst-messages.js';
import { Level } from './level.js';
import { StillFilling } from './level-not-ready.js';
import { openStatements } from './open-statements.js';
import { levels, type LevelName, type LevelView } from './levels.js';
import type { AnswerTail } from './thread-messages.js';

export interface AnalystsOptions {
  readonly primary: PrimaryStore;
  /** Updates the primary store if several gateways share it. */
  readonly current?: (() => Promise<void>) | undefined;
  readonly ontology: Pick<Ontology, 'prefixes' | 'properties' | 'classes' | 'codes' | 'terms'>;
  readonly views: Readonly<Record<LevelName, LevelView>>;
  readonly planned: number;
  /** How to give levels more memory, as part of a sentence; undefined if nothing helps. */
  readonly moreMemory?: string | undefined;
  readonly limits?: Partial<AnalystLimits> | undefined;
  readonly onFault?: ((error: unknown) => void) | undefined;
  /** Makes the engine of a level. Default: the embedded one. */
  readonly engineOf?: ((level: LevelName) => AnalystEngine) | undefined;
}

export type Answered =
  | { readonly head: AnalystHead; readonly body: Readable; readonly tail?: (() => AnswerTail) | undefined }
  | { readonly failure: AnalystFailure };

/** Runs the queries of analysts. The default level is filled at once, the other on first use. */
export class Analysts {
  readonly #limits: AnalystLimits;
  readonly #levels: Readonly<Record<LevelName, AnalystEngine>>;
  readonly #admission: Admission;
  readonly #onFault: (error: unknown) => void;
  readonly #current: (() => Promise<void>) | undefined;

  constructor(options: AnalystsOptions) {
    const { primary, current, ontology, views, planned, moreMemory, limits, onFault, engineOf } = options;
    this.#current = current;
    this.#onFault = onFault ?? (() => undefined);
    this.#limits = { ...ANALYST_LIMITS, ...limits };
    const { queryBytes, running } = this.#limits;
    const level = (name: LevelName): AnalystEngine =>
      engineOf?.(name) ??
      new Level({
        ...{ ontology, planned, moreMemory, queryBytes, most: running, view: views[name] },
        primary: name === 'identified' ? openStatements(primary, ontology) : primary,
      });
    this.#levels = { deidentified: level('deidentified'), identified: level('identified') };
    this.#admission = new Admission(this.#limits, randomUUID);
  }

  /** Fills a level. @throws LevelFull (rejects) while the data exceeds the planned size */
  fill(level: LevelName = levels[0]): Promise<void> {
    return this.#levels[level].fill();
  }

  /** Refills levels after a restore; call it after commits. */
  keepUp(): void {
    for (const level of Object.values(this.#levels)) level.keepUp().catch(this.#onFault);
  }

  /** Answers a query when its turn comes. @param gone is aborted when the caller disconnects */
  async answer(
    { level, user, purpose, allRows, ...query }: AnalystQuery,
    gone: AbortSignal,
  ): Promise<Answered> {
    try {
      const { id, signal, leave } = await this.#admission.enter({ level, user, purpose }, gone);
      const { timeout, delivery, rows } = allRows ? { ...this.#limits, ...WITHOUT_END } : this.#limits;
      const bounds: Bounds = { timeout, delivery, signal };
      let isTaken = false;
      try {
        await this.#current?.();
        const { outcome, revision } = await this.#levels[level].run(
          { ...query, most: rows, hasMovedDates: level === 'deidentified' },
          bounds,
        );
        if ('failure' in outcome) return outcome;
        isTaken = true;
        outcome.body.once('close', leave);
        return { ...outcome, head: { ...outcome.head, id, revision } };
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
    const state = ({ isFilled, progress, revision }: AnalystEngine) => ({ isFilled, progress, revision });
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
    if (error instanceof Problem && error.kind === 'unavailable')
      return { kind: 'unavailable', message: error.message };
    this.#onFault(error);
    return { kind: 'unavailable', message: 'The query could not be answered; try again.' };
  }
}
