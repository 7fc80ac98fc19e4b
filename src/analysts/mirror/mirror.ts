import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { writeTerm } from '../../rdf/ntriples.js';
import { literal, namedNode } from '../../rdf/terms.js';
import { ownUrn } from '../../rdf/vocabulary.js';
import type { LevelName } from '../levels.js';
import { insertionsOf, replacementsOf, requestsOf, type Operation } from './mirror-updates.js';
import { MIRROR, readState, stateUpdate } from './mirror-state.js';
import type { MirrorSource } from './mirror-source.js';
import { ServerAway, ServerRefuses, type SparqlServer } from './sparql-server.js';

/** What a mirror is made with. */
export interface MirrorOptions {
  readonly source: MirrorSource;
  readonly server: SparqlServer;
  readonly level: LevelName;
  /** The graph to put what others have in their default graph; undefined for the default graph itself. */
  readonly place: string | undefined;
  /** Whether it ends when it is up to date, or when a server stays away. */
  readonly once: boolean;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Told when the mirror shows a revision for the first time, and again after the server was away. */
  readonly onCurrent?: (revision: number) => void;
  /** Told that a server is away, the shared store of the container included, in a sentence without its end, and the seconds until it is asked again. */
  readonly onAway?: (sentence: string, seconds: number) => void;
  /** Told how far the filling is, in graphs. */
  readonly onFill?: (done: number, total: number) => void;
  /** Milliseconds: between two looks at the change log, and before the server is asked again for the first time. */
  readonly pause?: number;
}

/** What is on the server is not what this run has put there. */
class MirrorLost extends Error {
  override readonly name = 'MirrorLost';

  /** @param isUnseen whether the server shows nothing of this run */
  constructor(readonly isUnseen: boolean) {
    super();
  }
}

const PAUSE = 1000;
/** A server that is away is asked less and less often, until it is asked once in so many pauses. */
const LONGEST = 60;
/** How often `once` asks a server that is away. */
const MOST_TRIES = 5;
const NOT_SHOWN =
  'The server does not show what it was sent: look whether --to and --update lead to the same dataset.';
/** Graphs that are looked up, and taken away, at a time. */
const BATCH = 500;

/**
 * Feeds another server with what a level shows, and follows the change log until `signal` ends it; `once` until it is up
 * to date. Each update may be sent again without harm, so whatever breaks off goes on where it was.
 * @returns the last revision that the mirror shows
 * @throws ServerRefuses; with `once` ServerAway; AbortError when it was ended
 */
export async function mirror(options: MirrorOptions): Promise<number> {
  return new Mirror(options).run();
}

class Mirror {
  readonly #options: MirrorOptions;
  readonly #server: SparqlServer;
  readonly #pause: number;
  #run = '';
  #wasAway = true;
  /** Whether this run has been up to date since it began anew. */
  #isCurrent = false;

