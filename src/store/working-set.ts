import type * as Oxigraph from 'oxigraph';
import { PAGE } from './engine-limit.js';
import { loadEngine, type Engine, type LinearMemory } from './engine.js';
import { takeQuads } from './engine-terms.js';
import { readTriples } from '../rdf/ntriples.js';
import type { Quad } from '../rdf/terms.js';

/** What a query is answered with, by kind. */
const formats = {
  text: 'application/n-triples',
  rows: 'application/sparql-results+json',
  table: 'text/tab-separated-values',
} as const;

const IRI = /<([^<>]*)>/g;

/** Bytes that the bulk loader sets aside before it reads: room for a million quads, which its engine keeps. */
const SET_ASIDE = 168_000_000;
/** Bytes that are loaded as fast in a transaction, which sets nothing aside. */
const SMALL = 64 * 1024;

/** Which graphs a query sees in place of all, by their names (SPARQL 1.1 Protocol §2.1.4). */
export interface Dataset {
  /** Merged to be the default graph. */
  readonly defaultGraphs: readonly string[];
  readonly namedGraphs: readonly string[];
}

/** What a working set can be made of again: the bytes of its engine's memory, and what it knows of them. */
export interface EngineImage {
  /** Where the store lies in them. */
  readonly store: number;
  /**
   * The engine's table of values. Between two calls nothing in it is in use but names of properties, which the engine
   * makes once; all else is undefined.
   */
  readonly values: readonly (string | undefined)[];
  readonly bytes: Uint8Array;
}

/** The engine of this working set is broken for good; the cause says by what. */
export class WorkingSetPanic extends Error {
  constructor(cause: unknown) {
    super('The in-memory store failed and has to be filled anew.', { cause });
    this.name = 'WorkingSetPanic';
  }
}

/**
 * An Oxigraph store in a WebAssembly instance of its own. A panic breaks an instance for ever, and memory that it has
 * once taken it never gives back: to recover from either, drop the working set and fill another one.
 */
export class WorkingSet {
  readonly #engine: Engine;
  readonly #store: Oxigraph.Store;
  /** Graphs that are mostly long texts. */
  readonly #long = new Set<string>();
  #panic: WorkingSetPanic | undefined;

  constructor(engine: Engine = loadEngine(), store = new engine.oxigraph.Store()) {
    this.#engine = engine;
    this.#store = store;
  }

  /** Bytes of the engine's memory. It never becomes less. */
  get bytes(): number {
    return this.#engine.memory.buffer.byteLength;
  }

  /** What a copy can be made of, without filling it. It is a view: nothing may be changed while its bytes are read. */
  get image(): EngineImage {
    const { __wbg_ptr: store } = this.#store as unknown as { __wbg_ptr: number };
    const { memory, values } = this.#engine;
    const texts = Array.from({ length: values.length }, (_, at) => {
      const value = values.get(at);
      return typeof value === 'string' ? value : undefined;
    });
    return { store, values: texts, bytes: new Uint8Array(memory.buffer) };
  }

  /**
   * A working set with the memory of another one.
   * @param image where its store lies, and how many bytes it has
   * @param fill puts the bytes where they belong
   * @throws WorkingSetPanic when they are no working set of this engine
   */
  static ofImage(
    image: Omit<EngineImage, 'bytes'> & { readonly size: number },
    engine: Engine,
    fill: (memory: Uint8Array) => void,
  ): WorkingSet {
    const { oxigraph, memory, values } = engine;
    growTo(memory, image.size);
    // Which entries are free the engine keeps in its memory.
    values.grow(Math.max(0, image.values.length - values.length));
    for (const [at, text] of image.values.entries()) if (text !== undefined) values.set(at, text);
    fill(new Uint8Array(memory.buffer));
    const store = Object.create(oxigraph.Store.prototype as object) as Oxigraph.Store;
    Object.assign(store, { __wbg_ptr: image.store });
    const copy = new WorkingSet(engine, store);
    copy.#guard(() => store.size);
    return copy;
  }

