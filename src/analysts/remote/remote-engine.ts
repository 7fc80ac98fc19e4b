import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { Problem } from '../../model/problem.js';
import { formatNames } from '../../rdf/formats.js';
import { solidTokens } from '../../model/query/tokenizer.js';
import { innerLabelUnder } from '../../store/relative-text.js';
import type { AnalystEngine, Bounds, Outcome } from '../analyst-engine.js';
import { StillFilling, type Progress } from '../level-not-ready.js';
import { tooLong } from '../engine-copy.js';
import type { LevelName } from '../levels.js';
import { mirror } from '../mirror/mirror.js';
import { MirrorLost } from '../mirror/mirror-run.js';
import type { MirrorSource } from '../mirror/mirror-source.js';
import { readState } from '../mirror/mirror-state.js';
import { ServerAway, ServerRefuses, sparqlServer, type SparqlServer } from '../mirror/sparql-server.js';
import { textForEngine } from './engine-text.js';
import { prepareQuery, type Named, type PreparedQuery } from '../prepare-query.js';
import { QueryFault } from '../query-fault.js';
import { planOf } from '../query-plan.js';
import { textFormatNames } from '../result-formats.js';
import type { AnswerHead, ThreadQuery } from '../thread-messages.js';
import { FormatRefused, refused, writtenGraph, writtenTruth } from '../written-answer.js';
import { begunRows, JSON_RESULTS, truthIn, wholeText } from './engine-answer.js';
import {
  askEngine,
  EngineAway,
  QueryEnded,
  type EngineAddress,
  type EngineAnswer,
} from './engine-request.js';
import { UnreadableAnswer } from './json-rows.js';
import { streamedTable } from './streamed-answer.js';

export interface RemoteEngineOptions {
  readonly level: LevelName;
  readonly source: MirrorSource;
  readonly address: EngineAddress;
  readonly ontology: Named;
  /** The revision of the container. */
  readonly revision: () => number;
  readonly onFault: (error: unknown) => void;
}

export const engineSettings = {
  query: '--analyst-engine',
  update: '--analyst-engine-update',
  credentials: 'CHARTGRAPH_ANALYST_ENGINE_CREDENTIALS',
};

/** Milliseconds that a query waits for changes to reach the engine; then it is answered without them. */
const LAG_MS = 1000;
const POLL_MS = 1000;
/** The most bytes that an engine's answer may have. */
const ANSWER_BYTES = 1024 ** 3;
/** Milliseconds after which an engine that was refused is looked at again. */
const RETRY_MS = 10_000;

/** A SPARQL 1.1 server that this process feeds with a level, and that answers its queries. */
export class RemoteEngine implements AnalystEngine {
  readonly #server: SparqlServer;
  readonly #closed = new AbortController();
  #feed: Promise<void> | undefined;
  #shown: { readonly run: string; readonly revision: number } | undefined;
  #refusal: Problem | undefined;
  #away: string | undefined;
  /** Whether a query has found something else there than what was sent. */
  #isLost = false;
  #progress: Progress | undefined;
  #wake: () => void = () => undefined;
  #tell: (() => void)[] = [];

  constructor(private readonly options: RemoteEngineOptions) {
    const { address } = options;
    this.#server = sparqlServer({ ...address, signal: this.#closed.signal, named: engineSettings });
  }

