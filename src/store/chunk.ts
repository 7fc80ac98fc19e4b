import { nameOf } from './paths.js';
import { countLines } from '../rdf/count-lines.js';
import { inGraph, resolveText } from './relative-text.js';
import type { WorkingSet } from './working-set.js';

/**
 * Makes further statements from a graph, for lookups: N-Triples in, N-Triples out, both absolute. They live in a graph
 * of their own, `{name}#_index`, and only in working sets.
 */
export type Derive = (name: string, ntriples: string) => string;

/** Which statements of a graph are to be put in: its name and all of its N-Triples in, N-Triples out. */
export type Missing = (name: string, ntriples: string) => string;

/** What a working set holds in the place of a graph: N-Triples in, N-Quads out, both absolute, one statement a line. */
export type View = (name: string, ntriples: string) => string;

/** Graphs whose lines have so many characters on average are handed over rather than written, see `WorkingSet`. */
const LONG = 1000;
/** Bytes of memory that a chunk begins with, and the most that it keeps when it is cleared. */
const FIRST = 1 << 16;
const MOST_KEPT = 1 << 22;
/** A character of a string takes three bytes of UTF-8 at most. */
const WIDEST = 3;

/**
 * N-Quads in the making, as the bytes that an engine takes: strings of this size would be put together and copied. It is
 * used again and again, `clear`ed: to get fresh memory for each would take longer than to write a small one.
 */
export class Chunk {
  /** Characters of the relative texts. */
  size = 0;
  graphs = 0;
  quads = 0;
  derived = 0;
  #long: string[] = [];
  #bytes = Buffer.allocUnsafeSlow(FIRST);
  #end = 0;

  constructor(
    readonly base: string,
    readonly derive: Derive | undefined,
    readonly view?: View | undefined,
  ) {}

  clear(): void {
    this.size = this.graphs = this.quads = this.derived = this.#end = 0;
    this.#long = [];
    if (this.#bytes.length > MOST_KEPT) this.#bytes = Buffer.allocUnsafeSlow(FIRST);
  }

  /**
   * @param path of the graph
   * @param text what it holds, as `writeRelative` gives it
   * @param missing what of that, and of what is derived from it, is to be put in; default: all. It is asked where there is
   *   no view
   */
  add(path: string, text: string, missing: Missing = all): void {
    const name = nameOf(path, this.base);
    const absolute = resolveText(text, this.base);
    this.size += text.length;
    this.graphs++;
    if (this.view) return void this.#addQuads(this.view(name, absolute));
    if (absolute.length > countLines(absolute) * LONG) this.#long.push(name);
    this.#addLines(missing(name, absolute), name);
    if (!this.derive) return;
    const index = indexGraph(name);
    this.derived += this.#addLines(missing(index, this.derive(name, absolute)), index);
  }

  loadInto(workingSet: WorkingSet): void {
    if (this.#end > 0) workingSet.load(this.#bytes.subarray(0, this.#end), this.#long);
  }

  /** Adds lines of N-Triples as N-Quads of a graph. Returns how many there were. */
  #addLines(ntriples: string, name: string): number {
    if (ntriples === '') return 0;
    if (!ntriples.endsWith('\n')) throw new Error('What is stored of a graph is damaged.');
    return this.#addQuads(inGraph(ntriples, name));
  }

  #addQuads(nquads: string): number {
    this.#reserve(nquads.length * WIDEST);
    this.#end += this.#bytes.write(nquads, this.#end);
    const count = countLines(nquads);
    this.quads += count;
    return count;
  }

  #reserve(more: number): void {
    if (this.#end + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow((this.#end + more) * 2);
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}

const all: Missing = (_, ntriples) => ntriples;

/** The graph of what is derived from a graph. */
export function indexGraph(name: string): string {
  return name + '#_index';
}
