import { setTimeout as wait } from 'node:timers/promises';
import { writeTerm } from '../../rdf/ntriples.js';
import { literal, namedNode } from '../../rdf/terms.js';
import { ownUrn } from '../../rdf/vocabulary.js';
import type { AnswerRow } from '../../rdf/json-term.js';
import type { LevelName } from '../levels.js';
import { MIRROR, readState, stateUpdate, type MirrorState } from './mirror-state.js';
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
  /** Waits before the next check of the change log, or before a server that is away is asked again; it may end sooner. */
  readonly rest?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The server no longer holds what this run wrote. */
export class MirrorLost extends Error {
  override readonly name = 'MirrorLost';

  constructor(
    readonly isUnseen: boolean,
    options?: ErrorOptions,
  ) {
    super(undefined, options);
  }
}

const PAUSE = 1000;
/** The most pauses between two tries. */
export const MAX_BACKOFF = 60;
export const MAX_TRIES = 5;
export const NOT_SHOWN =
  'The server does not show what it was sent: look whether --to and --update lead to the same dataset.';

/** The server as one run of a mirror uses it: asked again while it is away, and left alone once another run writes. */
export class MirrorRun {
  /** Names the run whose data is there. */
  id = '';
  wasAway = true;
  readonly pause: number;

  constructor(readonly options: MirrorOptions) {
    this.pause = options.pause ?? PAUSE;
  }

  /** Asks what may take the server long. */
  select(query: string): Promise<readonly AnswerRow[]> {
    return this.patiently(() => this.options.server.select(query, 'scan'));
  }

  /** Sends an update, until it succeeds. @throws MirrorLost when the server has lost its data */
  async update(text: string): Promise<void> {
    try {
      await this.options.server.update(text);
    } catch (error) {
      if (!(error instanceof ServerAway)) throw error;
      await this.afterwards(0, error);
      await this.patiently(async () => {
        await this.requireOwn();
        await this.options.server.update(text);
      });
    }
  }

  /** @throws MirrorLost if this run's data is gone, ServerRefuses if another command wrote: they would alternate */
  async requireOwn(): Promise<void> {
    const state = await readState(this.options.server);
    if (state?.run === this.id) return;
    if (state?.run === undefined) throw new MirrorLost(true);
    throw new ServerRefuses(
      'Another mirror has taken the place of this one on the server: let one command feed it, or give each a dataset of its own.',
    );
  }

  /** Asks again while the server is away. @throws what `work` throws otherwise; with `once` ServerAway */
  async patiently<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof ServerAway)) throw error;
        await this.afterwards(tries, error);
      }
    }
  }

  /** Says that the server is away, and waits for longer the more tries there were. @throws with `once`, after some, the error */
  async afterwards(tries: number, error: ServerAway): Promise<void> {
    const { once, signal, onAway, rest = untilThen } = this.options;
    signal.throwIfAborted();
    if (once && tries >= MAX_TRIES) throw error;
    const pause = this.pause * Math.min(MAX_BACKOFF, 2 ** tries);
    this.wasAway = true;
    onAway?.(error.message, pause / 1000);
    await rest(pause, signal);
  }

  /** Writes the update that says how far this run is. */
  state(
    source: string,
    { revision, since, done }: Partial<Pick<MirrorState, 'revision' | 'since' | 'done'>>,
  ): string {
    const { level, place, source: of } = this.options;
    return stateUpdate({ source, run: this.id, base: of.base, level, place, revision, since, done });
  }

  /** Writes a pattern of the default graph, or of the one that replaces it. */
  place(pattern: string): string {
    const { place } = this.options;
    return place === undefined ? pattern : `GRAPH ${iri(place)} { ${pattern} }`;
  }
}

/** Writes the condition that a graph ?g is from containers with these bases. */
export function isIn(bases: readonly (string | undefined)[]): string {
  const prefixes = [ownUrn, ...new Set(bases.flatMap((base) => (base === undefined ? [] : [`${base}/`])))];
  const isOurs = prefixes.map((prefix) => `STRSTARTS(STR(?g), ${writeTerm(literal(prefix))})`);
  return `?g != <${MIRROR}> && (${isOurs.join(' || ')})`;
}

export const untilThen = (ms: number, signal: AbortSignal): Promise<void> => wait(ms, undefined, { signal });

export const iri = (text: string): string => writeTerm(namedNode(text));
