import type * as Oxigraph from 'oxigraph';
import { type Engine, type LinearMemory, loadEngine, PAGE, takeQuads } from './engine.js';
import { readTriples } from '../rdf/ntriples.js';
import type { Quad } from '../rdf/terms.js';

const formats = {
  text: 'application/n-triples',
  rows: 'application/sparql-results+json',
  table: 'text/tab-separated-values',
} as const;

const IRI = /<([^<>]*)>/g;

/** Bytes that the bulk loader reserves before reading: room for a million quads, which the engine keeps. */
const RESERVED_BYTES = 168_000_000;
/** Texts below this size load as fast in a transaction, which reserves nothing. */
const MAX_SMALL_BYTES = 64 * 1024;

/** The graphs that a query sees instead of all (SPARQL 1.1 Protocol §2.1.4). */
export interface Dataset {
  readonly defaultGraphs: readonly string[];
  readonly namedGraphs: readonly string[];
}

/** A copyable image of a working set: its engine's memory and values. */
export interface EngineImage {
  /** Address of the store in memory. */
  readonly store: number;
  /** The engine's value table: between calls it holds only property names, which are created once. */
  readonly values: readonly (string | undefined)[];
  readonly bytes: Uint8Array;
}

/** The engine of this working set is broken for good; see the cause. */
export class WorkingSetPanic extends Error {
  constructor(cause: unknown) {
    super('The in-memory store failed and has to be filled anew.', { cause });
    this.name = 'WorkingSetPanic';
  }
}

/** An Oxigraph store in its own WebAssembly instance, which never recovers from a panic and never frees memory. */
export class WorkingSet {
  readonly #long = new Set<string>();
  #panic: WorkingSetPanic | undefined;

  constructor(
    private readonly engine: Engine = loadEngine(),
    private readonly store = new engine.oxigraph.Store(),
  ) {}

  get bytes(): number {
    return this.engine.memory.buffer.byteLength;
  }

  /** A live view: nothing may change while its bytes are read. */
  get image(): EngineImage {
    const { __wbg_ptr: store } = this.store as unknown as { __wbg_ptr: number };
    const { memory, values } = this.engine;
    const texts = Array.from({ length: values.length }, (_, at) => {
      const value = values.get(at);
      return typeof value === 'string' ? value : undefined;
    });
    return { store, values: texts, bytes: new Uint8Array(memory.buffer) };
  }

  /** Creates a working set from another's memory. @param fill copies the bytes into place @throws WorkingSetPanic */
  static ofImage(
    image: Omit<EngineImage, 'bytes'> & { readonly size: number },
    engine: Engine,
    fill: (memory: Uint8Array) => void,
  ): WorkingSet {
    const { oxigraph, memory, values } = engine;
    growTo(memory, image.size);
    // The engine's memory already records which entries are free.
    values.grow(Math.max(0, image.values.length - values.length));
    for (const [at, text] of image.values.entries()) if (text !== undefined) values.set(at, text);
    fill(new Uint8Array(memory.buffer));
    const store = Object.create(oxigraph.Store.prototype as object) as Oxigraph.Store;
    Object.assign(store, { __wbg_ptr: image.store });
    const copy = new WorkingSet(engine, store);
    copy.#guard(() => store.size);
    return copy;
  }