  /** A new, empty one in the engine of this one, which is over with it; undefined when the engine is broken. */
  emptied(): WorkingSet | undefined {
    if (this.#panic) return undefined;
    // Its types do not tell of it.
    const store = this.#store as unknown as { free(): void };
    this.#guard(() => store.free());
    return new WorkingSet(this.#engine);
  }

  /**
   * Adds N-Quads that we have written ourselves; pieces of 0.25–1 MB are the fastest.
   * @param long which of their graphs are mostly long texts
   */
  load(nquads: string | Uint8Array, long: readonly string[] = []): void {
    // Oxigraph takes a string over character by character, which is much slower.
    const bytes = typeof nquads === 'string' ? Buffer.from(nquads) : nquads;
    // Without a transaction and without checking IRIs a second time it is half as fast again. V8 counts what is set aside
    // as taken, and collects garbage for it: not for what is small, where nothing large was loaded before.
    const no_transaction = bytes.byteLength >= SMALL || this.bytes >= SET_ASIDE;
    const options = { format: 'application/n-quads', no_transaction, lenient: true };
    this.#guard(() => this.#store.load(bytes, options));
    for (const name of long) this.#long.add(name);
  }

  /** The N-Triples of a graph; undefined where it is mostly long texts, which the engine takes long to write. */
  graph(name: string): string | undefined {
    if (this.#long.has(name)) return undefined;
    const from = { termType: 'NamedNode', value: name } as Oxigraph.NamedNode;
    return this.#guard(() => this.#store.dump({ format: formats.text, from_graph_name: from }));
  }

  /** Removes whole graphs, those that are not there included. */
  clear(names: readonly string[]): void {
    if (names.length === 0) return;
    this.#guard(() => this.#store.update(names.map((name) => `CLEAR SILENT GRAPH <${name}>`).join(';')));
    for (const name of names) this.#long.delete(name);
  }

  /** The N-Triples of a CONSTRUCT; lines may repeat. */
  construct(sparql: string): string {
    return this.#query(sparql, { results_format: formats.text }, 'string');
  }

  /** The statements of a CONSTRUCT, with blank nodes in the place of the IRIs that `innerLabel` knows. */
  quads(sparql: string, innerLabel: (iri: string) => string | undefined): Quad[] {
    if (!this.#namesLong(sparql)) return readTriples(this.construct(sparql), innerLabel);
    return this.#guard(() => {
      const found = this.#store.query(sparql);
      if (!Array.isArray(found)) throw new TypeError('the query is of another form than the call');
      return takeQuads(found as Oxigraph.Quad[], innerLabel);
    });
  }

  /** The rows of a SELECT as TSV, which the engine writes in much less time than JSON. */
  select(sparql: string): string {
    return this.#query(sparql, { results_format: formats.table }, 'string');
  }

  ask(sparql: string): boolean {
    return this.#query(sparql, {}, 'boolean');
  }

  /**
   * Runs a caller's query, whose relative IRIs stand under `baseIri`, and gives the engine's text: a working set for it
   * alone.
   * @param dataset what it sees in place of what it names itself
   */
  run(sparql: string, answer: keyof typeof formats, baseIri: string, dataset?: Dataset): string {
    const { namedNode } = this.#engine.oxigraph;
    const graphs = dataset && {
      default_graph: dataset.defaultGraphs.map((name) => namedNode(name)),
      named_graphs: dataset.namedGraphs.map((name) => namedNode(name)),
    };
    const options = { results_format: formats[answer], base_iri: baseIri, ...graphs };
    return this.#query(sparql, options, 'string');
  }

  /**
   * Runs a caller's SELECT as `run` does, and has its rows read where the engine keeps them: no copy of a large answer is
   * made.
   * @param read is given them as TSV in UTF-8, which is gone when it returns
   * @throws what `read` throws
   */
  readTable<T>(
    { sparql, baseIri, dataset }: { sparql: string; baseIri: string; dataset?: Dataset | undefined },
    read: (tsv: Uint8Array) => T,
  ): T {
    const values: T[] = [];
    let failed: { readonly error: unknown } | undefined;
    // Nothing may be thrown through the engine.
    const attempt = (tsv: Uint8Array): void => {
      try {
        values.push(read(tsv));
      } catch (error) {
        failed = { error };
      }
    };
    const thrown = (): { readonly error: unknown } | undefined => failed;
    this.#engine.readLarge = attempt;
    try {
      const text = this.run(sparql, 'table', baseIri, dataset);
      // A small one is a string as always.
      if (text !== '') attempt(Buffer.from(text));
    } finally {
      this.#engine.readLarge = undefined;
    }
    const failure = thrown();
    if (failure) throw failure.error;
    return values[0] as T;
  }

  /** Changes what is in it, by SPARQL Update of our own. */
  update(sparql: string): void {
    this.#guard(() => this.#store.update(sparql));
  }

  /**
   * Whether a query asks for a graph by name that is mostly long texts. The engine takes 30 ms to write a megabyte, one
   * character after the other, and none to hand it over; small terms it writes in half the time.
   */
  #namesLong(sparql: string): boolean {
    if (this.#long.size === 0) return false;
    return [...sparql.matchAll(IRI)].some(([, name = '']) => this.#long.has(name));
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

function growTo(memory: LinearMemory, bytes: number): void {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE);
  if (missing > 0) memory.grow(missing);
}
