import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { writeTerm } from '../../rdf/ntriples.js';
import { literal, namedNode } from '../../rdf/terms.js';
import { ownUrn, virtuosoGraphs } from '../../rdf/vocabulary.js';
import type { LevelName } from '../levels.js';
import {
  insertionsOf,
  replacementsOf,
  requestsOf,
  type Operation,
  MIRROR,
  readState,
  stateUpdate,
} from './mirror-state.js';
import type { MirrorSource } from './mirror-source.js';
import { ServerAway, ServerRefuses, type SparqlServer } from './sparql-server.js';

export interface MirrorOptions {
  readonly source: MirrorSource;
  readonly server: SparqlServer;
  readonly level: LevelName;
  readonly place: string | undefined;
  readonly once: boolean;
  readonly signal: AbortSignal;
  /** Called when the mirror is first up to date, and again after the server was away. */
  readonly onCurrent?: (revision: number) => void;
  /** Called when a server or our shared store is away: an unfinished sentence, and seconds until the next try. */
  readonly onAway?: (sentence: string, seconds: number) => void;
  readonly onFill?: (done: number, total: number) => void;
  /** Whether the dataset may hold nothing but this level, so that no query can see anything else. */
  readonly isAlone?: boolean;
  /** Called whenever the server is up to date, with the run whose data it holds. */
  readonly onShown?: (run: string, revision: number) => void;
  /** Milliseconds between checks of the change log, and before the first retry. */
  readonly pause?: number;
  /** Waits before the next check of the change log; it may end sooner. */
  readonly rest?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The server no longer holds what this run wrote. */
class MirrorLost extends Error {
  override readonly name = 'MirrorLost';

  constructor(readonly isUnseen: boolean) {
    super();
  }
}

const PAUSE = 1000;
const MAX_BACKOFF = 60;
const MAX_TRIES = 5;
const NOT_SHOWN =
  'The server does not show what it was sent: look whether --to and --update lead to the same dataset.';
const BATCH = 500;
/** Graphs that every Virtuoso has. */
const systemGraphs: ReadonlySet<string> = new Set(virtuosoGraphs);

/**
 * Feeds another server with a level and follows the change log until `signal` (or, with `once`, until it is up to
 * date). Updates are idempotent, so an interrupted run can resume. @returns the last revision mirrored
 * @throws ServerRefuses; with `once` ServerAway; AbortError when ended
 */
export const mirror = (options: MirrorOptions): Promise<number> => new Mirror(options).run();

class Mirror {
  readonly #server: SparqlServer;
  readonly #pause: number;
  #run = '';
  #wasAway = true;
  #isCurrent = false;

  constructor(private readonly options: MirrorOptions) {
    this.#server = options.server;
    this.#pause = options.pause ?? PAUSE;
  }

