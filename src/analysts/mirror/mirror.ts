import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { writeTerm } from '../../rdf/ntriples.js';
import { literal, namedNode } from '../../rdf/terms.js';
import { ownUrn, rdf, virtuosoGraphs } from '../../rdf/vocabulary.js';
import type { LevelGraph } from '../level-text.js';
import type { LevelName } from '../levels.js';
import {
  insertionsOf,
  replacementsOf,
  requestsOf,
  type Operation,
  MIRROR,
  type MirrorState,
  quadsOf,
  readState,
  stateUpdate,
  titlesOf,
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
/** Triples that are sent at once while it is filled. */
const SENT_TRIPLES = 50_000;

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
    const query = `SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } FILTER (!(${isIn([source.base, state?.base])})) } LIMIT ${BATCH}`;
    const rows = await this.#patiently(() => this.#server.select(query));
    const own = new Set([MIRROR, this.options.place, ...virtuosoGraphs]);
    if (rows.some(({ g }) => !own.has(g?.value ?? '')))
      throw new ServerRefuses('The engine holds data of others there: give it a dataset of its own.');
  }

  async #fill(before: Awaited<ReturnType<typeof readState>>): Promise<number> {
    const { source, onFill, place } = this.options;
    const name = source.name(place);
    const begun = this.#begun(before, name);
    this.#run = begun?.run ?? randomUUID();
    if (!begun) {
      // First, to mark all data there as ours to remove.
      await this.#patiently(() => this.#server.update(this.#state(name, {})));
      await this.#empty([source.base, before?.base], before ? [place, before.place] : [place]);
    }
    const skipped = begun?.skip ?? 0;
    const { revision, total, chunks } = source.all(skipped);
    const since = begun?.since ?? revision;
    const counts = new Map<string, number>();
    let [graphs, triples, done]: [LevelGraph[], number, number] = [[], 0, skipped];
    const send = async (): Promise<void> => {
      await this.#send(graphs, this.#state(name, { since, done }));
      onFill?.(Math.min(done, total), total);
      [graphs, triples] = [[], 0];
    };
    onFill?.(Math.min(done, total), total);
    for (const chunk of chunks) {
      for (const graph of chunk) {
        graphs.push(graph);
        triples += graph.own.length + graph.merged.length;
        done++;
        count(graph, counts);
      }
      if (triples >= SENT_TRIPLES) await send();
    }
    await send();
    if (skipped === 0) await this.#verify(counts, name);
    await this.#patiently(() => this.#requireOwn());
    await this.#update(this.#state(name, { revision: since }));
    return since;
  }

  /** Returns where to go on with a filling; each change since may have moved the place by one graph. */
  #begun(before: Awaited<ReturnType<typeof readState>>, name: string) {
    const [since, done] = [Number(before?.since ?? NaN), Number(before?.done ?? NaN)];
    if (before?.run === undefined || before.source !== name || !this.options.source.reaches(since))
      return undefined;
    const changes = this.options.source.changes(since);
    const skip = done - (changes?.count ?? NaN);
    return skip > 0 ? { run: before.run, since, skip } : undefined;
  }

  async #send(graphs: readonly LevelGraph[], state: string): Promise<void> {
    const { place } = this.options;
    const isLoaded = await this.#patiently(async () => {
      await this.#requireOwn();
      return graphs.length === 0 || this.#server.load(quadsOf(graphs, place));
    });
    const operations = graphs.flatMap((graph) => (isLoaded ? titlesOf : insertionsOf)(graph, place));
    for (const text of requestsOf([...operations, { text: state, cost: 1 }])) await this.#update(text);
  }

  /** Compares the instances of each class. @throws MirrorLost when some are missing, so that it is filled again */
  async #verify(counts: ReadonlyMap<string, number>, name: string): Promise<void> {
    const query = `SELECT ?class (COUNT(*) AS ?n) { GRAPH ?g { ?s a ?class } FILTER (${isIn([this.options.source.base])}) } GROUP BY ?class`;
    const rows = await this.#patiently(() => this.#server.select(query));
    const held = new Map(rows.map((row) => [row['class']?.value, Number(row['n']?.value)]));
    if ([...counts].every(([iri, number]) => held.get(iri) === number)) return;
    await this.#update(this.#state(name, {}));
    throw new MirrorLost(true);
  }

  /** Removes everything that an earlier mirror wrote. @param bases of its containers */
  async #empty(bases: readonly (string | undefined)[], places: readonly (string | undefined)[]) {
    for (const place of new Set(places))
      await this.#update(place === undefined ? 'CLEAR SILENT DEFAULT' : `CLEAR SILENT GRAPH ${iri(place)}`);
    const query = `SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } FILTER (${isIn(bases)}) } LIMIT ${BATCH}`;
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
        const state = { text: this.#state(name, { revision }), cost: 1 };
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

  #state(
    source: string,
    { revision, since, done }: Partial<Pick<MirrorState, 'revision' | 'since' | 'done'>>,
  ): string {
    const { level, place, source: of } = this.options;
    return stateUpdate({ source, run: this.#run, base: of.base, level, place, revision, since, done });
  }

  #place(pattern: string): string {
    const { place } = this.options;
    return place === undefined ? pattern : `GRAPH ${iri(place)} { ${pattern} }`;
  }
}

/** Writes the condition that a graph is from containers with these bases. */
function isIn(bases: readonly (string | undefined)[]): string {
  const prefixes = [ownUrn, ...new Set(bases.flatMap((base) => (base === undefined ? [] : [`${base}/`])))];
  const isOurs = prefixes.map((prefix) => `STRSTARTS(STR(?g), ${writeTerm(literal(prefix))})`);
  return `?g != <${MIRROR}> && (${isOurs.join(' || ')})`;
}

const TYPE = ` <${rdf.type}> <`;

function count({ own }: LevelGraph, counts: Map<string, number>): void {
  for (const triple of own) {
    const at = triple.indexOf(TYPE);
    // In a literal, it would come after a quotation mark.
    if (at < 0 || triple.lastIndexOf('"', at) >= 0) continue;
    const name = triple.slice(at + TYPE.length, -1);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
}

const untilThen = (ms: number, signal: AbortSignal): Promise<void> => wait(ms, undefined, { signal });

const iri = (text: string): string => writeTerm(namedNode(text));
