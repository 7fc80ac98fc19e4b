import { setTimeout as wait } from 'node:timers/promises';
import { virtuosoGraphs } from '../../rdf/vocabulary.js';
import { replacementsOf, requestsOf, type Operation, MIRROR, readState } from './mirror-state.js';
import { fillMirror } from './mirror-fill.js';
import {
  isIn,
  MAX_BACKOFF,
  MAX_TRIES,
  MirrorLost,
  MirrorRun,
  NOT_SHOWN,
  untilThen,
  type MirrorOptions,
} from './mirror-run.js';
import { ServerAway, ServerRefuses } from './sparql-server.js';

const BATCH = 500;

/**
 * Feeds another server with a level and follows the change log until `signal` (or, with `once`, until it is up to
 * date). Updates are idempotent, so an interrupted run can resume. @returns the last revision mirrored
 * @throws ServerRefuses; with `once` ServerAway; AbortError when ended
 */
export const mirror = (options: MirrorOptions): Promise<number> => new Mirror(options).run();

class Mirror {
  readonly #run: MirrorRun;
  #isCurrent = false;

  constructor(private readonly options: MirrorOptions) {
    this.#run = new MirrorRun(options);
  }

  async run(): Promise<number> {
    for (let lost = 1; ; lost++) {
      this.#isCurrent = false;
      try {
        return await this.#follow(await this.#begin());
      } catch (error) {
        if (!(error instanceof MirrorLost)) throw error;
        if (error.cause instanceof ServerAway) await this.#run.afterwards(lost, error.cause);
        else if (this.#isCurrent || !error.isUnseen) lost = 0;
        else if (lost >= MAX_TRIES) throw new ServerRefuses(NOT_SHOWN);
        await wait(this.#run.pause, undefined, { signal: this.options.signal });
      }
    }
  }

  /** Resumes or fills the mirror. @returns its revision */
  async #begin(): Promise<number> {
    const { source, place } = this.options;
    await this.#run.patiently(() => source.current());
    const state = await this.#run.patiently(() => readState(this.options.server));
    if (this.options.isAlone === true) await this.#requireAlone(state);
    const revision = Number(state?.revision ?? NaN);
    if (state?.run !== undefined && state.source === source.name(place) && source.reaches(revision)) {
      this.#run.id = state.run;
      return revision;
    }
    if (state === undefined) await this.#requireRoom();
    return fillMirror(this.#run, state);
  }

  /** @throws ServerRefuses if there is other data: it would be taken for patient data, or be removed */
  async #requireRoom(): Promise<void> {
    const found = await this.#run.select(`SELECT * { ${this.#run.place('?s ?p ?o')} } LIMIT 1`);
    if (found.length > 0)
      throw new ServerRefuses(
        'The server holds something else already: give the mirror a dataset of its own, or with --graph a graph of its own.',
      );
  }

  /** @throws ServerRefuses if the dataset holds another level or data of others */
  async #requireAlone(state: Awaited<ReturnType<typeof readState>>): Promise<void> {
    const { source, level } = this.options;
    if (state !== undefined && state.level !== level)
      throw new ServerRefuses(
        'The engine holds another level of the data there: give each level a dataset of its own.',
      );
    const own = new Set([MIRROR, this.options.place, ...virtuosoGraphs]);
    const isOurs = isIn([source.base, state?.base]);
    // Engines list graphs in less time than they read all triples; those that list none do not list the mark either.
    for (const pattern of ['', '?s ?p ?o']) {
      const query = `SELECT DISTINCT ?g { GRAPH ?g { ${pattern} } FILTER (!(${isOurs})) } LIMIT ${BATCH}`;
      const rows = await this.#run.select(query);
      const names = rows.flatMap(({ g }) => (g === undefined ? [] : [g.value]));
      if (names.some((name) => !own.has(name)))
        throw new ServerRefuses('The engine holds data of others there: give it a dataset of its own.');
      if (names.includes(MIRROR)) return;
    }
  }

  async #follow(since: number): Promise<number> {
    const { source, place, once, signal, onCurrent, onShown, rest = untilThen } = this.options;
    const name = source.name(place);
    let shown = since;
    for (let rounds = 1; ; rounds++) {
      await this.#run.patiently(() => source.current());
      // After a new year or a restore, the content must be rebuilt.
      if (source.name(place) !== name) throw new MirrorLost(false);
      const changes = source.changes(shown);
      if (!changes) throw new MirrorLost(false);
      const isBehind = changes.revision > shown;
      // A restarted in-memory server accepts updates without its data.
      if (isBehind || rounds % MAX_BACKOFF === 0) await this.#run.patiently(() => this.#run.requireOwn());
      if (isBehind) {
        const { revision, chunks } = changes;
        const state = { text: this.#run.state(name, { revision }), cost: 1 };
        const operations = function* (): Generator<Operation> {
          for (const graphs of chunks) for (const graph of graphs) yield* replacementsOf(graph, place);
          // Part of the last request, if it fits.
          yield state;
        };
        for (const text of requestsOf(operations())) await this.#run.update(text);
        shown = revision;
        continue;
      }
      if (this.#run.wasAway) onCurrent?.(shown);
      this.#run.wasAway = false;
      this.#isCurrent = true;
      onShown?.(this.#run.id, shown);
      if (once) return shown;
      await rest(this.#run.pause, signal);
    }
  }
}