  constructor(options: MirrorOptions) {
    this.#options = options;
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
        else if (lost >= MOST_TRIES) throw new ServerRefuses(NOT_SHOWN);
        await wait(this.#pause, undefined, { signal: this.#options.signal });
      }
    }
  }

  /** Goes on where the mirror stands, or fills it. @returns the revision that it shows */
  async #begin(): Promise<number> {
    const { source, place } = this.#options;
    await this.#patiently(() => source.current());
    const state = await this.#patiently(() => readState(this.#server));
    const revision = Number(state?.revision ?? NaN);
    if (state?.run !== undefined && state.source === source.name(place) && source.reaches(revision)) {
      this.#run = state.run;
      return revision;
    }
    if (state === undefined) await this.#requireRoom();
    return this.#fill(state);
  }

  /** @throws ServerRefuses where something else is, which would be taken for data of patients, or be taken away */
  async #requireRoom(): Promise<void> {
    const found = await this.#patiently(() =>
      this.#server.select(`SELECT * { ${this.#place('?s ?p ?o')} } LIMIT 1`),
    );
    if (found.length > 0)
      throw new ServerRefuses(
        'The server holds something else already: give the mirror a dataset of its own, or with --graph a graph of its own.',
      );
  }

  async #fill(before: Awaited<ReturnType<typeof readState>>): Promise<number> {
    const { source, onFill } = this.#options;
    const name = source.name(this.#options.place);
    this.#run = randomUUID();
    // First of all: from now on, whatever is there is ours to take away again.
    await this.#patiently(() => this.#server.update(this.#state(name, undefined)));
    const { place } = this.#options;
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
      // Another command may have taken the place meanwhile, perhaps for another level.
      await this.#patiently(() => this.#requireOwn());
      await this.#update(text);
    }
    await this.#patiently(() => this.#requireOwn());
    await this.#update(this.#state(name, revision));
    return revision;
  }

  /** Takes away what a mirror has put there before. @param bases of the containers that it was made of */
  async #empty(
    bases: readonly (string | undefined)[],
    places: readonly (string | undefined)[],
  ): Promise<void> {
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
      // One that reads what it was before the last update may be about to catch up.
      if (names.some((name) => taken.has(name))) {
        if (tries++ >= MOST_TRIES) throw new ServerRefuses(NOT_SHOWN);
        await wait(this.#pause, undefined, { signal: this.#options.signal });
        continue;
      }
      taken = new Set(names);
      await this.#update(names.map((name) => `CLEAR SILENT GRAPH ${iri(name)}`).join(' ;\n'));
    }
  }

  async #follow(since: number): Promise<number> {
    const { source, place, once, signal, onCurrent } = this.#options;
    const name = source.name(place);
    let shown = since;
    for (let rounds = 1; ; rounds++) {
      await this.#patiently(() => source.current());
      // A new year, another history: what is there was made of something else.
      if (source.name(place) !== name) throw new MirrorLost(false);
      const changes = source.changes(shown);
      if (!changes) throw new MirrorLost(false);
      const isBehind = changes.revision > shown;
      // A server in memory that was started anew takes an update as if nothing had happened.
      if (isBehind || rounds % LONGEST === 0) await this.#patiently(() => this.#requireOwn());
      if (isBehind) {
        const { revision, chunks } = changes;
        const state = { text: this.#state(name, revision), cost: 1 };
        const operations = function* (): Generator<Operation> {
          for (const graphs of chunks) for (const graph of graphs) yield* replacementsOf(graph, place);
          // In one request with the last of what changed, where that fits.
          yield state;
        };
        for (const text of requestsOf(operations())) await this.#update(text);
        shown = revision;
        continue;
      }
      if (this.#wasAway) onCurrent?.(shown);
      this.#wasAway = false;
      this.#isCurrent = true;
      if (once) return shown;
      await wait(this.#pause, undefined, { signal });
    }
  }

  /** Sends an update again and again until it is done. @throws MirrorLost when the server has lost what it had */
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

  /**
   * @throws MirrorLost where what this run has put there is gone, ServerRefuses where another command put its own there:
   * they would take the place from each other for ever
   */
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

  /** Waits, each time for longer. */
  async #afterwards(tries: number, error: ServerAway): Promise<void> {
    const { once, signal, onAway } = this.#options;
    signal.throwIfAborted();
    if (once && tries >= MOST_TRIES) throw error;
    const pause = this.#pause * Math.min(LONGEST, 2 ** tries);
    this.#wasAway = true;
    onAway?.(error.message, pause / 1000);
    await wait(pause, undefined, { signal });
  }

  #state(source: string, revision: number | undefined): string {
    const { level, place, source: of } = this.#options;
    return stateUpdate({ source, run: this.#run, base: of.base, level, place, revision });
  }

  #place(pattern: string): string {
    const { place } = this.#options;
    return place === undefined ? pattern : `GRAPH ${iri(place)} { ${pattern} }`;
  }
}

const iri = (text: string): string => writeTerm(namedNode(text));