  /** Starts the feed, and waits until the engine is up to date. */
  async fill(): Promise<void> {
    this.#feed ??= this.#follow();
    while (!this.isFilled && !this.#closed.signal.aborted) {
      if (this.#refusal) throw this.#refusal;
      await new Promise<void>((resolve) => void this.#tell.push(resolve));
    }
  }

  keepUp(): Promise<void> {
    this.#wake();
    return Promise.resolve();
  }

  get isFilled(): boolean {
    return this.#shown !== undefined;
  }

  get progress(): Progress | undefined {
    return this.isFilled ? undefined : this.#progress;
  }

  get revision(): number {
    return this.#shown?.revision ?? -1;
  }

  async run(query: ThreadQuery, bounds: Bounds): Promise<{ outcome: Outcome; revision: number }> {
    this.#feed ??= this.#follow();
    const start = performance.now();
    try {
      const { ontology, address } = this.options;
      const hasOwnDefault = address.place === undefined;
      // Virtuoso sorts no more than 10,000 rows for a LIMIT, and any number without one.
      const most = hasOwnDefault ? query.most : Infinity;
      const prepared = prepareQuery(query.sparql, most, ontology, query.hasMovedDates);
      if (!hasOwnDefault) refuseUnanswered(query.sparql);
      const revision = await this.#reached(this.options.revision(), bounds);
      const facts = () => ({ warnings: prepared.warnings, ms: performance.now() - start });
      return { outcome: await this.#outcome(query, prepared, bounds, facts), revision };
    } catch (error) {
      return { outcome: this.#failed(error), revision: this.revision };
    }
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#changed();
    await this.#feed;
  }

  /** Feeds the engine until it is closed, and again after it was refused. */
  async #follow(): Promise<void> {
    const { source, level, address } = this.options;
    const { signal } = this.#closed;
    while (!signal.aborted) {
      try {
        await mirror({
          source,
          level,
          signal,
          server: this.#server,
          place: address.place,
          once: false,
          isAlone: true,
          pause: POLL_MS,
          rest: (ms, until) => this.#rest(ms, until),
          onFill: (done, total) => {
            this.#shown = undefined;
            this.#progress = { done, total };
            this.#away = undefined;
          },
          onAway: (sentence) => (this.#away = sentence),
          onShown: (run, revision) => {
            this.#shown = { run, revision };
            this.#refusal = this.#away = undefined;
            this.#changed();
          },
        });
      } catch (error) {
        if (signal.aborted) return;
        this.#shown = undefined;
        const isKnown = error instanceof ServerRefuses || error instanceof ServerAway;
        const message = isKnown ? error.message : 'The engine of analysts cannot be fed; see the log.';
        this.#refusal = new Problem('unavailable', message, { cause: error });
        this.options.onFault(this.#refusal);
        this.#changed();
        await wait(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async #rest(ms: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await wait(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => undefined);
    signal.throwIfAborted();
    if (!this.#isLost) return;
    this.#isLost = false;
    throw new MirrorLost(false);
  }

  #changed(): void {
    for (const tell of this.#tell.splice(0)) tell();
  }

  /**
   * Waits a little for the engine to reach a revision, and asks it what it holds: one that has lost its data, or holds
   * something else, must not answer. @returns its revision @throws StillFilling, Problem
   */
  async #reached(revision: number, bounds: Bounds): Promise<number> {
    this.#wake();
    const limit = AbortSignal.any([bounds.signal, AbortSignal.timeout(LAG_MS)]);
    while (this.#shown && this.#shown.revision < revision && !limit.aborted) {
      const changed = new Promise<void>((resolve) => void this.#tell.push(resolve));
      await Promise.race([changed, wait(LAG_MS, undefined, { signal: limit }).catch(() => undefined)]);
    }
    if (this.#refusal) throw this.#refusal;
    if (!this.#shown) {
      if (this.#away !== undefined) throw new EngineAway(this.#away);
      throw new StillFilling(this.#progress);
    }
    const state = await Promise.race([readState(this.#server), over(bounds)]);
    if (state?.run === this.#shown.run && state.revision !== undefined) return Number(state.revision);
    this.#shown = undefined;
    this.#isLost = true;
    this.#wake();
    throw new StillFilling(undefined);
  }

  async #outcome(
    { formats, dataset, most, explain, isWhole }: ThreadQuery,
    prepared: PreparedQuery,
    bounds: Bounds,
    facts: () => Pick<AnswerHead, 'warnings' | 'ms'>,
  ): Promise<Outcome> {
    const { source, address, ontology } = this.options;
    if (explain === true) {
      const body = Readable.from([`${JSON.stringify(planOf(prepared))}\n`]);
      return { head: { ...facts(), mediaType: 'application/json', rows: 0, isCut: false }, body };
    }
    const { kind } = prepared;
    const innerLabel = innerLabelUnder(source.base);
    const ask = (accept: string): Promise<EngineAnswer> =>
      askEngine(
        address,
        { text: textForEngine(prepared.text, `${source.base}/`, ontology.terms), dataset, accept },
        { ...bounds, most: ANSWER_BYTES },
      );
    if (kind === 'graph') {
      const format = formats.graph ?? refused('CONSTRUCT and DESCRIBE take', formatNames);
      const answer = await ask('application/n-triples');
      const { chunks, ...written } = await writtenGraph(
        await wholeText(answer),
        format,
        most,
        innerLabel,
        ontology.prefixes,
      );
      return { head: { ...facts(), ...written }, body: Readable.from(chunks) };
    }
    if (kind === 'boolean') {
      const format = formats.rows;
      if (format === undefined || format === 'parquet') return refused('ASK takes', textFormatNames);
      const { chunks, ...written } = writtenTruth(truthIn(await wholeText(await ask(JSON_RESULTS))), format);
      return { head: { ...facts(), ...written }, body: Readable.from(chunks) };
    }
    const format = formats.rows ?? refused('SELECT takes', ['json', 'csv', 'tsv', 'xml', 'parquet']);
    const answer = await ask(JSON_RESULTS);
    const rows = await begunRows(answer, innerLabel);
    return streamedTable(rows, { format, most: Math.min(most, answer.mostRows - 1), isWhole }, facts);
  }

  #failed(error: unknown): Extract<Outcome, { failure: unknown }> {
    if (error instanceof QueryEnded) return { failure: error.failure };
    if (error instanceof FormatRefused) return { failure: { kind: 'format', message: error.message } };
    if (error instanceof QueryFault) {
      const { message, line, column } = error;
      const place = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
      return { failure: { kind: 'invalid', message, ...place } };
    }
    if (error instanceof EngineAway || error instanceof UnreadableAnswer || error instanceof ServerAway)
      throw new Problem('unavailable', 'The engine of analysts does not answer; try again.', {
        cause: error,
      });
    throw error;
  }
}

const UNANSWERED = ['GRAPH', 'ASK'];

/** A server whose default graph is named with each query finds nothing in other graphs, and may answer no ASK. */
function refuseUnanswered(sparql: string): void {
  const word = solidTokens(sparql).find(
    ({ kind, text: written }) => kind === 'word' && UNANSWERED.includes(written.toUpperCase()),
  );
  if (word)
    throw new QueryFault(`The server that answers here has no ${word.text}; use SELECT without GRAPH.`);
}

/** Rejects when the time of a query is over, or when it is ended. @throws QueryEnded */
async function over({ timeout, signal }: Bounds): Promise<never> {
  await wait(timeout, undefined, { signal, ref: false }).catch(() => undefined);
  throw new QueryEnded(signal.aborted ? { kind: 'ended', message: String(signal.reason) } : tooLong(timeout));
}