  async run(): Promise<number> {
    for (let lost = 1; ; lost++) {
      this.#isCurrent = false;
      try {
        return await this.#follow(await this.#begin());
      } catch (error) {
        if (!(error instanceof MirrorLost)) throw error;
        if (this.#isCurrent || !error.isUnseen) lost = 0;
        else if (lost >= MAX_TRIES) throw new ServerRefuses(NOT_SHOWN);
        await wait(this.#pause, undefined, { signal: this.options.signal });
      }
    }
  }

  /** Resumes or fills the mirror. @returns its revision */
  async #begin(): Promise<number> {
    const { source, place } = this.options;
    await this.#patiently(() => source.current());
    const state = await this.#patiently(() => readState(this.#server));
    if (this.options.isAlone === true) await this.#requireAlone(state);
    const revision = Number(state?.revision ?? NaN);
    if (state?.run !== undefined && state.source === source.name(place) && source.reaches(revision)) {
      this.#run = state.run;
      return revision;
    }
    if (state === undefined) await this.#requireRoom();
    return this.#fill(state);
  }

  /** @throws ServerRefuses if there is other data: it would be taken for patient data, or be removed */
  async #requireRoom(): Promise<void> {
    const found = await this.#patiently(() =>
      this.#server.select(`SELECT * { ${this.#place('?s ?p ?o')} } LIMIT 1`),
    );
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
    const bases = [`${source.base}/`, ownUrn, ...(state?.base === undefined ? [] : [`${state.base}/`])];
    const isOther = bases.map((base) => `!STRSTARTS(STR(?g), ${writeTerm(literal(base))})`).join(' && ');
    const rows = await this.#patiently(() =>
      this.#server.select(`SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } FILTER (${isOther}) } LIMIT ${BATCH}`),
    );
    if (rows.some(({ g }) => g?.value !== this.options.place && !systemGraphs.has(g?.value ?? '')))
      throw new ServerRefuses('The engine holds data of others there: give it a dataset of its own.');
  }

  async #fill(before: Awaited<ReturnType<typeof readState>>): Promise<number> {
    const { source, onFill } = this.options;
    const name = source.name(this.options.place);
    this.#run = randomUUID();
    // First, to mark all data there as ours to remove.
    await this.#patiently(() => this.#server.update(this.#state(name, undefined)));
    const { place } = this.options;
    await this.#empty([source.base, before?.base], before ? [place, before.place] : [place]);
    const { revision, total, chunks } = source.all();
    const operations = function* (): Generator<Operation> {
      let done = 0;
      for (const graphs of chunks) {
        for (const graph of graphs) yield* insertionsOf(graph, place);
        onFill?.(Math.min((done += graphs.length), total), total);
      }
    };
    for (const text of requestsOf(operations())) {
      await this.#patiently(() => this.#requireOwn());
      await this.#update(text);
    }
    await this.#patiently(() => this.#requireOwn());
    await this.#update(this.#state(name, revision));
    return revision;
  }

  /** Removes everything that an earlier mirror wrote. @param bases of its containers */
  async #empty(bases: readonly (string | undefined)[], places: readonly (string | undefined)[]) {
    for (const place of new Set(places))
      await this.#update(place === undefined ? 'CLEAR SILENT DEFAULT' : `CLEAR SILENT GRAPH ${iri(place)}`);
    const prefixes = [ownUrn, ...new Set(bases.flatMap((base) => (base === undefined ? [] : [`${base}/`])))];
    const isOurs = prefixes.map((prefix) => `STRSTARTS(STR(?g), ${writeTerm(literal(prefix))})`).join(' || ');
    const query = `SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } FILTER (?g != <${MIRROR}> && (${isOurs})) } LIMIT ${BATCH}`;
    let taken = new Set<string>();
    for (let tries = 1; ;) {
      const rows = await this.#patiently(() => this.#server.select(query));
      const names = rows.flatMap(({ g }) => (g === undefined ? [] : [g.value]));
      if (names.length === 0) return;
      // Reads on the server may lag behind the last update.
      if (names.some((name) => taken.has(name))) {
        if (tries++ >= MAX_TRIES) throw new ServerRefuses(NOT_SHOWN);
        await wait(this.#pause, undefined, { signal: this.options.signal });
        continue;
      }
      taken = new Set(names);
      await this.#update(names.map((name) => `CLEAR SILENT GRAPH ${iri(name)}`).join(' ;\n'));
    }
  }

  async #follow(since: number): Promise<number> {
    const { source, place, once, signal, onCurrent, onShown, rest = untilThen } = this.options;
    const name = source.name(place);
    let shown = since;
    for (let rounds = 1; ; rounds++) {
      await this.#patiently(() => source.current());
      // After a new year or a restore, the content must be rebuilt.
      if (source.name(place) !== name) throw new MirrorLost(false);
      const changes = source.changes(shown);
      if (!changes) throw new MirrorLost(false);
      const isBehind = changes.revision > shown;
      // A restarted in-memory server accepts updates without its data.
      if (isBehind || rounds % MAX_BACKOFF === 0) await this.#patiently(() => this.#requireOwn());
      if (isBehind) {
        const { revision, chunks } = changes;
        const state = { text: this.#state(name, revision), cost: 1 };
        const operations = function* (): Generator<Operation> {
          for (const graphs of chunks) for (const graph of graphs) yield* replacementsOf(graph, place);
          // Part of the last request, if it fits.
          yield state;
        };
        for (const text of requestsOf(operations())) await this.#update(text);
        shown = revision;
        continue;
      }
      if (this.#wasAway) onCurrent?.(shown);
      this.#wasAway = false;
      this.#isCurrent = true;
      onShown?.(this.#run, shown);
      if (once) return shown;
      await rest(this.#pause, signal);
    }
  }

  /** Retries an update until it succeeds. @throws MirrorLost when the server has lost its data */
  async #update(text: string): Promise<void> {
    try {
      await this.#server.update(text);
    } catch (error) {
      if (!(error instanceof ServerAway)) throw error;
      await this.#afterwards(0, error);
      await this.#patiently(async () => {
        await this.#requireOwn();
        await this.#server.update(text);
      });
    }
  }

  /** @throws MirrorLost if this run's data is gone, ServerRefuses if another command wrote: they would alternate */
  async #requireOwn(): Promise<void> {
    const state = await readState(this.#server);
    if (state?.run === this.#run) return;
    if (state?.run === undefined) throw new MirrorLost(true);
    throw new ServerRefuses(
      'Another mirror has taken the place of this one on the server: let one command feed it, or give each a dataset of its own.',
    );
  }

  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof ServerAway)) throw error;
        await this.#afterwards(tries, error);
      }
    }
  }

  async #afterwards(tries: number, error: ServerAway): Promise<void> {
    const { once, signal, onAway } = this.options;
    signal.throwIfAborted();
    if (once && tries >= MAX_TRIES) throw error;
    const pause = this.#pause * Math.min(MAX_BACKOFF, 2 ** tries);
    this.#wasAway = true;
    onAway?.(error.message, pause / 1000);
    await wait(pause, undefined, { signal });
  }

  #state(source: string, revision: number | undefined): string {
    const { level, place, source: of } = this.options;
    return stateUpdate({ source, run: this.#run, base: of.base, level, place, revision });
  }

  #place(pattern: string): string {
    const { place } = this.options;
    return place === undefined ? pattern : `GRAPH ${iri(place)} { ${pattern} }`;
  }
}

const untilThen = (ms: number, signal: AbortSignal): Promise<void> => wait(ms, undefined, { signal });

const iri = (text: string): string => writeTerm(namedNode(text));
