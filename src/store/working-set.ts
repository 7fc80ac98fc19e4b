import { createRequire } from 'node:module';
import type * as Oxigraph from 'oxigraph';

/** What a query is answered with, by kind. */
const formats = { text: 'application/n-triples', rows: 'application/sparql-results+json' } as const;

/** The engine of this working set is broken for good; the cause says by what. */
export class WorkingSetPanic extends Error {
  constructor(cause: unknown) {
    super('The in-memory store failed and has to be filled anew.', { cause });
    this.name = 'WorkingSetPanic';
  }
}

/** SPARQL 1.1 Query Results JSON Format, as far as our queries meet it. */
export interface JsonResults {
  readonly results: { readonly bindings: readonly Record<string, JsonTerm>[] };
}

export interface JsonTerm {
  readonly type: 'uri' | 'literal' | 'bnode';
  readonly value: string;
  readonly 'xml:lang'?: string;
  readonly datatype?: string;
}

/**
 * An Oxigraph store in a WebAssembly instance of its own. A panic breaks an instance for ever, and memory that it has
 * once taken it never gives back: to recover from either, drop the working set and fill another one.
 */
export class WorkingSet {
  readonly #store: Oxigraph.Store;
  #panic: WorkingSetPanic | undefined;

  constructor() {
    this.#store = new (freshEngine().Store)();
  }

  /** Adds N-Quads that we have written ourselves; pieces of 0.25–1 MB are the fastest. */
  load(nquads: string | Uint8Array): void {
    // Without a transaction and without checking IRIs a second time it is half as fast again.
    const options = { format: 'application/n-quads', no_transaction: true, lenient: true };
    // Oxigraph takes a string over character by character, which is much slower.
    const bytes = typeof nquads === 'string' ? Buffer.from(nquads) : nquads;
    this.#guard(() => this.#store.load(bytes, options));
  }

  /** Removes whole graphs, those that are not there included. */
  clear(names: readonly string[]): void {
    if (names.length === 0) return;
    this.#guard(() => this.#store.update(names.map((name) => `CLEAR SILENT GRAPH <${name}>`).join(';')));
  }

  /** The N-Triples of a CONSTRUCT; lines may repeat. */
  construct(sparql: string): string {
    return this.#query(sparql, { results_format: formats.text }, 'string');
  }

  select(sparql: string): JsonResults {
    return JSON.parse(this.#query(sparql, { results_format: formats.rows }, 'string')) as JsonResults;
  }

  ask(sparql: string): boolean {
    return this.#query(sparql, {}, 'boolean');
  }

  /** Runs a caller's query, whose relative IRIs stand under `baseIri`, and gives the engine's text: a working set for it alone. */
  run(sparql: string, answer: keyof typeof formats, baseIri: string): string {
    return this.#query(sparql, { results_format: formats[answer], base_iri: baseIri }, 'string');
  }

  #query(sparql: string, options: object, kind: 'string'): string;
  #query(sparql: string, options: object, kind: 'boolean'): boolean;
  #query(sparql: string, options: object, kind: string): unknown {
    const answer = this.#guard(() => this.#store.query(sparql, options));
    if (typeof answer !== kind) throw new TypeError('the query is of another form than the call');
    return answer;
  }

  /** Runs a call of the engine and tells an error in what was asked from a broken engine. */
  #guard<T>(call: () => T): T {
    if (this.#panic) throw this.#panic;
    try {
      return call();
    } catch (error) {
      if (!this.#isBroken(error)) throw error;
      this.#panic = new WorkingSetPanic(error);
      throw this.#panic;
    }
  }

  #isBroken(error: unknown): boolean {
    // A trap, or a stack that overflowed inside the engine: its own state is undefined from then on.
    if (error instanceof Error && ['RuntimeError', 'RangeError'].includes(error.name)) return true;
    try {
      return this.#store.query('ASK {}') !== true;
    } catch {
      return true;
    }
  }
}

/** Loads the engine's module as if for the first time, which gives it a memory of its own. */
function freshEngine(): typeof Oxigraph {
  // A parent of its own, too: the list of children of a lasting one would keep every instance alive.
  const require = createRequire(import.meta.url);
  const file = require.resolve('oxigraph');
  Reflect.deleteProperty(require.cache, file);
  try {
    return require(file) as typeof Oxigraph;
  } finally {
    Reflect.deleteProperty(require.cache, file);
  }
}