  /** Returns an empty working set in this engine, ending the use of this one; undefined when the engine is broken. */
  emptied(): WorkingSet | undefined {
    if (this.#panic) return undefined;
    const store = this.store as unknown as { free(): void };
    this.#guard(() => store.free());
    return new WorkingSet(this.engine);
  }

  /** Adds our own N-Quads; pieces of 0.25–1 MB load fastest. @param long graphs of mostly long texts */
  load(nquads: string | Uint8Array, long: readonly string[] = []): void {
    // Oxigraph copies a string character by character, which is much slower.
    const bytes = typeof nquads === 'string' ? Buffer.from(nquads) : nquads;
    // Skipping the transaction and IRI checks is half as fast again. V8 counts the reserved bytes as used and collects
    // garbage for them, so do not for small pieces unless something large was loaded before.
    const no_transaction = bytes.byteLength >= MAX_SMALL_BYTES || this.bytes >= RESERVED_BYTES;
    const options = { format: 'application/n-quads', no_transaction, lenient: true };
    this.#guard(() => this.store.load(bytes, options));
    for (const name of long) this.#long.add(name);
  }

  /** Returns a graph's N-Triples; undefined if it is mostly long texts, which the engine is slow to write. */
  graph(name: string): string | undefined {
    if (this.#long.has(name)) return undefined;
    const from = { termType: 'NamedNode', value: name } as Oxigraph.NamedNode;
    return this.#guard(() => this.store.dump({ format: formats.text, from_graph_name: from }));
  }

  clear(names: readonly string[]): void {
    if (names.length === 0) return;
    this.#guard(() => this.store.update(names.map((name) => `CLEAR SILENT GRAPH <${name}>`).join(';')));
    for (const name of names) this.#long.delete(name);
  }

  construct(sparql: string): string {
    return this.#query(sparql, { results_format: formats.text }, 'string');
  }

  /** Returns the statements of a CONSTRUCT, with blank nodes for IRIs known to `innerLabel`. */
  quads(sparql: string, innerLabel: (iri: string) => string | undefined): Quad[] {
    if (!this.#namesLong(sparql)) return readTriples(this.construct(sparql), innerLabel);
    return this.#guard(() => {
      const found = this.store.query(sparql);
      if (!Array.isArray(found)) throw new TypeError('the query is of another form than the call');
      return takeQuads(found as Oxigraph.Quad[], innerLabel);
    });
  }

  /** Returns the rows of a SELECT as TSV, which the engine writes much faster than JSON. */
  select(sparql: string): string {
    return this.#query(sparql, { results_format: formats.table }, 'string');
  }

  ask(sparql: string): boolean {
    return this.#query(sparql, {}, 'boolean');
  }

  /** Runs a caller's query on a working set of its own. @param dataset overrides the graphs that the query names */
  run(sparql: string, answer: keyof typeof formats, baseIri: string, dataset?: Dataset): string {
    const { namedNode } = this.engine.oxigraph;
    const graphs = dataset && {
      default_graph: dataset.defaultGraphs.map((name) => namedNode(name)),
      named_graphs: dataset.namedGraphs.map((name) => namedNode(name)),
    };
    const options = { results_format: formats[answer], base_iri: baseIri, ...graphs };
    return this.#query(sparql, options, 'string');
  }

  /** Runs a SELECT without copying its rows. @param read receives TSV in UTF-8, valid until it returns */
  readTable<T>(
    { sparql, baseIri, dataset }: { sparql: string; baseIri: string; dataset?: Dataset | undefined },
    read: (tsv: Uint8Array) => T,
  ): T {
    const values: T[] = [];
    let failed: { readonly error: unknown } | undefined;
    // Errors must not unwind through the engine.
    const attempt = (tsv: Uint8Array): void => {
      try {
        values.push(read(tsv));
      } catch (error) {
        failed = { error };
      }
    };
    const thrown = (): { readonly error: unknown } | undefined => failed;
    this.engine.readLarge = attempt;
    try {
      const text = this.run(sparql, 'table', baseIri, dataset);
      if (text !== '') attempt(Buffer.from(text));
    } finally {
      this.engine.readLarge = undefined;
    }
    const failure = thrown();
    if (failure) throw failure.error;
    return values[0] as T;
  }

  update(sparql: string): void {
    this.#guard(() => this.store.update(sparql));
  }

  /** Tells whether a query names a graph of mostly long texts, whose quads are better taken as objects. */
  #namesLong(sparql: string): boolean {
    if (this.#long.size === 0) return false;
    return [...sparql.matchAll(IRI)].some(([, name = '']) => this.#long.has(name));
  }

  #query(sparql: string, options: object, kind: 'string'): string;
  #query(sparql: string, options: object, kind: 'boolean'): boolean;
  #query(sparql: string, options: object, kind: string): unknown {
    const answer = this.#guard(() => this.store.query(sparql, options));
    if (typeof answer !== kind) throw new TypeError('the query is of another form than the call');
    return answer;
  }

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
    // After a trap, or a stack overflow in the engine, its state is undefined.
    if (error instanceof Error && ['RuntimeError', 'RangeError'].includes(error.name)) return true;
    try {
      return this.store.query('ASK {}') !== true;
    } catch {
      return true;
    }
  }
}

function growTo(memory: LinearMemory, bytes: number): void {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE);
  if (missing > 0) memory.grow(missing);
}
